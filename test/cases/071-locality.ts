/**
 * Two pods in two zones behind Istio with LEAST_REQUEST: uneven since locality load balancing was switched off. Why is not
 * in the report. The proxies see HTTP/2 and reach both pods; what the DestinationRule says of localities is the fact that
 * is missing, and no cause may be claimed.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Uneven since locality load balancing is off',
  source: 'https://github.com/istio/istio/issues/39478',
  mark: 'I',
  plan: {
    service: { ports: [{ name: 'grpc', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: 'grpc' }] },
    pods: [
      ...pods(1, { sidecar: 'istio-proxy', zone: 'zone-a' }),
      ...pods(1, { sidecar: 'istio-proxy', zone: 'zone-b', node: 'n2' }, 1),
    ],
    path: { destinationRules: [{ name: 'echo', consistentHash: false, subsets: [] }] },
    clients: webClients(4, { meshProxies: ['istio-proxy'] }),
    connections: [0, 1, 2, 3].flatMap((client) =>
      [9000, 1000].map((bytesPerSecond, pod) => ({ from: `web-${client}`, to: `echo-${pod}`, bytesPerSecond })),
    ),
  },
  expected: {
    state: 'skewed',
    not: ['mesh-sees-tcp', 'few-connections', 'chance', 'topology-hints'],
    strategy: 'l7-proxy',
    action: ['repair', 'keep'],
    lacks: 'what the DestinationRule says of localities',
  },
};

/**
 * Istio at both ends, and always the same pod answers. The route names a subset whose labels match only one of the pods.
 * The mesh does what it is told; its own analyser finds such a rule.
 */
import { meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Istio at both ends, always the same pod',
  source: 'https://github.com/istio/istio/issues/27621',
  mark: 'R',
  plan: {
    service: { ports: [{ name: 'grpc', port: 6565, targetPort: 50_051, protocol: 'TCP', appProtocol: null }] },
    pods: pods(2, { sidecar: 'istio-proxy' }),
    path: {
      routes: [{ kind: 'VirtualService', name: 'echo', backends: [{ service: 'echo', weight: 100, subset: 'v1' }] }],
      destinationRules: [{ name: 'echo', consistentHash: false, subsets: [{ name: 'v1', pods: ['echo-0'] }] }],
    },
    clients: webClients(1, { meshProxies: ['istio-proxy'] }),
    connections: meshed(1, 1),
  },
  expected: {
    state: 'skewed',
    first: 'weighted-routing',
    not: ['few-connections'],
    strategy: 'l7-proxy',
    action: 'repair',
    says: [/v1 100/],
  },
};

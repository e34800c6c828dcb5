/**
 * One selector matches the pods of two Deployments. Those of the second have no container port of the name that is the
 * target, so their slice has no ports at all. They are no replicas and not idle: they cannot be reached by this port.
 */
import { buildEvidence, dealt, type Plan, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const plan: Plan = {
  service: { ports: [{ name: 'grpc', port: 50_051, targetPort: 'grpc', protocol: 'TCP', appProtocol: null }] },
  pods: [
    ...pods(3),
    ...pods(2, { port: 9000, container: { ports: [] }, pod: { owner: { kind: 'ReplicaSet', name: 'admin-ccc' } } }, 3),
  ],
  clients: webClients(12),
  connections: dealt([4, 4, 4]),
};

export const publicCase: PublicCase = {
  title: 'A slice without ports: half of the selector does not serve this port',
  source: 'https://github.com/kubernetes/ingress-nginx/issues/9141',
  mark: 'E',
  plan: {
    ...plan,
    also: {
      endpointSlices: (buildEvidence(plan).endpointSlices ?? []).map((slice) =>
        slice.name === 'echo-9000' ? { ...slice, ports: [] } : slice,
      ),
    },
  },
  expected: {
    state: 'not-load-balancing',
    first: 'port-not-served',
    beside: ['endpoints-missing'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/port/],
    replicas: 3,
  },
};

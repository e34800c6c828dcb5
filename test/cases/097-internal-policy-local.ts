/**
 * internalTrafficPolicy Local: clients reach only pods of their own node. The node with most clients has one pod, which gets
 * all of theirs; a client on a node without a pod reaches nothing. The Service says so, no balancing of gRPC changes it.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'internalTrafficPolicy Local concentrates, or loses, the traffic',
  source: 'https://github.com/SREGym/SREGym/issues/803',
  mark: 'E',
  plan: {
    service: { internalTrafficPolicy: 'Local' },
    pods: [...pods(1, { node: 'n1' }), ...pods(3, { node: 'n2' }, 1)],
    clients: webClients(16).map((client, index) => ({ ...client, node: index < 12 ? 'n1' : 'n2' })),
    connections: [
      ...Array.from({ length: 12 }, (_, client) => ({ from: `web-${client}`, to: 'echo-0' })),
      ...[1, 2, 3, 1].map((pod, client) => ({ from: `web-${12 + client}`, to: `echo-${pod}` })),
    ],
  },
  expected: {
    state: ['skewed', 'balanced', 'not-load-balancing'],
    beside: ['internal-traffic-policy-local'],
    not: ['few-connections', 'chance', 'hot-client'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/internalTrafficPolicy/],
  },
};

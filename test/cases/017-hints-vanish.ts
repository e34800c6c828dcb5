/**
 * Three zones with 4, 4 and 3 endpoints: the controller finds one zone overloaded and takes all hints away; at another
 * number of pods they come back, so the pattern of traffic jumps. Topology-aware routing was asked for by annotation, and
 * no endpoint has a hint: traffic is not kept in its zone now, and hints are no cause of anything.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Topology hints vanish at eleven endpoints',
  source: 'https://github.com/kubernetes/kubernetes/issues/122437',
  mark: 'E',
  plan: {
    service: { topologyMode: 'Auto' },
    pods: [
      ...pods(4, { zone: 'zone-a' }),
      ...pods(4, { zone: 'zone-b', node: 'n2' }, 4),
      ...pods(3, { zone: 'zone-c' }, 8),
    ],
    clients: webClients(55),
    connections: dealt(Array(11).fill(5)),
  },
  expected: {
    state: 'balanced',
    first: null,
    not: ['topology-hints'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/hints/],
  },
};

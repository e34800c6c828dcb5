/**
 * The API allows one address in two slices, once ready and once not. It is one endpoint; which word holds is settled by
 * the pod itself, and that the slices contradict each other is said.
 */
import { buildEvidence, dealt, type Plan, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const plan: Plan = { pods: pods(3), clients: webClients(12), connections: dealt([4, 4, 4]) };
const slices = buildEvidence(plan).endpointSlices ?? [];

export const publicCase: PublicCase = {
  title: 'The same address twice, once ready and once not',
  source: 'https://github.com/kubernetes/kubernetes/issues/121556',
  mark: 'E',
  plan: {
    ...plan,
    also: {
      endpointSlices: [
        ...slices,
        ...slices.map((slice) => ({
          ...slice,
          name: 'echo-stale',
          endpoints: slice.endpoints.slice(0, 1).map((endpoint) => ({ ...endpoint, ready: false, serving: false })),
        })),
      ],
    },
  },
  expected: {
    state: 'balanced',
    first: null,
    strategy: 'cluster-ip',
    action: 'keep',
    warnings: ['contradictory-endpoints'],
    replicas: 3,
  },
};

/**
 * DNS does not shuffle, the client uses pick_first: always the same of two pods. It takes both, a headless Service and
 * round_robin, for calls to spread; with the Service alone the first address gets all.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Constant DNS order and pick_first: always the same pod',
  source: 'https://github.com/kedacore/keda/issues/5224',
  mark: 'E',
  plan: {
    service: headless,
    pods: pods(2),
    clients: webClients(3, { workload: 'keda-operator', namespace: 'keda' }),
    connections: dealt([3, 0]),
  },
  expected: {
    state: 'skewed',
    first: 'pick-first',
    not: ['no-re-resolution', 'chance'],
    strategy: 'headless-round-robin',
    action: 'complete',
    says: [/round_robin/, /dns:\/\/\//],
  },
};

/**
 * Two frontends were restarted one after the other. Twenty workers had been ten and ten; each restart sends the workers of
 * that frontend to the one that is up, and all end on the one that came back first. Twenty connections on two pods are
 * enough for a new deal, so an age of connections on the server evens them out without a change of any worker.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Frontends restarted in turn: 20 and 0',
  source: 'https://github.com/temporalio/sdk-java/pull/351',
  mark: 'E',
  plan: {
    pods: [...pods(1, { ageSeconds: 1800 }), ...pods(1, { ageSeconds: 1740 }, 1)],
    clients: webClients(20),
    // Since the second one went down: when it was Ready again nobody had a reason to move.
    connections: dealt([20, 0], { ageSeconds: 1760 }),
  },
  expected: {
    state: 'skewed',
    named: ['rolling-restart-order'],
    beside: ['new-pods-idle'],
    not: ['chance', 'few-connections', 'hot-client'],
    strategy: 'max-connection-age',
    action: 'adopt',
  },
};

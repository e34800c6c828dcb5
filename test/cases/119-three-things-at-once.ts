/**
 * A headless Service and a connection age of a minute were there and did nothing, until the default scheme of the client
 * became dns. Each client reconnects every minute, to the same one address. It takes all of a list: headless, `dns:///`,
 * round_robin, an age for new pods, the target port. What is known of each has to be told.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Three things are needed at once',
  source: 'https://github.com/3scale/3scale-istio-adapter/issues/101',
  mark: 'E',
  plan: {
    service: headless,
    pods: pods(3),
    clients: webClients(4),
    connections: dealt([0, 4, 0], { ageSeconds: 45 }),
  },
  expected: {
    state: 'skewed',
    first: 'pick-first',
    not: ['no-re-resolution', 'chance'],
    strategy: 'headless-round-robin',
    action: 'complete',
    says: [/dns:\/\/\//, /round_robin/, /MaxConnectionAge/, /headless/],
  },
};

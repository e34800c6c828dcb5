/**
 * Clients with dns and round_robin found a second replica within half a minute; since grpc-go 1.26 they never do, because
 * the resolver no longer asks again by itself. One pod was there when they dialled, so each has one connection, just as
 * with pick_first: but pick_first is not to be blamed where there was nothing to pick. An age of connections mends it.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The second replica is never seen, since a new version of the client',
  source: 'https://github.com/grpc/grpc-go/issues/3353',
  mark: 'E',
  plan: {
    service: headless,
    pods: [...pods(1), ...pods(1, { ageSeconds: 3600 }, 1)],
    clients: webClients(3),
    connections: dealt([3, 0]),
  },
  expected: {
    state: 'skewed',
    first: 'no-re-resolution',
    not: ['pick-first', 'chance', 'few-connections'],
    strategy: 'headless-round-robin',
    action: 'complete',
    says: [/connection age|MaxConnectionAge/],
  },
};

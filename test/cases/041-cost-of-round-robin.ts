/**
 * round_robin is on, several connections a client, and still the load is uneven while the client's CPU has tripled and DNS
 * is flooded. A loop of resolving in that version of the client, or a channel for each object: neither is to be seen in the
 * cluster. What is to be said beside the strategy is its price: connections of each client to each pod, and DNS queries.
 */
import { headless, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'round_robin is on: uneven, triple CPU in the client, DNS flooded',
  source: 'https://github.com/grpc/grpc-node/issues/2023',
  mark: 'I',
  plan: {
    service: headless,
    pods: pods(3),
    clients: webClients(4),
    connections: [0, 1, 2, 3].flatMap((client) =>
      [4000, 900, 300].map((bytesPerSecond, pod) => ({ from: `web-${client}`, to: `echo-${pod}`, bytesPerSecond })),
    ),
  },
  expected: {
    state: 'skewed',
    not: ['pick-first', 'no-re-resolution', 'few-connections', 'chance'],
    strategy: 'headless-round-robin',
    says: [/4 clients × 3 pods/, /DNS queries/],
    lacks: 'the version of the client library, and how many channels it makes',
  },
};

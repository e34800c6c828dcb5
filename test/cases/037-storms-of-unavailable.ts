/**
 * A server with a connection age of a minute and a minute of grace; clients of two old versions of grpc-go meet storms of
 * UNAVAILABLE when connections end. The fault lies in those versions, which nothing in a cluster shows. What can be said
 * where an age is recommended: clients have to retry UNAVAILABLE, and the grace has to outlast the longest call.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Storms of UNAVAILABLE with a connection age',
  source: 'https://github.com/grpc/grpc-go/issues/2767',
  mark: 'I',
  plan: {
    pods: [...pods(3), ...pods(1, { ageSeconds: 900 }, 3)],
    clients: webClients(24),
    connections: dealt([12, 6, 6, 0]),
  },
  expected: {
    state: 'skewed',
    beside: ['new-pods-idle', 'chance'],
    strategy: 'max-connection-age',
    action: 'adopt',
    says: [/UNAVAILABLE/, /grace/],
  },
};

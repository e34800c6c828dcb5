/**
 * Many clients on a ClusterIP, and a server in a language whose library could not close connections by age at that time.
 * The advice is right and still needs a library that has the option: which one it is cannot be seen from outside, so the
 * advice has to say that it must be checked.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The server library has no connection age',
  source: 'https://github.com/grpc/grpc-node/issues/2265',
  mark: 'E',
  plan: {
    pods: [...pods(2), ...pods(1, { ageSeconds: 900 }, 2)],
    clients: webClients(16),
    connections: dealt([8, 8, 0]),
  },
  expected: {
    state: 'skewed',
    first: 'new-pods-idle',
    strategy: 'max-connection-age',
    action: 'adopt',
    says: [/server library has a connection age/],
  },
};

/**
 * The client library of an inference server makes the channel itself and hides its options, so that its user has to derive
 * a class of his own to get round_robin. Such a client is not the user's to change: then no strategy that changes clients,
 * but a proxy, or an age on the server where there are connections enough. Here there are two.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The client library hides the channel options',
  source: 'https://github.com/triton-inference-server/server/issues/4036',
  mark: 'E',
  plan: { pods: pods(4), clients: webClients(2), connections: dealt([1, 1]) },
  options: { clients: 'third-party' },
  expected: {
    state: 'skewed',
    first: 'few-connections',
    beside: ['chance'],
    strategy: 'l7-proxy',
    action: 'adopt',
    says: [/not all clients are yours/],
  },
};

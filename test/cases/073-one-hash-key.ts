/**
 * Proxyless gRPC with a ring hash: three clients, three servers, connections from each to each, and everyone sends the
 * same header, so one server has all. By design of a hash, not a fault of balancing. The rule of the mesh says it; the
 * number of keys is not seen.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A ring hash, and everyone sends the same key',
  source: 'https://github.com/grpc/grpc-go/issues/6927',
  mark: 'E',
  plan: {
    pods: pods(3),
    path: { destinationRules: [{ name: 'echo', consistentHash: true, subsets: [] }] },
    clients: webClients(3, { mesh: { xds: 'grpc-agent' } }),
    connections: [0, 1, 2].flatMap((client) =>
      [9000, 5, 5].map((bytesPerSecond, pod) => ({ from: `web-${client}`, to: `echo-${pod}`, bytesPerSecond })),
    ),
  },
  expected: {
    state: 'skewed',
    first: 'consistent-hash',
    not: ['few-connections', 'hot-client', 'chance'],
    strategy: 'proxyless-xds',
    action: ['keep', 'repair'],
    says: [/hash/],
  },
};

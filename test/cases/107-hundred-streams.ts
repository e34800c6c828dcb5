/**
 * One resolved address is one connection, whatever the policy, and a connection carries 100 calls at once: the rest waits
 * in the client while the server idles. Here one client has exactly 100 calls under way at one pod and none elsewhere.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A hundred streams a connection',
  source: 'https://github.com/grpc/grpc/issues/11704',
  mark: 'E',
  plan: {
    pods: pods(3, { cpuMillicores: 60 }),
    clients: [{ name: 'web-0' }],
    connections: [{ from: 'web-0', to: 'echo-0', bytesPerSecond: 90_000, segmentsPerSecond: 400 }],
    calls: [
      { pod: 'echo-0', perSecond: 200, inFlight: 100 },
      ...[1, 2].map((pod) => ({ pod: `echo-${pod}`, counted: false })),
    ],
  },
  expected: {
    state: 'skewed',
    named: ['stream-limit'],
    beside: ['few-connections', 'hot-connection', 'chance'],
    strategy: ['headless-round-robin', 'l7-proxy'],
    action: 'adopt',
    says: [/100/],
  },
};

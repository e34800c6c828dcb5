/**
 * A repo-server is scaled up while one controller has long unary calls under way; the new replicas stay idle. One client,
 * one connection, older than the new pods. New calls can be spread, by the client or by a proxy; calls in flight stay
 * where they are, and that limit has to be told.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'New replicas idle while calls are in flight',
  source: 'https://github.com/argoproj/argo-cd/issues/16470',
  mark: 'R',
  plan: {
    pods: [...pods(1, { cpuMillicores: 900 }), ...pods(3, { ageSeconds: 300, cpuMillicores: 5 }, 1)],
    clients: [{ name: 'web-0', workload: 'application-controller' }],
    connections: [{ from: 'web-0', to: 'echo-0', bytesPerSecond: 20_000 }],
    calls: [
      { pod: 'echo-0', perSecond: 2, inFlight: 40, total: 4000 },
      ...[1, 2, 3].map((pod) => ({ pod: `echo-${pod}`, counted: false })),
    ],
  },
  expected: {
    state: 'skewed',
    first: 'new-pods-idle',
    beside: ['few-connections', 'hot-connection', 'long-streams', 'chance'],
    strategy: ['headless-round-robin', 'l7-proxy'],
    action: 'adopt',
    says: [/in flight/],
  },
};

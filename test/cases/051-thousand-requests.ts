/**
 * A thousand requests, all at the first of two pods. Whether the client kept its connection was asked and never answered.
 * Without the connections the unevenness can be told, its reason cannot: no cause, no change, and what would settle it.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A thousand requests, all at the first of two pods',
  source: 'https://github.com/kubernetes/kubernetes/issues/78685',
  mark: 'I',
  plan: {
    pods: [...pods(1, { cpuMillicores: 300 }), ...pods(1, { cpuMillicores: 2 }, 1)],
    exec: false,
    windowSeconds: 0,
    signals: { connections: { state: 'skipped', reason: 'not looked at' } },
  },
  expected: {
    state: ['skewed', 'unknown'],
    first: null,
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/connections/],
    lacks: 'whether the client keeps its connection',
  },
};

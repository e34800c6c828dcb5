/**
 * Two load generators from outside, a connection for each request, two pods: 74 % and 26 %. A hash over few addresses and
 * source ports was suspected, reuse of ports denied, nothing settled. By the limits a peak of 1.48 is a little uneven. No
 * cause may be claimed.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A load generator from outside: 74 and 26 %',
  source: 'https://github.com/cilium/cilium/issues/15683',
  mark: 'R',
  plan: {
    service: { type: 'NodePort', externalTrafficPolicy: 'Cluster' },
    pods: pods(2),
    timeWait: 500,
    connections: [
      { from: '203.0.113.5', to: 'echo-0', ageSeconds: 1 },
      { from: '203.0.113.6', to: 'echo-1', ageSeconds: 1 },
    ],
    calls: [
      { pod: 'echo-0', perSecond: 740, total: 74_000 },
      { pod: 'echo-1', perSecond: 260, total: 26_000 },
    ],
    usage: false,
  },
  expected: {
    state: ['balanced', 'unknown'],
    first: null,
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/a little uneven/],
  },
};

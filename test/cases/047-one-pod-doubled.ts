/**
 * Fifteen pods behind a headless Service and a client that makes a connection for each request: one pod gets 1,338, the
 * others 565 to 659. One record of the answer comes first too often; kube-proxy has no part in it. By the limits 14 of 15
 * pods do the work and none is idle, so it is a little uneven, with one pod at twice its part. Sockets say nothing here:
 * they come and go.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

const counts = [1338, 565, 659, 600, 610, 620, 590, 605, 615, 625, 595, 640, 630, 585, 612];

export const publicCase: PublicCase = {
  title: 'Headless with 15 pods: one gets exactly double',
  source: 'https://github.com/coredns/coredns/issues/4960',
  mark: 'I',
  plan: {
    service: headless,
    pods: pods(15),
    connections: dealt([1, 0, 1], { ageSeconds: 1, gone: false }),
    timeWait: 40,
    calls: counts.map((count, pod) => ({ pod: `echo-${pod}`, perSecond: count / 10, total: count })),
  },
  expected: {
    state: ['balanced', 'skewed'],
    not: ['no-re-resolution', 'few-connections', 'chance'],
    strategy: 'headless-round-robin',
    says: [/2 × its part/],
  },
};

/**
 * Ten clients, four servers, a bidirectional stream each: 50, 100, 100 and 50 operations a second where 75 were expected.
 * The streams fell 2, 3, 3, 2 with a client or two that do less; no placement of ten on four is more even. The busiest has
 * 1.33 times its part, and 3.6 of four pods do the work: by the limits a little uneven, no skew, and no reason to change.
 * Each client keeps its one stream on its one connection, as pick_first does: that is why it stays a little uneven.
 */
import { headless, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

/** Operations a second of the streams at each pod. */
const streams = [
  [25, 25],
  [34, 33, 33],
  [34, 33, 33],
  [25, 25],
];

export const publicCase: PublicCase = {
  title: 'Ten streams on four servers: 50, 100, 100, 50',
  source: 'https://github.com/akka/akka-grpc/issues/880',
  mark: 'R',
  plan: {
    service: headless,
    pods: pods(4),
    clients: webClients(10),
    connections: streams
      .flatMap((rates, pod) => rates.map((rate) => ({ pod, rate })))
      .map(({ pod, rate }, client) => ({
        from: `web-${client}`,
        to: `echo-${pod}`,
        bytesPerSecond: 100 * rate,
        segmentsPerSecond: rate,
      })),
  },
  expected: {
    state: 'balanced',
    first: 'pick-first',
    strategy: 'headless-round-robin',
    action: 'keep',
    says: [/a little uneven/, /1\.3 × its part/],
  },
};

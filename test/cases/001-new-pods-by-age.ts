/**
 * Ten backend pods behind a headless Service, clients of grpc-go with round_robin. The older pods were busy, the younger
 * idle: CPU differed seventeenfold, in the order of age. Its resolver asks for addresses again only when a connection
 * fails, so that clients kept the pods of the time when they dialled. Not "go headless": that is done; what is missing is
 * something that ends connections.
 */
import { headless, meshed, pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'New pods idle after an HPA scaled up, load ordered by age',
  source: 'https://github.com/hitesh22rana/chronoverse/pull/135',
  mark: 'E',
  plan: {
    service: headless,
    pods: [...pods(4, { cpuMillicores: 240 }), ...pods(6, { ageSeconds: 1800, cpuMillicores: 14 }, 4)],
    connections: meshed(4, 4),
  },
  expected: {
    state: 'skewed',
    first: 'no-re-resolution',
    not: ['pick-first', 'few-connections'],
    strategy: 'headless-round-robin',
    action: 'complete',
    says: [/connection age/],
  },
};

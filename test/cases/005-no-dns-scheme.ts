/**
 * A collector exports over gRPC to a headless Service with round_robin set, and all of it arrives at one pod. Its target
 * had no `dns:///`, so that the passthrough resolver gave one address. From outside: each client has one connection, though
 * DNS names every pod. "Set round_robin" would be no help, it was set; the scheme of the target is what was missing.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Headless and round_robin, all traffic still at one pod',
  source: 'https://github.com/open-telemetry/opentelemetry-collector/issues/8000',
  mark: 'E',
  plan: { service: headless, pods: pods(3), connections: dealt([3, 0, 0]) },
  expected: {
    state: 'skewed',
    first: 'pick-first',
    not: ['no-re-resolution', 'few-connections'],
    strategy: 'headless-round-robin',
    action: 'complete',
    says: [/dns:\/\/\//],
  },
};

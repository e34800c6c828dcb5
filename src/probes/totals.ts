import type { ProbeCount } from '../evidence/looks.ts';
import type { ProbeCensus } from '../report/census.ts';
import { type CountLook, countProbe, joinTallies, type ProbeTally } from './counts.ts';
import { publishedCounts } from './published-counts.ts';

/**
 * The results of all probes by type, as `sum by (probe_type, result) (prober_probe_total)` has them; the times are those
 * of the slowest probe.
 */
export function sumCounters(looks: readonly CountLook[]): NonNullable<ProbeCensus['status']['results']> {
  const byProbe = new Map<string, (readonly [1 | 2, ProbeCount])[]>();
  for (const { sample, counts } of looks) {
    for (const count of counts) {
      const key = JSON.stringify([count.namespace, count.podUid ?? count.pod, count.container, count.type]);
      const entries = byProbe.get(key) ?? [];
      entries.push([sample, count]);
      byProbe.set(key, entries);
    }
  }
  const sums = new Map<ProbeCount['type'], ProbeTally | null>();
  for (const entries of byProbe.values()) {
    const type = entries[0]?.[1].type;
    if (type !== undefined) sums.set(type, joinTallies(sums.get(type) ?? null, countProbe(entries)));
  }
  return (['liveness', 'readiness', 'startup'] as const).flatMap((type) => {
    const answer = publishedCounts(sums.get(type) ?? null);
    return answer === null ? [] : [{ type, ...answer }];
  });
}

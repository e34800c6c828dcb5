import type { SkewEvidence } from '../evidence/schema.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { maxOf } from '../figures/extremes.ts';
import type { Connection } from './peers/connections.ts';

/**
 * Was the CPU measured, at least in part, before the clients started that make most of the load? Then it shows how the load
 * lay before: after a fix it contradicts the cure.
 */
export function isCpuPast(
  { usage, prometheus }: SkewEvidence,
  connections: readonly { readonly connection: Connection }[],
  weights: readonly number[],
): boolean {
  const measured = usage !== null && usage.length > 0 ? usage : (prometheus?.usage ?? []);
  const begins = measured.flatMap(({ measuredAt, windowSeconds }) => {
    const end = millisecondsOf(measuredAt);
    return end === null ? [] : [end - windowSeconds * 1000];
  });
  if (begins.length === 0) return false;
  const begin = maxOf(begins);
  let all = 0;
  let since = 0;
  connections.forEach(({ connection }, index) => {
    const weight = weights[index] ?? 0;
    all += weight;
    const started = millisecondsOf(connection.peer.pod?.startedAt);
    if (started !== null && started > begin) since += weight;
  });
  return since > all / 2;
}

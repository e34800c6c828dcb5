import type { SkewEvidence } from '../evidence/schema.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { maxOf } from '../figures/extremes.ts';
import type { MeasuredPod } from './measured.ts';
import type { Connection } from './peers/connections.ts';

/**
 * Was the CPU measured, at least in part, before the connections began that carry most of the load? Then it shows how the
 * load lay before: after a fix it contradicts the cure. `now` in milliseconds since the epoch.
 */
export function isCpuPast(
  { usage, prometheus }: SkewEvidence,
  replicas: readonly MeasuredPod[],
  connections: readonly { readonly replica: number; readonly connection: Connection }[],
  weights: readonly number[],
  now: number,
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
  connections.forEach(({ replica, connection }, index) => {
    const weight = weights[index] ?? 0;
    all += weight;
    const began = beginOf(connection, replicas[replica]?.sockets?.seconds ?? null, now);
    if (began !== null && began > begin) since += weight;
  });
  return since > all / 2;
}

/** The latest of when its client started, and of when it began to carry what it did at the rate of now. */
function beginOf({ peer, bytes, windowBytes, kept }: Connection, seconds: number | null, now: number): number | null {
  const begins = [millisecondsOf(peer.pod?.startedAt)].filter((time) => time !== null);
  if (kept && bytes !== null && windowBytes !== null && windowBytes > 0 && seconds !== null)
    begins.push(now - (1000 * seconds * bytes) / windowBytes);
  if (!kept && seconds !== null) begins.push(now - 1000 * seconds);
  return begins.length === 0 ? null : maxOf(begins);
}

import type { SkewEvidence } from '../evidence/schema.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { maxOf } from '../figures/extremes.ts';
import type { Connection } from './peers/connections.ts';

interface Present {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly connections: readonly {
    readonly connection: Connection;
    /** Seconds between the looks at its pod; null with one look. */
    readonly seconds: number | null;
  }[];
  readonly weights: readonly number[];
  /** Each connection carries a call or so: young ones say nothing of how the load lay before. */
  readonly perCall: boolean;
}

/**
 * Was the CPU measured, at least in part, before the clients started that make most of the load, or before the connections
 * were there that carry it? Then it shows how the load lay before: after a fix it contradicts the cure, after a break of the
 * network the deal of now.
 */
export function isCpuPast({ usage, prometheus }: SkewEvidence, present: Present): boolean {
  const measured = usage !== null && usage.length > 0 ? usage : (prometheus?.usage ?? []);
  const begins = measured.flatMap(({ measuredAt, windowSeconds }) => {
    const end = millisecondsOf(measuredAt);
    return end === null ? [] : [end - windowSeconds * 1000];
  });
  if (begins.length === 0) return false;
  const begin = maxOf(begins);
  const carried = present.perCall ? null : carriedSeconds(present.connections);
  if (carried !== null && carried < (present.now - begin) / 1000) return true;
  let all = 0;
  let since = 0;
  present.connections.forEach(({ connection }, index) => {
    const weight = present.weights[index] ?? 0;
    all += weight;
    const started = millisecondsOf(connection.peer.pod?.startedAt);
    if (started !== null && started > begin) since += weight;
  });
  return since > all / 2;
}

/** For how long the connections would have had to carry what they do now, for all that they have carried; null: not known. */
function carriedSeconds(connections: Present['connections']): number | null {
  let bytes = 0;
  let perSecond = 0;
  for (const { connection, seconds } of connections) {
    if (connection.bytes === null || connection.windowBytes === null || seconds === null) return null;
    bytes += connection.bytes;
    perSecond += connection.windowBytes / seconds;
  }
  return perSecond === 0 ? null : bytes / perSecond;
}

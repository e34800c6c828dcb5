import type { Facts } from '../facts/facts.ts';
import { maxOf } from '../figures/extremes.ts';

/**
 * Seconds that the present connections have lived, estimated together: what they carried ÷ their present rate.
 *
 * Null where bytes or a second sample are missing. The estimate holds while the rate has been steady; it is not
 * believed when it says that connections are much older than the pods at both of their ends.
 */
export function connectionAge(facts: Facts): number | null {
  let bytes = 0;
  let perSecond = 0;
  for (const { replica, connection } of facts.allConnections) {
    const seconds = facts.replicas[replica]?.sockets?.seconds ?? null;
    if (!connection.kept || connection.bytes === null || connection.windowBytes === null || seconds === null)
      return null;
    bytes += connection.bytes;
    perSecond += connection.windowBytes / seconds;
  }
  if (perSecond <= 0) return null;
  const age = bytes / perSecond;
  const oldest = oldestPossible(facts);
  if (oldest === null) return age;
  return age > plausibleExcess * oldest ? null : Math.min(age, oldest);
}

/** A connection cannot be older than the pods at both ends; a little excess is the noise of the rate. */
const plausibleExcess = 1.25;

function oldestPossible(facts: Facts): number | null {
  const ages = facts.allConnections.map(({ replica, connection }) => {
    const server = facts.replicas[replica]?.startedAt ?? null;
    const client = connection.peer.startedAt;
    const starts = [server, client].filter((start) => start !== null);
    return starts.length === 0 ? null : (facts.now - maxOf(starts)) / 1000;
  });
  const known = ages.filter((age) => age !== null);
  return known.length === 0 ? null : maxOf(known);
}

/** Seconds since a replica became able to take connections: Ready, and its container started. */
export function availableSeconds(facts: Facts, replica: number): number | null {
  const pod = facts.replicas[replica];
  const since = [pod?.readySince, pod?.startedAt].filter((time) => time != null);
  return since.length === 0 ? null : (facts.now - maxOf(since)) / 1000;
}

/** Starts of all client processes, by address, as far as they are known: those of their pods. */
export function clientStarts({ allConnections }: Facts): ReadonlyMap<string, number | null> {
  return new Map(allConnections.map(({ connection }) => [connection.address, connection.peer.startedAt]));
}

/**
 * Client processes, by address, that started when the replica could take connections already: theirs are no older than it.
 * A client whose start is not known is none of them.
 */
export function clientsStartedSince(facts: Facts, seconds: number): { readonly later: number; readonly all: number } {
  const starts = [...clientStarts(facts).values()];
  const later = starts.filter(
    (start) => start !== null && Number.isFinite(seconds) && (facts.now - start) / 1000 < seconds,
  );
  return { later: later.length, all: starts.length };
}

/** Replicas without any client connection, of those that were seen. */
export function replicasWithoutConnections(facts: Facts): readonly number[] {
  const held = new Set(facts.allConnections.map((entry) => entry.replica));
  return facts.replicas.flatMap((pod, index) => (pod.sockets !== null && !held.has(index) ? [index] : []));
}

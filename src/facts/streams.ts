import type { Facts } from './facts.ts';

/** Calls that are in flight, against those that end: what only the pods' own counters tell. */
export interface Streams {
  /** Calls in flight at the latest look, by replica and in all. */
  readonly byReplica: readonly number[];
  readonly open: number;
  /** Calls that ended between the looks. */
  readonly ended: number;
  readonly seconds: number;
  /** How long a call lasts on average, at least: in flight ÷ ended per second, with one more that was about to end. */
  readonly leastSeconds: number;
  /** Part of the messages that belong to calls which did not end; null where messages are not counted. */
  readonly ofStreams: number | null;
}

/** A call that begins and ends has a message in each direction at least. */
const messagesOfACall = 2;

/** Null unless every replica counts both beginnings and ends, over a window. */
export function readStreams({ replicas }: Pick<Facts, 'replicas'>): Streams | null {
  const calls = replicas.map((pod) => pod.calls);
  const byReplica = calls.flatMap((entry) => entry?.inFlight ?? []);
  const ended = calls.flatMap((entry) => entry?.calls ?? []);
  const seconds = calls.flatMap((entry) => entry?.seconds ?? []);
  const messages = calls.flatMap((entry) => entry?.messages ?? []);
  if ([byReplica, ended, seconds].some((known) => known.length < replicas.length) || replicas.length === 0) return null;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const all = sum(messages);
  const window = sum(seconds) / seconds.length;
  const isCounted = messages.length === replicas.length && all > 0;
  return {
    byReplica,
    open: sum(byReplica),
    ended: sum(ended),
    seconds: window,
    leastSeconds: (sum(byReplica) * window) / (sum(ended) + 1),
    ofStreams: isCounted ? Math.max(0, 1 - (messagesOfACall * sum(ended)) / all) : null,
  };
}

import type { CallLook, MethodCounters } from '../evidence/looks.ts';
import { millisecondsOf } from '../evidence/times.ts';
import type { CallIndex } from './evidence-index.ts';

/** What a pod's own counters say of the calls it got. */
export interface PodCalls {
  readonly source: 'pod-metrics' | 'prometheus';
  /** When it was last looked at, in milliseconds since the epoch. */
  readonly lookedAt: number;
  /** Seconds between its two looks; null with one. */
  readonly seconds: number | null;
  /** Calls that ended between the looks (that started, where ends are not counted). */
  readonly calls: number | null;
  /** Calls that began between the looks; null where their beginnings are not counted. */
  readonly started: number | null;
  /** Messages of streams and calls between the looks; null where they are not counted. */
  readonly messages: number | null;
  /** Calls since the process began. */
  readonly total: number;
  /** Calls that had started and not ended at the latest look. */
  readonly inFlight: number | null;
  /** The same at the first of two looks. */
  readonly inFlightBefore: number | null;
}

/**
 * Reads the calls of one pod. A page without any counter of the family that other pods have says that no call came: a
 * series begins with the first call. Null when there is no page, or when no pod counts calls.
 */
export function readPodCalls({ source, of, counts }: CallIndex, podUid: string): PodCalls | null {
  if (!counts.calls) return null;
  const { first, second } = of(podUid);
  const latest = second ?? first;
  const lookedAt = millisecondsOf(latest?.lookedAt);
  if (latest === undefined || lookedAt === null) return null;
  const startedAt = millisecondsOf(first?.lookedAt);
  const seconds = second === undefined || startedAt === null ? null : (lookedAt - startedAt) / 1000;
  const isWindow = first !== undefined && second !== undefined && seconds !== null && seconds > 0;
  return {
    source,
    lookedAt,
    seconds: isWindow ? seconds : null,
    calls: isWindow ? between(first, second, ended) : null,
    started: isWindow && counts.started ? between(first, second, (method) => believable(method.started)) : null,
    messages: isWindow && counts.messages ? between(first, second, (method) => believable(method.messages)) : null,
    total: sum(latest, ended) ?? 0,
    inFlight: inFlight(latest, counts),
    inFlightBefore: isWindow ? inFlight(first, counts) : null,
  };
}

const ended = (method: MethodCounters) => believable(method.handled ?? method.started);

/** A counter is no less than 0, and below what a double counts exactly. */
function believable(count: number | null): number | null {
  return count === null ? null : Math.min(Math.max(0, count), Number.MAX_SAFE_INTEGER);
}

function sum(look: CallLook, value: (method: MethodCounters) => number | null): number | null {
  return look.methods.reduce<number | null>((total, method) => {
    const found = value(method);
    return found === null ? total : (total ?? 0) + found;
  }, null);
}

/** Growth of the counters; one that went backwards began anew with its process, so all of it is new. */
function between(first: CallLook, second: CallLook, value: (method: MethodCounters) => number | null): number {
  const before = new Map(first.methods.map((method) => [`${method.service}/${method.method}`, value(method)]));
  return second.methods.reduce((total, method) => {
    const now = value(method) ?? 0;
    const then = before.get(`${method.service}/${method.method}`) ?? 0;
    return total + (now >= then ? now - then : now);
  }, 0);
}

/** A page without methods says that nothing is in flight, where other pages count beginnings and ends. */
function inFlight(look: CallLook, counts: CallIndex['counts']): number | null {
  if (look.methods.length === 0) return counts.inFlight ? 0 : null;
  const known = look.methods.filter((method) => method.started !== null && method.handled !== null);
  return known.length === 0
    ? null
    : known.reduce((total, method) => total + Math.max(0, (method.started ?? 0) - (method.handled ?? 0)), 0);
}

import type { CallLook, MethodCounters } from '../evidence/looks.ts';
import { millisecondsOf } from '../evidence/times.ts';
import type { CallIndex, CountedEvents } from './evidence-index.ts';

/** What a pod's own counters say of the calls it got. */
export interface PodCalls {
  readonly source: 'pod-metrics' | 'prometheus';
  /** When it was last looked at, in milliseconds since the epoch. */
  readonly lookedAt: number;
  /** Seconds between its two looks; null with one. */
  readonly seconds: number | null;
  /** Calls that ended between the looks (that started, where ends are not counted); null where calls are not counted. */
  readonly calls: number | null;
  /** Calls that began between the looks; null where their beginnings are not counted. */
  readonly started: number | null;
  /** Messages of streams and calls between the looks; null where they are not counted. */
  readonly messages: number | null;
  /** Calls since the process began; null where they are not counted. */
  readonly total: number | null;
  /** Calls that had started and not ended at the latest look. */
  readonly inFlight: number | null;
  /** The same at the first of two looks. */
  readonly inFlightBefore: number | null;
}

/** Of which pod, and what is known of it otherwise. */
export interface CallsOf {
  readonly podUid: string;
  /** Where the pod serves the port of the Service: what is counted at another one is no load of it. */
  readonly port: number | null;
  /** By its sockets no client holds, or held, a connection to it; or its interfaces received next to nothing. */
  readonly silent: boolean;
}

/**
 * Reads the calls of one pod by the family of its own page. A page without any family says nothing: a series begins with
 * the first call, but only where the server is instrumented. It means no call where the pod is silent otherwise, too. Null
 * when there is no page, or when no pod counts calls.
 */
export function readPodCalls({ source, of, countedBy }: CallIndex, { podUid, port, silent }: CallsOf): PodCalls | null {
  const looks = of(podUid);
  const first = atPort(looks.first, port);
  const second = atPort(looks.second, port);
  const latest = second ?? first;
  const lookedAt = millisecondsOf(latest?.lookedAt);
  if (latest === undefined || lookedAt === null || (latest.family === null && !silent)) return null;
  const counted = countedBy(latest.family);
  if (counted === null) return null;
  const startedAt = millisecondsOf(first?.lookedAt);
  const seconds = second === undefined || startedAt === null ? null : (lookedAt - startedAt) / 1000;
  // Looks by two families are no window; one that was not there yet began within it.
  const isSame = first?.family === null || first?.family === second?.family;
  const isWindow = first !== undefined && second !== undefined && seconds !== null && seconds > 0 && isSame;
  const grown = (isCounted: boolean, value: (method: MethodCounters) => number | null) =>
    isWindow && isCounted ? between(first, second, value) : null;
  return {
    source,
    lookedAt,
    seconds: isWindow ? seconds : null,
    calls: grown(counted.calls, ended),
    started: grown(counted.started, (method) => believable(method.started)),
    messages: grown(counted.messages, (method) => believable(method.messages)),
    total: counted.calls ? (sum(latest, ended) ?? 0) : null,
    inFlight: inFlight(latest, counted),
    inFlightBefore: isWindow ? inFlight(first, counted) : null,
  };
}

/** Without what was counted at another port of the pod. */
function atPort<Look extends CallLook>(look: Look | undefined, port: number | null): Look | undefined {
  if (look === undefined || port === null) return look;
  return { ...look, methods: look.methods.filter((method) => (method.port ?? port) === port) };
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
  const keyOf = ({ service, method, port }: MethodCounters) => `${service}/${method} ${port ?? ''}`;
  const before = new Map(first.methods.map((method) => [keyOf(method), value(method)]));
  return second.methods.reduce((total, method) => {
    const now = value(method) ?? 0;
    const then = before.get(keyOf(method)) ?? 0;
    return total + (now >= then ? now - then : now);
  }, 0);
}

/** A page without methods says that nothing is in flight, where other pages count beginnings and ends. */
function inFlight(look: CallLook, counted: CountedEvents): number | null {
  if (look.methods.length === 0) return counted.inFlight ? 0 : null;
  const known = look.methods.filter((method) => method.started !== null && method.handled !== null);
  return known.length === 0
    ? null
    : known.reduce((total, method) => total + Math.max(0, (method.started ?? 0) - (method.handled ?? 0)), 0);
}

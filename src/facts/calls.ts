import type { CallLook, MethodCounters } from '../evidence/looks.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { chooseCallLooks } from './prometheus.ts';

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
  readonly podUid: string | undefined;
  /** Where the pod serves the port of the Service: what is counted at another one is no load of it. */
  readonly port: number | null;
  /** By its sockets no client holds, or held, a connection to it. */
  readonly unheld: boolean;
}

/**
 * Reads the calls of one pod by the family of its own page. A page without any family says nothing: a series begins with
 * the first call, but only where the server is instrumented. It means no call where no client is connected either. Null
 * when there is no page, or when no pod counts calls.
 */
export function readPodCalls(evidence: SkewEvidence, { podUid, port, unheld }: CallsOf): PodCalls | null {
  const { byPod, byFamily, all, source } = indexOf(evidence);
  const own = byPod.get(podUid ?? '') ?? [];
  const first = atPort(
    own.find((look) => look.sample === 1),
    port,
  );
  const second = atPort(
    own.find((look) => look.sample === 2),
    port,
  );
  const latest = second ?? first;
  const lookedAt = millisecondsOf(latest?.lookedAt);
  if (all === null || latest === undefined || lookedAt === null || (latest.family === null && !unheld)) return null;
  // Of a page without a family: what the others count.
  const counted = (latest.family === null ? undefined : byFamily.get(latest.family)) ?? all;
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

/** What the pages of one family count, as far as any shows it. */
interface Counted {
  readonly calls: boolean;
  readonly started: boolean;
  readonly messages: boolean;
  /** Beginnings and ends of the same methods. */
  readonly inFlight: boolean;
}

interface CallIndex {
  readonly source: PodCalls['source'];
  readonly byPod: ReadonlyMap<string, readonly CallLook[]>;
  readonly byFamily: ReadonlyMap<string, Counted>;
  /** Of all families; null where no page has one. */
  readonly all: Counted | null;
}

const indexes = new WeakMap<SkewEvidence, CallIndex>();

/** Looks by pod: with thousands of pods a search for each would take its time squared. */
function indexOf(evidence: SkewEvidence): CallIndex {
  const known = indexes.get(evidence);
  if (known !== undefined) return known;
  const { looks, source } = chooseCallLooks(evidence);
  const counting = looks.filter(({ family }) => family !== null);
  const byFamily = Map.groupBy(counting, ({ family }) => family ?? '');
  const index: CallIndex = {
    source,
    byPod: Map.groupBy(looks, ({ podUid }) => podUid),
    byFamily: new Map([...byFamily].map(([family, of]) => [family, countedBy(of)])),
    all: counting.length === 0 ? null : countedBy(counting),
  };
  indexes.set(evidence, index);
  return index;
}

/** Of a family without any method no call has come yet: that is counted, too. */
function countedBy(looks: readonly CallLook[]): Counted {
  const some = (fits: (method: MethodCounters) => boolean) => looks.some(({ methods }) => methods.some(fits));
  return {
    calls: some((method) => ended(method) !== null) || !some(() => true),
    started: some(({ started }) => started !== null),
    messages: some(({ messages }) => messages !== null),
    inFlight: some(({ started, handled }) => started !== null && handled !== null),
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
function inFlight(look: CallLook, counted: Counted): number | null {
  if (look.methods.length === 0) return counted.inFlight ? 0 : null;
  const known = look.methods.filter((method) => method.started !== null && method.handled !== null);
  return known.length === 0
    ? null
    : known.reduce((total, method) => total + Math.max(0, (method.started ?? 0) - (method.handled ?? 0)), 0);
}

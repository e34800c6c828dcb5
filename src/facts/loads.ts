import { chanceUnder } from '../figures/counts.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import type { Basis, FigureSource } from '../report/ids.ts';
import {
  decides,
  evenReadings,
  type LoadDistribution,
  type MeasuredValues,
  type Reading,
  readDistribution,
  tells,
} from './distribution.ts';
import { limits } from './limits.ts';
import { connectionsOf, isUnheld, lookedInto, type MeasuredPod } from './measured.ts';
import type { Connection } from './peers/connections.ts';
import { enoughSeconds } from './window.ts';

/** All spreads that could be measured, and the one that the verdict rests on. */
export interface Loads {
  readonly distributions: readonly LoadDistribution[];
  readonly basis: LoadDistribution | null;
  /** Another measure of the same window says otherwise: neither is certain. */
  readonly contradicted: boolean;
  /** Connections open and close all the time, for a call or so each: a snapshot of them says nothing about the load. */
  readonly churning: boolean;
  /**
   * How the CPU is spread, held against what each pod has of the load, where both are known. The CPU is the mean of a minute or so
   * that is over: where any measure of the load accounts for it, of the window or of the time before, a call costs the same
   * everywhere. null: no measure of the load tells.
   */
  readonly cpuForLoad: Reading | null;
  /** The window that would probably decide, in seconds, where none does yet; null: one does, or none would. */
  readonly enoughSeconds: number | null;
}

/**
 * Load is calls per second by the pods' own counters, or messages where calls are long; else bytes per second, else CPU;
 * connections stand in for it last, since they are the mechanism and not the load. The present comes first: the first
 * measure of the window whose events decide. Counters of a lifetime decide only where no window does, where they say the
 * same of totals and of rates (pods and clients of different ages may look alike by either), and where the window's own
 * counts do not refute them.
 * `expected`: the share that each pod should have; null: the same. Without `ownCpu` the CPU is that of several ports, or
 * of another time, and decides nothing. `now` in milliseconds since the epoch.
 */
export function measureLoads(
  pods: readonly MeasuredPod[],
  {
    expected,
    ownCpu,
    now,
  }: { readonly expected: readonly number[] | null; readonly ownCpu: boolean; readonly now: number },
): Loads {
  const looked = new Set(lookedInto(pods));
  const excluded = new Set(pods.flatMap((_, index) => (looked.has(index) ? [] : [index])));
  const churning = isChurning(pods);
  const nearLimit = ownCpu && isNearLimit(pods);
  const barred = churning ? new Set<number>() : withoutConnections(pods);
  const around = ({ source }: MeasuredValues) => ({
    // What the pods count themselves is known of all.
    excluded: source === 'sockets' ? excluded : new Set<number>(),
    nearLimit,
    expected,
  });
  const read = (spread: MeasuredValues) =>
    readDistribution({ ...spread, barred: stillOf(spread, barred) }, around(spread));
  const connections = read(spreadOf('connections', 'moment', pods, connectionsOf));
  const window = read(bytesSpread(pods, 'window'));
  const lifetime = read(bytesSpread(pods, 'lifetime'));
  const cpu = read(cpuSpread(pods));
  const inOrder = callsAreLong(pods) ? (['messages', 'calls'] as const) : (['calls', 'messages'] as const);
  const counted = inOrder.map((basis) => read(callsSpread(pods, basis)));
  const sinceStart = read(rateSinceStart(pods));
  const traffic = read(trafficSpread(pods));
  const distributions = [...counted, sinceStart, window, lifetime, traffic, connections, cpu].filter(
    (entry) => entry.seen > 0,
  );
  const cpuForLoad = readCpuForLoad(cpu, distributions)?.reading ?? null;
  // Of connections that come and go all the time only a part was seen, and so of what they carried.
  const present = churning ? counted : [...counted, window];
  const decided = present.filter(decides);
  const [first] = decided;
  if (first !== undefined) {
    const contradicted = decided.some((entry) => !isKin(entry, first) && isEven(entry) !== isEven(first));
    return { distributions, churning, cpuForLoad, contradicted, enoughSeconds: null, basis: first };
  }
  // What Prometheus has is of its own time: no longer look makes more of it.
  const longer = present.flatMap((entry) =>
    entry.source === 'prometheus' ? [] : (enoughSeconds(entry, around(entry)) ?? []),
  );
  const stands = {
    distributions,
    churning,
    cpuForLoad,
    contradicted: false,
    enoughSeconds: longer.length > 0 ? minOf(longer) : null,
  };
  // All pods by one measure, and all that was measured by any, stand still: nothing is going on, whatever was.
  const measured = present.filter(({ seen }) => seen > 0);
  const silent = measured.find(({ reading }) => reading === 'nothing');
  if (silent !== undefined && measured.every(({ values }) => values.every((value) => (value ?? 0) === 0)))
    return { ...stands, basis: silent };
  const holds = (entry: LoadDistribution, other: MeasuredValues) => {
    const same = read(other);
    const agree = decides(entry) && decides(same) && isEven(entry) === isEven(same);
    return agree && !present.some((window) => refutes(window, entry));
  };
  const past = [
    ...(holds(sinceStart, sinceOneStart(pods)) ? [sinceStart] : []),
    ...(!churning && holds(lifetime, lifetimeRate(pods, now)) ? [lifetime] : []),
  ];
  // All traffic of the pods is inferred, not measured at the port: it speaks where nothing else does.
  const counts = past[0] ?? present.find(tells) ?? (tells(traffic) ? traffic : undefined);
  // Nor does CPU stand for the load where what is known of the load surely is another.
  const perLoad = readCpuForLoad(cpu, present);
  const isContradicted = perLoad?.reading === 'uneven' && decides(perLoad);
  const cpuSays = ownCpu && tells(cpu) && !isContradicted ? cpu : undefined;
  if (counts !== undefined || churning) return { ...stands, basis: counts ?? cpuSays ?? null };
  // CPU is nearer to the load than connections are; uneven connections give way only to CPU that is really even.
  const cpuDecides = cpuSays !== undefined && (connections.reading !== 'uneven' || cpuSays.reading === 'even');
  const basis =
    (cpuDecides ? cpuSays : undefined) ??
    // A load that is known but too little leaves it open: connections stand in only where it is not known.
    present.find(({ reading }) => reading === 'open') ??
    (tells(connections) ? connections : undefined) ??
    cpuSays ??
    // What was seen of some pods only: an interval that spans two states.
    distributions.find((entry) => entry.reading === 'unknown' && (ownCpu || entry.basis !== 'cpu')) ??
    null;
  return { ...stands, basis };
}

const isEven = ({ reading }: LoadDistribution) => evenReadings.has(reading);

/** Calls and messages are two counts of one load: that they differ is no contradiction. */
function isKin(a: LoadDistribution, b: LoadDistribution): boolean {
  return a.basis !== 'bytes' && b.basis !== 'bytes';
}

function readCpuForLoad(cpu: LoadDistribution, distributions: readonly LoadDistribution[]): LoadDistribution | null {
  const read = distributions.flatMap((load) => {
    if (load.basis === 'cpu' || load.basis === 'connections') return [];
    const unknown = load.values.flatMap((value, index) => (value === null || cpu.values[index] == null ? [index] : []));
    const around = { excluded: new Set(unknown), nearLimit: false };
    const known = readDistribution(load, around);
    if (!decides(known)) return [];
    return [readDistribution(cpu, { ...around, expected: known.shares.map((share) => share ?? 0) })];
  });
  return read.find(({ reading }) => evenReadings.has(reading)) ?? read[0] ?? null;
}

/** Would the counts of the window be absurd if the load were still spread as it was? */
function refutes(window: LoadDistribution, past: LoadDistribution): boolean {
  if (window.events === null || window.events < 5) return false;
  const pairs = window.shares.flatMap((share, index) => {
    const before = past.shares[index];
    return share === null || before == null ? [] : [{ count: share * (window.events ?? 0), before }];
  });
  return (
    chanceUnder(
      pairs.map(({ count }) => count),
      pairs.map(({ before }) => before),
    ) < limits.refutedLevel
  );
}

/** Replicas of which every socket was seen, and that no client held one to. */
function withoutConnections(pods: readonly MeasuredPod[]): ReadonlySet<number> {
  return new Set(pods.flatMap(({ sockets }, index) => (isUnheld(sockets) ? [index] : [])));
}

/** Of these the ones that this measure has nothing of either. Nothing is barred where all are: then the sockets tell nothing. */
function stillOf(spread: MeasuredValues, barred: ReadonlySet<number>): ReadonlySet<number> {
  if (barred.size === spread.values.length || spread.basis === 'cpu' || spread.source === 'interface') return new Set();
  return new Set([...barred].filter((index) => spread.values[index] === 0));
}

/** A pod at 80 % of its CPU limit or more, while the mean is below 50 %. */
function isNearLimit(pods: readonly MeasuredPod[]): boolean {
  const parts = pods.flatMap((pod) => (pod.cpu?.limitMillicores ? [pod.cpu.millicores / pod.cpu.limitMillicores] : []));
  const mean = parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  return mean < limits.lowCpuPart && parts.some((part) => part >= limits.hotCpuPart);
}

/** More calls are in flight than ended in the window: streams, whose messages are the load. */
function callsAreLong(pods: readonly MeasuredPod[]): boolean {
  const under = sumOf(pods.map((pod) => pod.calls?.inFlight ?? null));
  const ended = sumOf(pods.map((pod) => pod.calls?.calls ?? null));
  return under !== null && ended !== null && under > ended;
}

function callsSpread(pods: readonly MeasuredPod[], basis: 'calls' | 'messages'): MeasuredValues {
  const count = (pod: MeasuredPod) => pod.calls?.[basis] ?? null;
  const spread = spreadOf(basis, 'window', pods, (pod) => {
    const seconds = pod.calls?.seconds ?? null;
    const found = count(pod);
    return seconds === null || found === null ? null : found / seconds;
  });
  const events = sumOf(pods.map(count));
  return {
    ...spread,
    seconds: meanOf(pods.flatMap((pod) => pod.calls?.seconds ?? [])),
    events: events === null ? null : Math.round(events),
    source: callsSource(pods),
  };
}

function cpuSpread(pods: readonly MeasuredPod[]): MeasuredValues {
  const source = pods.find((pod) => pod.cpu !== null)?.cpu?.source ?? 'metrics-api';
  return { ...spreadOf('cpu', 'moment', pods, (pod) => pod.cpu?.millicores ?? null), source };
}

/** All that the pods receive, as Prometheus counts it: a stand-in for the bytes of the port, where those are not known. */
function trafficSpread(pods: readonly MeasuredPod[]): MeasuredValues {
  const spread = spreadOf('bytes', 'window', pods, ({ traffic }) =>
    traffic === null ? null : traffic.bytes / traffic.seconds,
  );
  const seconds = meanOf(pods.flatMap((pod) => pod.traffic?.seconds ?? []));
  const packets = sumOf(pods.map((pod) => pod.traffic?.packets ?? null));
  return { ...spread, seconds, events: packets === null ? null : Math.round(packets), source: 'interface' };
}

/** Where the calls come from: one source for all pods. */
function callsSource(pods: readonly MeasuredPod[]): FigureSource {
  return pods.find((pod) => pod.calls !== null)?.calls?.source ?? 'pod-metrics';
}

/** Calls per second since each pod's process began. */
function rateSinceStart(pods: readonly MeasuredPod[]): MeasuredValues {
  const spread = spreadOf('calls', 'lifetime', pods, (pod) => {
    const seconds = countingSeconds(pod);
    const total = pod.calls?.total ?? null;
    return seconds === null || total === null ? null : total / seconds;
  });
  const events = sumOf(pods.map((pod) => pod.calls?.total ?? null));
  return { ...spread, events: events === null ? null : Math.round(events), source: callsSource(pods) };
}

/** Pods are of one age when the youngest has counted for so much of the time of the oldest. */
const sameAge = 0.8;

/** The same as far as pods of different ages can be compared: older ones had the time before, so only no calls at all tells. */
function sinceOneStart(pods: readonly MeasuredPod[]): MeasuredValues {
  const ages = pods.flatMap((pod) => countingSeconds(pod) ?? []);
  const rates = rateSinceStart(pods);
  const youngest = minOf(ages);
  if (ages.every((age) => youngest >= sameAge * age)) return rates;
  return { ...rates, values: rates.values.map((rate) => (rate === null ? null : Number(rate > 0))) };
}

/** How long its process has counted calls. */
function countingSeconds({ calls, startedAt }: MeasuredPod): number | null {
  return calls === null || startedAt === null || calls.lookedAt <= startedAt
    ? null
    : (calls.lookedAt - startedAt) / 1000;
}

/** Bytes per second of each connection since it can have begun: since its server and its client both run. */
function lifetimeRate(pods: readonly MeasuredPod[], now: number): MeasuredValues {
  const spread = spreadOf('bytes', 'lifetime', pods, (pod) =>
    total(pod, (connection) => {
      const seconds = oldestPossible(pod, connection, now);
      return seconds === null || connection.bytes === null ? null : connection.bytes / seconds;
    }),
  );
  return { ...spread, events: bytesSpread(pods, 'lifetime').events };
}

/** Seconds since both ends run; null where the start of neither is known. */
function oldestPossible(pod: MeasuredPod, { peer }: Connection, now: number): number | null {
  const starts = [pod.startedAt, peer.startedAt].filter((start) => start !== null);
  return starts.length === 0 ? null : Math.max(1, (now - maxOf(starts)) / 1000);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function bytesSpread(pods: readonly MeasuredPod[], span: 'window' | 'lifetime'): MeasuredValues {
  if (span === 'lifetime') {
    const spread = spreadOf('bytes', span, pods, (pod) => total(pod, (connection) => connection.bytes));
    return { ...spread, events: sumOf(pods.map((pod) => total(pod, (connection) => connection.calls))) };
  }
  const spread = spreadOf('bytes', span, pods, (pod) => {
    const seconds = pod.sockets?.seconds ?? null;
    const bytes = pod.sockets?.windowBytes ?? null;
    // A pod that was looked at once and holds no connection carries nothing now: one that has just come, for instance.
    if (seconds === null && pod.sockets?.knowsBytes === true && connectionsOf(pod) === 0) return 0;
    return seconds === null || bytes === null ? null : bytes / seconds;
  });
  const mean = meanOf(pods.flatMap((pod) => pod.sockets?.seconds ?? []));
  return { ...spread, seconds: mean, events: sumOf(pods.map((pod) => pod.sockets?.windowCalls ?? null)) };
}

function spreadOf(
  basis: Basis,
  span: MeasuredValues['span'],
  pods: readonly MeasuredPod[],
  value: (pod: MeasuredPod) => number | null,
): MeasuredValues {
  return { basis, span, seconds: null, values: pods.map(value), events: null, source: 'sockets' };
}

function total(
  pod: MeasuredPod,
  value: (connection: NonNullable<MeasuredPod['sockets']>['connections'][number]) => number | null,
): number | null {
  if (pod.sockets === null || !pod.sockets.knowsBytes) return null;
  let sum = 0;
  for (const connection of [...pod.sockets.connections, ...pod.sockets.inside]) {
    const found = value(connection);
    if (found === null) return null;
    sum += found;
  }
  return sum;
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/**
 * More connections came or went between the samples than stayed, or many more wait out their TIME-WAIT than live; and those
 * that ended had carried a few calls at most. What ends after many calls was broken off or is dealt anew: the present ones carry the load.
 */
export function isChurning(pods: readonly MeasuredPod[]): boolean {
  let kept = 0;
  let moved = 0;
  let waiting = 0;
  for (const pod of pods) {
    kept += pod.sockets?.connections.filter((connection) => connection.kept).length ?? 0;
    moved += (pod.sockets?.opened ?? 0) + (pod.sockets?.closed ?? 0);
    waiting += pod.sockets?.timeWait ?? 0;
  }
  return ((moved > 0 && moved > kept) || (kept === 0 && waiting > 2 * pods.length)) && carriesFew(pods);
}

/** What ends after more segments than this was no connection for one call: a handshake of TLS and HTTP/2, and one call. */
const fewSegments = 8;

/** Had the connections that ended carried a few calls at most? Where it is not known, they may have. */
function carriesFew(replicas: readonly MeasuredPod[]): boolean {
  const carried = replicas.flatMap(({ sockets }) => sockets?.closedSegments ?? []).sort((a, b) => a - b);
  return (carried[Math.floor(carried.length / 2)] ?? 0) <= fewSegments;
}

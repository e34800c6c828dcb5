import { enoughEvents } from '../figures/noise.ts';
import type { Basis, FigureSource } from '../report/ids.ts';
import { type Distribution, readSpread, type Spread } from './distribution.ts';
import { limits } from './limits.ts';
import type { MeasuredPod } from './measured.ts';

/** All spreads that could be measured, and the one that the verdict rests on. */
export interface Loads {
  readonly distributions: readonly Distribution[];
  readonly basis: Distribution | null;
  /** Connections open and close all the time: a snapshot of them says nothing about the load. */
  readonly churning: boolean;
}

/**
 * Load is calls per second by the pods' own counters, or messages where calls are long; else bytes per second, else CPU;
 * connections stand in for it last, since they are the mechanism and not the load. The present comes first: a window
 * with too few events for its pods gives way to another measure of the same window; the lifetime counters decide only
 * where no window shows a difference far beyond its noise. Pods and clients of different ages may look alike by them.
 * `expected`: the share that each pod should have; null: the same. Without `ownCpu` the CPU is that of several ports, and
 * decides nothing.
 */
export function measureLoads(
  pods: readonly MeasuredPod[],
  { expected, ownCpu }: { readonly expected: readonly number[] | null; readonly ownCpu: boolean },
): Loads {
  const excluded = new Set(pods.flatMap((pod, index) => (pod.notSeen?.reason === 'not-sampled' ? [index] : [])));
  const churning = isChurning(pods);
  const nearLimit = ownCpu && isNearLimit(pods);
  const read = (spread: Spread) =>
    readSpread(spread, { excluded: spread.basis === 'cpu' ? new Set() : excluded, nearLimit, expected });
  const connections = read(spreadOf('connections', 'moment', pods, (pod) => pod.sockets?.connections.length ?? null));
  const window = read(bytesSpread(pods, 'window'));
  const lifetime = read(bytesSpread(pods, 'lifetime'));
  const cpu = read(cpuSpread(pods));
  const ownCounters = (spread: Spread) => readSpread(spread, { excluded: new Set(), nearLimit, expected });
  const inOrder = callsAreLong(pods) ? (['messages', 'calls'] as const) : (['calls', 'messages'] as const);
  const counted = inOrder.map((basis) => ownCounters(callsSpread(pods, basis)));
  const sinceStart = ownCounters(rateSinceStart(pods));
  const traffic = ownCounters(trafficSpread(pods));
  const distributions = [...counted, sinceStart, window, lifetime, traffic, connections, cpu].filter(
    (entry) => entry.seen > 0,
  );
  const usable = (entry: Distribution) => entry.seen > 0 && entry.reading !== 'unknown' && entry.reading !== 'nothing';
  const isCpuUsable = ownCpu && usable(cpu);
  const enough = (entry: Distribution) => entry.events === null || enoughEvents(entry.events, entry.seen);
  // Of connections that come and go all the time only a part was seen, and so of what they carried.
  const present = churning ? counted : [...counted, window];
  const past = churning ? [sinceStart] : [sinceStart, lifetime];
  const known = (entry: Distribution) => entry.seen > 0 && entry.reading !== 'nothing';
  const decisive = (entries: readonly Distribution[]) =>
    entries.filter(known).find((entry) => usable(entry) && enough(entry)) ??
    // Too few events to call it even or uneven by chance alone, but a difference far beyond the noise still counts.
    entries.find((entry) => entry.reading === 'uneven');
  // All traffic of the pods is inferred, not measured at the port: it speaks where nothing else does.
  const counts = decisive(present) ?? decisive(past) ?? decisive([traffic]);
  if (counts !== undefined || churning) return { distributions, churning, basis: counts ?? (isCpuUsable ? cpu : null) };
  // CPU is nearer to the load than connections are; uneven connections give way only to CPU that is really even.
  const cpuDecides = isCpuUsable && (connections.reading === 'uneven' ? cpu.reading === 'even' : !isNoise(cpu));
  const basis =
    (cpuDecides ? cpu : undefined) ??
    // A load that is known but too little leaves it open: connections stand in only where it is not known.
    [...present, ...past, traffic].filter(known).find(usable) ??
    (usable(connections) ? connections : undefined) ??
    (isCpuUsable ? cpu : undefined) ??
    // What was seen of some pods only: an interval that spans two states.
    distributions.find((entry) => entry.reading === 'unknown' && (ownCpu || entry.basis !== 'cpu')) ??
    null;
  return { distributions, churning, basis };
}

const isNoise = (entry: Distribution) => entry.reading === 'within-noise';

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

function callsSpread(pods: readonly MeasuredPod[], basis: 'calls' | 'messages'): Spread {
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

function cpuSpread(pods: readonly MeasuredPod[]): Spread {
  const source = pods.find((pod) => pod.cpu !== null)?.cpu?.source ?? 'metrics-api';
  return { ...spreadOf('cpu', 'moment', pods, (pod) => pod.cpu?.millicores ?? null), source };
}

/** All that the pods receive, as Prometheus counts it: a stand-in for the bytes of the port, where those are not known. */
function trafficSpread(pods: readonly MeasuredPod[]): Spread {
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

/** Calls per second since each pod's process began: pods of different ages can be compared by their rates only. */
function rateSinceStart(pods: readonly MeasuredPod[]): Spread {
  const spread = spreadOf('calls', 'lifetime', pods, (pod) => {
    if (pod.calls === null || pod.startedAt === null || pod.calls.lookedAt <= pod.startedAt) return null;
    return pod.calls.total / ((pod.calls.lookedAt - pod.startedAt) / 1000);
  });
  const events = sumOf(pods.map((pod) => pod.calls?.total ?? null));
  return { ...spread, events: events === null ? null : Math.round(events), source: callsSource(pods) };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function bytesSpread(pods: readonly MeasuredPod[], span: 'window' | 'lifetime'): Spread {
  if (span === 'lifetime') {
    const spread = spreadOf('bytes', span, pods, (pod) => total(pod, (connection) => connection.bytes));
    return { ...spread, events: sumOf(pods.map((pod) => total(pod, (connection) => connection.segments))) };
  }
  const spread = spreadOf('bytes', span, pods, (pod) => {
    const seconds = pod.sockets?.seconds ?? null;
    const bytes = pod.sockets?.windowBytes ?? null;
    // A pod that was looked at once and holds no connection carries nothing now: one that has just come, for instance.
    if (seconds === null && pod.sockets?.knowsBytes === true && pod.sockets.connections.length === 0) return 0;
    return seconds === null || bytes === null ? null : bytes / seconds;
  });
  const mean = meanOf(pods.flatMap((pod) => pod.sockets?.seconds ?? []));
  return { ...spread, seconds: mean, events: sumOf(pods.map((pod) => pod.sockets?.windowSegments ?? null)) };
}

function spreadOf(
  basis: Basis,
  span: Spread['span'],
  pods: readonly MeasuredPod[],
  value: (pod: MeasuredPod) => number | null,
): Spread {
  return { basis, span, seconds: null, values: pods.map(value), events: null, source: 'sockets' };
}

function total(
  pod: MeasuredPod,
  value: (connection: NonNullable<MeasuredPod['sockets']>['connections'][number]) => number | null,
): number | null {
  if (pod.sockets === null || !pod.sockets.knowsBytes) return null;
  let sum = 0;
  for (const connection of pod.sockets.connections) {
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

/** More connections came or went between the samples than stayed, or many more wait out their TIME-WAIT than live. */
function isChurning(pods: readonly MeasuredPod[]): boolean {
  let kept = 0;
  let moved = 0;
  let waiting = 0;
  for (const pod of pods) {
    kept += pod.sockets?.connections.filter((connection) => connection.kept).length ?? 0;
    moved += (pod.sockets?.opened ?? 0) + (pod.sockets?.closed ?? 0);
    waiting += pod.sockets?.timeWait ?? 0;
  }
  return (moved > 0 && moved > kept) || (kept === 0 && waiting > 2 * pods.length);
}

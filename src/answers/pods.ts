import type { LoadDistribution } from '../facts/distribution.ts';
import type { Facts } from '../facts/facts.ts';
import { limits, newSeconds } from '../facts/limits.ts';
import { connectionsOf, type MeasuredPod } from '../facts/measured.ts';
import type { PodMark } from '../report/ids.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';

/** The pods of the report: the replicas, hottest first, then those that should not get traffic now. */
export function answerPods(facts: Facts): ReportPod[] {
  const hot = hotReplicas(facts);
  const idle = new Set(facts.loads.basis?.reading === 'nothing' ? [] : (facts.loads.basis?.idle ?? []));
  const window = facts.loads.distributions.find(
    (entry) => entry.source === 'sockets' && entry.basis === 'bytes' && entry.span === 'window',
  );
  const oldest = oldestAge(facts);
  const replicas = facts.replicas.map((pod, index) => ({
    ...base(pod, facts),
    endpoint: true,
    load: rounded(facts.load[index] ?? null),
    expectedShare: rounded(facts.expectedShares?.[index] ?? fairShare(facts)),
    shares: {
      connections: rounded(facts.connections?.shares[index] ?? null),
      bytes: rounded(facts.bytes?.shares[index] ?? null),
      calls: rounded(facts.calls?.shares[index] ?? null),
      cpu: rounded(facts.cpu?.shares[index] ?? null),
    },
    bytesPerSecond: roundedTo(window?.values[index] ?? null, 1),
    marks: marksOf(pod, facts, { oldest, hot: hot.has(index), idle: idle.has(index), former: false }),
  }));
  const outside = [...facts.unreadyPods, ...facts.formerPods].map((pod, index) => ({
    ...base(pod, facts),
    endpoint: false,
    load: null,
    expectedShare: null,
    shares: { connections: null, bytes: null, calls: null, cpu: null },
    bytesPerSecond: null,
    marks: marksOf(pod, facts, { oldest, hot: false, idle: false, former: index >= facts.unreadyPods.length }),
  }));
  return [...replicas.sort(byLoad), ...outside.sort(byName)];
}

function base(
  pod: MeasuredPod,
  facts: Facts,
): Omit<ReportPod, 'endpoint' | 'load' | 'expectedShare' | 'shares' | 'bytesPerSecond' | 'marks'> {
  const seconds = (time: number | null) => (time === null ? null : Math.max(0, Math.round((facts.now - time) / 1000)));
  return {
    name: pod.name,
    node: pod.backend.nodeName ?? pod.pod?.nodeName ?? null,
    zone: pod.backend.zone,
    ready: pod.pod?.ready ?? null,
    ageSeconds: seconds(pod.createdAt),
    readySeconds: pod.pod?.ready === true ? seconds(pod.readySince) : null,
    restarts: pod.restarts,
    connections: connectionsOf(pod),
    callsPerSecond: callRate(pod),
    bytesTotal: bytesTotal(pod),
    cpuMillicores: roundedTo(pod.cpu?.millicores ?? null, 1),
    cpuLimitMillicores: pod.cpu?.limitMillicores ?? null,
    throttledShare: rounded(pod.throttledShare),
    receivedPerSecond: roundedTo(pod.traffic === null ? null : pod.traffic.bytes / pod.traffic.seconds, 1),
    memoryBytes: pod.memory?.bytes ?? null,
    memoryLimitBytes: pod.memory?.limitBytes ?? null,
    ...pastOf(pod, facts),
    notSeen: pod.sockets === null ? (pod.notSeen?.message ?? null) : null,
  };
}

/** Nothing where no Prometheus told of it. */
function pastOf({ pod }: MeasuredPod, { past }: Facts): Pick<ReportPod, 'past'> {
  const course = past[0]?.courses.get(pod?.uid ?? '');
  return course === undefined ? {} : { past: course.map((value) => roundedTo(value, 2)) };
}

/** Pods that are alike but for the noise of the measurement are marked alike. */
const nearlyHot = 0.95;

/** Replicas whose share makes them stand out, while the whole is uneven. */
function hotReplicas(facts: Facts): ReadonlySet<number> {
  if (facts.loads.basis?.reading !== 'uneven') return new Set();
  const hot = nearlyHot * limits.skewedPeakToMean * fairShare(facts);
  return new Set(facts.load.flatMap((share, index) => (share !== null && share >= hot ? [index] : [])));
}

/** Shares are parts of what was seen, so the fair one is, too. */
function fairShare(facts: Facts): number {
  return 1 / (facts.loads.basis?.seen || facts.replicas.length);
}

/** Of the replicas, in milliseconds. */
function oldestAge({ replicas, now }: Facts): number {
  return replicas.reduce((oldest, { createdAt }) => Math.max(oldest, createdAt === null ? 0 : now - createdAt), 0);
}

function marksOf(
  pod: MeasuredPod,
  facts: Facts,
  mark: { readonly oldest: number; readonly hot: boolean; readonly idle: boolean; readonly former: boolean },
): PodMark[] {
  const { oldest, hot, idle, former } = mark;
  const age = pod.createdAt === null ? null : facts.now - pod.createdAt;
  const ended = pod.pod?.containers.map((container) => container.lastTermination?.reason) ?? [];
  const marks: (readonly [PodMark, boolean])[] = [
    ['hot', hot],
    ['idle', idle],
    ['new', age !== null && age < newSeconds * 1000 && age < oldest - 10_000],
    ['not-ready', !pod.backend.ready && pod.pod?.deletedAt == null && !(former && pod.pod?.ready === true)],
    ['terminating', pod.pod?.deletedAt != null || pod.backend.terminating],
    ['restarted', pod.restarts > 0],
    ['oom-killed', ended.includes('OOMKilled')],
    ['not-seen', pod.sockets === null && facts.evidence.connections !== null],
    ['no-metrics', pod.cpu === null && facts.evidence.usage !== null],
  ];
  return marks.flatMap(([mark, applies]) => (applies ? [mark] : []));
}

function callRate(pod: MeasuredPod): number | null {
  const { calls = null, seconds = null } = pod.calls ?? {};
  return calls === null || seconds === null ? null : roundedTo(calls / seconds, 2);
}

function bytesTotal(pod: MeasuredPod): number | null {
  const bytes = pod.sockets?.connections.map((connection) => connection.bytes) ?? [null];
  return bytes.some((value) => value === null) ? null : bytes.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

type Sortable = Pick<ReportPod, 'name' | 'load' | 'connections' | 'cpuMillicores' | 'ageSeconds'>;

function byLoad(a: Sortable, b: Sortable): number {
  return (
    (b.load ?? -1) - (a.load ?? -1) ||
    (b.connections ?? -1) - (a.connections ?? -1) ||
    (b.ageSeconds ?? 0) - (a.ageSeconds ?? 0) ||
    byName(a, b)
  );
}

function byName(a: Pick<ReportPod, 'name'>, b: Pick<ReportPod, 'name'>): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

export function rounded(value: number | null): number | null {
  return roundedTo(value, 4);
}

export function roundedTo(value: number | null, digits: number): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toFixed(digits));
}

/** The published form of a distribution. */
export function answerDistribution(distribution: LoadDistribution): SkewReport['status']['distributions'][number] {
  const { reading } = distribution;
  return {
    basis: distribution.basis,
    span: distribution.span,
    seconds: roundedTo(distribution.seconds, 1),
    pods: distribution.seen,
    effectivePods: roundedTo(distribution.effectivePods, 2),
    peakToMean: roundedTo(distribution.peakToMean, 2),
    idlePods: distribution.effectivePods === null ? null : distribution.idle.length,
    events: distribution.events,
    reading: reading === 'between' ? 'even' : reading === 'nothing' || reading === 'open' ? 'unknown' : reading,
    source: distribution.source,
  };
}

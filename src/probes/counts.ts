import type { ProbeCount } from '../evidence/looks.ts';

/** What kubelet has counted of one probe: in all, and between two looks. */
export interface ProbeTally {
  readonly successful: number;
  readonly failed: number;
  readonly unknown: number;
  /** Null with one look. */
  readonly window: { readonly probes: number; readonly failed: number } | null;
  /** How long probes that succeeded took: the mean, and the bound of the 95th percentile. */
  readonly meanSeconds: number | null;
  readonly p95Seconds: number | null;
}

/** The counts of one pod's probe from the looks at its kubelet. Null when no look has it. */
export function countProbe(counts: readonly (readonly [sample: 1 | 2, count: ProbeCount])[]): ProbeTally | null {
  const [first, second] = ([1, 2] as const).map((wanted) => {
    const found = counts.find(([sample]) => sample === wanted)?.[1];
    return found === undefined ? undefined : inWholes(found);
  });
  const latest = second ?? first;
  if (latest === undefined) return null;
  const { durations, lastResult } = latest;
  const window =
    first === undefined || second === undefined || lastResult !== undefined
      ? null
      : { probes: grown(first, second, all), failed: grown(first, second, ({ failed }) => failed) };
  return {
    successful: latest.successful + (lastResult === 'successful' ? 1 : 0),
    failed: latest.failed + (lastResult === 'failed' ? 1 : 0),
    unknown: latest.unknown + (lastResult === 'unknown' ? 1 : 0),
    window,
    meanSeconds: durations === null || durations.count === 0 ? null : durations.sumSeconds / durations.count,
    p95Seconds: durations?.p95Seconds ?? null,
  };
}

/** Prometheus, and a page of metrics, may say anything of a counter: half a probe, or less than none. */
function inWholes(count: ProbeCount): ProbeCount {
  const whole = (value: number) => Math.max(0, Math.round(value));
  return { ...count, successful: whole(count.successful), failed: whole(count.failed), unknown: whole(count.unknown) };
}

const all = ({ successful, failed, unknown }: ProbeCount) => successful + failed + unknown;

/** A counter that went backwards began anew with its container or kubelet: all of it is new. */
function grown(first: ProbeCount, second: ProbeCount, value: (count: ProbeCount) => number): number {
  const reset = all(second) < all(first) || value(second) < value(first);
  return reset ? value(second) : value(second) - value(first);
}

/** The counts of several pods as one: sums, and the slowest of them. */
export function joinTallies(a: ProbeTally | null, b: ProbeTally | null): ProbeTally | null {
  if (a === null || b === null) return a ?? b;
  return {
    successful: a.successful + b.successful,
    failed: a.failed + b.failed,
    unknown: a.unknown + b.unknown,
    window:
      a.window === null || b.window === null
        ? (a.window ?? b.window)
        : { probes: a.window.probes + b.window.probes, failed: a.window.failed + b.window.failed },
    meanSeconds: largest(a.meanSeconds, b.meanSeconds),
    p95Seconds: largest(a.p95Seconds, b.p95Seconds),
  };
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Answers the counts of one probe of a pod: by its uid, or by its name where kubelet tells no uid. */
export type CountBook = (pod: {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}) => (container: string, type: ProbeCount['type']) => ProbeTally | null;

/** A look at one kubelet; counts of several namespaces name theirs. */
export interface CountLook {
  readonly sample: 1 | 2;
  readonly counts: readonly (ProbeCount & { readonly namespace?: string })[];
}

/** Looks at several kubelets as a book. */
export function openCountBook(looks: readonly CountLook[]): CountBook {
  const byPod = new Map<string, (readonly [1 | 2, ProbeCount])[]>();
  for (const look of looks) {
    for (const count of look.counts) {
      const key = count.podUid ?? `${count.namespace ?? ''}/${count.pod}`;
      const entries = byPod.get(key) ?? [];
      entries.push([look.sample, count]);
      byPod.set(key, entries);
    }
  }
  return (pod) => {
    const own = byPod.get(pod.uid) ?? byPod.get(`${pod.namespace}/${pod.name}`) ?? byPod.get(`/${pod.name}`) ?? [];
    return (container, type) =>
      countProbe(own.filter(([, count]) => count.container === container && count.type === type));
  };
}

import { clampedToBounds } from '../../evidence/bounds.ts';
import type { ProbeCount } from '../../evidence/looks.ts';
import { readExposition, type Sample } from '../read/exposition.ts';

/** A count with the namespace of its pod, which the page names. */
export interface NamespacedCount extends ProbeCount {
  readonly namespace: string;
}

const total = 'prober_probe_total';
const duration = 'prober_probe_duration_seconds';
/** Before Kubernetes 1.18: a gauge of the last result (kubelet's results.Result: 0 success, 1 failure, -1 unknown). */
const gauge = 'prober_probe_result';
const names: ReadonlySet<string> = new Set([
  total,
  gauge,
  `${duration}_bucket`,
  `${duration}_sum`,
  `${duration}_count`,
]);

/** Reads kubelet's page /metrics/probes. */
export function readProbeMetrics(text: string): NamespacedCount[] {
  const groups = new Map<string, { readonly key: Key; readonly samples: Sample[] }>();
  for (const sample of readExposition(text, (name) => names.has(name))) {
    const key = keyOf(sample);
    if (key === null) continue;
    const id = JSON.stringify([key.namespace, key.pod, key.container, key.type]);
    const group = groups.get(id) ?? { key, samples: [] };
    group.samples.push(sample);
    groups.set(id, group);
  }
  return [...groups.values()].flatMap(({ key, samples }) => countsOf(key, samples));
}

type Key = Pick<NamespacedCount, 'namespace' | 'pod' | 'container' | 'type'>;

/** The label `probe_type`, as kubelet writes it. */
export const probeTypes: ReadonlyMap<string, ProbeCount['type']> = new Map([
  ['Liveness', 'liveness'],
  ['Readiness', 'readiness'],
  ['Startup', 'startup'],
]);

function keyOf({ labels }: Sample): Key | null {
  const type = probeTypes.get(labels.get('probe_type') ?? '');
  const pod = labels.get('pod') ?? labels.get('pod_name') ?? '';
  const container = labels.get('container') ?? labels.get('container_name') ?? '';
  return type === undefined || pod === '' ? null : { namespace: labels.get('namespace') ?? '', pod, container, type };
}

/**
 * One count for each uid that the totals name: a StatefulSet's new pod has the name of the old one. Durations name no uid;
 * they belong to one pod only where there is just one.
 */
function countsOf(key: Key, samples: readonly Sample[]): NamespacedCount[] {
  const uids = [...new Set(samples.filter(isResult).map((sample) => sample.labels.get('pod_uid') ?? ''))];
  const durations = readDurations(samples);
  return (uids.length === 0 ? [''] : uids).flatMap((uid) => {
    const own = samples.filter((sample) => isResult(sample) && (sample.labels.get('pod_uid') ?? '') === uid);
    const sum = (result: string) =>
      own.reduce(
        (all, { name, labels, value }) =>
          name === total && labels.get('result') === result ? clampedToBounds(all + value) : all,
        0,
      );
    const last = own.find((sample) => sample.name === gauge)?.value;
    return [
      {
        ...key,
        podUid: uid === '' ? null : uid,
        successful: sum('successful'),
        failed: sum('failed'),
        unknown: sum('unknown'),
        ...(last !== undefined && {
          lastResult: last === 0 ? ('successful' as const) : last === 1 ? ('failed' as const) : ('unknown' as const),
        }),
        durations: uids.length > 1 ? null : durations,
      },
    ];
  });
}

function isResult({ name }: Sample): boolean {
  return name === total || name === gauge;
}

function readDurations(samples: readonly Sample[]): ProbeCount['durations'] {
  const find = (part: string) => samples.find((sample) => sample.name === `${duration}_${part}`)?.value;
  const count = find('count');
  const sumSeconds = find('sum');
  if (count === undefined || sumSeconds === undefined || count <= 0) return null;
  const bounds = samples
    .filter((sample) => sample.name === `${duration}_bucket`)
    .map(({ labels, value }) => ({ bound: Number(labels.get('le') ?? Number.NaN), below: value }))
    .filter(({ bound }) => Number.isFinite(bound))
    .sort((a, b) => a.bound - b.bound);
  return { count, sumSeconds, p95Seconds: bounds.find(({ below }) => below >= 0.95 * count)?.bound ?? null };
}

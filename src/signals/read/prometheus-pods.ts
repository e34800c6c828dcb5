import type { Pod } from '../../evidence/objects.ts';
import { millisecondsOf } from '../../evidence/times.ts';
import { newestOf, type Series } from './prometheus-answer.ts';

/** Series of the pods of a Service, by uid. */
export interface PodSeries {
  readonly byPod: ReadonlyMap<string, readonly Series[]>;
  /** Why nothing could be taken, where series were there. */
  readonly problem: string | null;
}

/** A series whose last sample is older than the newest of all by so many seconds has ended. */
const endedSeconds = 120;

/**
 * Which series are of which pod: by the labels `namespace` and `pod`. The name alone does not make it: a pod of a
 * StatefulSet has the name of the one before, and a Prometheus for several clusters knows pods of that name in others.
 * So samples from before the pod was created do not count, and where series name a uid it must be the pod's.
 */
export function matchPods(series: readonly Series[], pods: readonly Pod[]): ReadonlyMap<string, readonly Series[]> {
  const byName = new Map(pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
  const newest = newestOf(series) ?? 0;
  const byPod = new Map<string, Series[]>();
  for (const one of series) {
    const pod = byName.get(`${one.labels.get('namespace') ?? ''}/${one.labels.get('pod') ?? ''}`);
    if (pod === undefined || isOfAnother(one, pod)) continue;
    const born = (millisecondsOf(pod.createdAt) ?? 0) / 1000;
    const samples = one.samples.filter(([seconds]) => seconds >= born);
    const last = samples.at(-1)?.[0];
    if (last === undefined || last < newest - endedSeconds) continue;
    const own = byPod.get(pod.uid) ?? [];
    own.push(samples.length === one.samples.length ? one : { ...one, samples });
    byPod.set(pod.uid, own);
  }
  return byPod;
}

/** A uid in its own label, or in cAdvisor's path of the control group: `…/kubepods-burstable-pod1a24_….slice/…`. */
function isOfAnother({ labels }: Series, pod: Pod): boolean {
  const named = labels.get('pod_uid') ?? labels.get('uid');
  if (named !== undefined && named !== '' && named !== pod.uid) return true;
  const inPath = /pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12})/.exec(labels.get('id') ?? '')?.[1];
  return inPath !== undefined && inPath.replaceAll('_', '-') !== pod.uid;
}

/** Labels that tell how a series came into Prometheus: the same counter may be there by several ways. */
const wayLabels = [
  'cluster',
  'job',
  'service',
  'endpoint',
  'metrics_path',
  'prometheus',
  'prometheus_replica',
  'replica',
];

/** Through which scrape a series came. */
export function wayOf(series: Series): string {
  return JSON.stringify(wayLabels.map((label) => series.labels.get(label) ?? ''));
}

/**
 * Leaves each pod the series of one way: a pod that is scraped twice, as behind two Services or by two replicas of
 * Prometheus, must not count double. The way that knows most of the pods comes first. Where pods of the same names are
 * in several clusters and all fit equally, nothing tells which is this one: then none is taken.
 */
export function chooseWays(byPod: ReadonlyMap<string, readonly Series[]>): PodSeries {
  const clusters = countPods(byPod, (one) => one.labels.get('cluster') ?? '');
  const [best, next] = ranked(clusters);
  if (best !== undefined && next !== undefined && best[1] === next[1])
    return { byPod: new Map(), problem: 'it knows pods of these names in several clusters' };
  const ranks = new Map(ranked(countPods(byPod, wayOf)).map(([way], rank) => [way, rank]));
  const rankOf = (way: string) => ranks.get(way) ?? ranks.size;
  const chosen = new Map<string, readonly Series[]>();
  for (const [uid, series] of byPod) {
    const here = series.filter((one) => (one.labels.get('cluster') ?? '') === best?.[0]);
    const [own] = [...Map.groupBy(here, wayOf)].sort(([a], [b]) => rankOf(a) - rankOf(b));
    if (own !== undefined) chosen.set(uid, own[1]);
  }
  return { byPod: chosen, problem: null };
}

function countPods(
  byPod: ReadonlyMap<string, readonly Series[]>,
  key: (series: Series) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const series of byPod.values())
    for (const name of new Set(series.map(key))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function ranked(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

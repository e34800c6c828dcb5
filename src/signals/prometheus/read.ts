import { clampedToBounds } from '../../evidence/bounds.ts';
import type { CallLook, ProbeCount, ProbeLook } from '../../evidence/looks.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { PodTraffic, PrometheusHistory, PrometheusUsage } from '../../evidence/prometheus.ts';
import { millisecondsOf } from '../../evidence/times.ts';
import { probeTypes } from '../probe-metrics/read.ts';
import { countFamily, familiesOf, isOf } from '../read/call-counters.ts';
import type { Family } from '../read/call-family.ts';
import { type Growth, growthOf, type Series, timeOf } from '../read/prometheus-answer.ts';
import { chooseWays, matchPods, type PodSeries, wayOf } from '../read/prometheus-pods.ts';
import { podMetricNames } from './ask.ts';

/** Cores, as thousandths. */
const millicores = 1000;

/** What cAdvisor's series say of the pods. */
export interface ReadPods {
  readonly traffic: PodTraffic[];
  readonly usage: PrometheusUsage[];
  readonly problem: string | null;
  /** Of the chosen series; empty where the label is not used. */
  readonly cluster: string;
}

/** Reads traffic, CPU, memory and throttling. A pod on the network of its node shows all that the node receives. */
export function readPodMetrics(series: readonly Series[], pods: readonly Pod[]): ReadPods {
  const { byPod, problem } = chooseWays(matchPods(series, pods));
  const own = pods.map((pod) => ({ pod, series: byPod.get(pod.uid) ?? [] }));
  return {
    traffic: own.flatMap(({ pod, series: of }) => (pod.hostNetwork ? [] : trafficOf(pod, of))),
    usage: own.flatMap(({ pod, series: of }) => usageOf(pod, of)),
    problem,
    cluster: clusterOf(byPod),
  };
}

function clusterOf(byPod: PodSeries['byPod']): string {
  return [...byPod.values()][0]?.[0]?.labels.get('cluster') ?? '';
}

/** Over all interfaces but loopback: a pod has one, or one for each network. */
function trafficOf(pod: Pod, series: readonly Series[]): PodTraffic[] {
  const grown = (name: string) =>
    series
      .filter((one) => one.name === name && one.labels.get('interface') !== 'lo')
      .flatMap(({ samples }) => growthOf(samples) ?? []);
  const bytes = grown(podMetricNames.bytes);
  if (bytes.length === 0) return [];
  const packets = grown(podMetricNames.packets);
  return [
    {
      pod: pod.name,
      podUid: pod.uid,
      from: timeOf(bytes.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY)),
      to: timeOf(bytes.reduce((last, { to }) => Math.max(last, to), 0)),
      bytes: sumOf(bytes),
      packets: packets.length === 0 ? null : sumOf(packets),
    },
  ];
}

function sumOf(growths: readonly Growth[]): number {
  return growths.reduce((sum, { by }) => clampedToBounds(sum + by), 0);
}

/** A container that started anew within the window is measured from there. */
function usageOf(pod: Pod, series: readonly Series[]): PrometheusUsage[] {
  const times: Growth[] = [];
  const containers = pod.containers.flatMap((container) => {
    const born = (millisecondsOf(container.startedAt) ?? 0) / 1000;
    const find = (name: string) =>
      series
        .find((one) => one.name === name && one.labels.get('container') === container.name)
        ?.samples.filter(([seconds]) => seconds >= born) ?? [];
    const cpu = growthOf(find(podMetricNames.cpu));
    const periods = growthOf(find(podMetricNames.periods));
    const throttled = growthOf(find(podMetricNames.throttled));
    const memory = find(podMetricNames.memory).at(-1)?.[1] ?? null;
    if (cpu === null && periods === null && memory === null) return [];
    if (cpu !== null) times.push(cpu);
    return [
      {
        name: container.name,
        cpuMillicores: cpu === null ? null : clampedToBounds((cpu.by / (cpu.to - cpu.from)) * millicores),
        memoryBytes: memory,
        throttledShare:
          periods === null || throttled === null || periods.by <= 0 ? null : Math.min(1, throttled.by / periods.by),
      },
    ];
  });
  const last = times.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY);
  if (containers.length === 0 || times.length === 0) return [];
  const windowSeconds = last - times.reduce((least, { from }) => Math.min(least, from), last);
  return [{ pod: pod.name, podUid: pod.uid, measuredAt: timeOf(last), windowSeconds, containers }];
}

export interface ReadPodCalls {
  readonly looks: CallLook[];
  readonly family: Family | null;
  readonly problem: string | null;
  readonly cluster: string;
}

/**
 * Reads the counters of calls as two looks at each pod's page, so that they are judged by the same rules: each pod's by
 * the family that it has. Of a pod that is scraped in the same way as the others (`up` is 1) and has no counter the page
 * has none.
 */
export function readPromCalls(series: readonly Series[], pods: readonly Pod[]): ReadPodCalls {
  const matched = matchPods(series, pods);
  const families = new Map(
    [...matched].flatMap(([uid, of]) => {
      const [family] = familiesOf(of);
      return family === undefined ? [] : [[uid, family] as const];
    }),
  );
  const counting = new Map(
    [...families].map(([uid, family]) => [uid, (matched.get(uid) ?? []).filter((one) => isOf(family, one))] as const),
  );
  const { byPod, problem } = chooseWays(counting);
  const ways = new Set([...byPod.values()].flatMap((of) => of.map(wayOf)));
  const looks = pods.flatMap((pod) => {
    const own = byPod.get(pod.uid) ?? [];
    const way = own[0] === undefined ? null : wayOf(own[0]);
    const scrapes = (matched.get(pod.uid) ?? []).filter(
      (one) => one.name === 'up' && (way === null ? ways.has(wayOf(one)) : wayOf(one) === way),
    );
    return looksAt(pod, families.get(pod.uid) ?? null, own, scrapes[0] ?? null);
  });
  // Of a history in one metric: the one that most pods have.
  const [most] = [...Map.groupBy(families.values(), ({ id }) => id).values()].sort((a, b) => b.length - a.length);
  return { looks, family: most?.[0] ?? null, problem, cluster: clusterOf(byPod) };
}

/** Samples of one scrape have one time; a sample within a second of it is of that scrape. */
const sameScrapeSeconds = 1;

function looksAt(pod: Pod, family: Family | null, own: readonly Series[], up: Series | null): CallLook[] {
  const scraped = up === null ? null : up.samples.filter(([, value]) => value === 1);
  // Without `up`, as where counters are pushed, only times that all series have can be compared.
  const samples = scraped ?? common(own);
  const window = growthOf(samples.map(([seconds]) => [seconds, 0]));
  if (window === null) return [];
  const look = (sample: 1 | 2, seconds: number): CallLook => {
    const values = own.flatMap(({ name, labels, samples: of }) => {
      const found = of.find(([time]) => Math.abs(time - seconds) <= sameScrapeSeconds);
      return found === undefined ? [] : [{ name, labels, value: found[1] }];
    });
    const counted = family === null || values.length === 0 ? null : countFamily(family, values);
    return {
      pod: pod.name,
      podUid: pod.uid,
      sample,
      lookedAt: timeOf(seconds),
      family: counted?.family ?? null,
      methods: [...(counted?.methods ?? [])],
    };
  };
  return [look(1, window.from), look(2, window.to)];
}

function common(series: readonly Series[]): Series['samples'] {
  const [first, ...others] = series;
  return (first?.samples ?? []).filter(([seconds]) =>
    others.every(({ samples }) => samples.some(([time]) => Math.abs(time - seconds) <= sameScrapeSeconds)),
  );
}

/** Reads what kubelets have counted of the probes, as two looks at the kubelet of each node. */
export function readPromProbes(series: readonly Series[], pods: readonly Pod[]): ProbeLook[] {
  const { byPod } = chooseWays(matchPods(series, pods));
  const byNode = Map.groupBy(
    pods.filter((pod) => byPod.has(pod.uid)),
    (pod) => pod.nodeName ?? '',
  );
  return [...byNode].flatMap(([node, members]) => {
    const of = members.flatMap((pod) => (byPod.get(pod.uid) ?? []).map((one) => ({ pod, one })));
    const window = growthOf(of.flatMap(({ one }) => one.samples).sort(([a], [b]) => a - b));
    if (window === null) return [];
    const look = (sample: 1 | 2, at: 'from' | 'to'): ProbeLook => ({
      node,
      sample,
      lookedAt: timeOf(window[at]),
      counts: countsAt(of, at),
    });
    return [look(1, 'from'), look(2, 'to')];
  });
}

function countsAt(
  series: readonly { readonly pod: Pod; readonly one: Series }[],
  at: 'from' | 'to',
): ProbeLook['counts'] {
  const counts = new Map<string, ProbeCount>();
  for (const { pod, one } of series) {
    const type = probeTypes.get(one.labels.get('probe_type') ?? '');
    const container = one.labels.get('container') ?? '';
    const result = one.labels.get('result') ?? '';
    if (type === undefined || (result !== 'successful' && result !== 'failed' && result !== 'unknown')) continue;
    const window = growthOf(one.samples);
    const last = one.samples.at(-1)?.[1] ?? 0;
    const value = at === 'to' ? last : Math.max(0, last - (window?.by ?? 0));
    const key = `${pod.name} ${container} ${type}`;
    const before = counts.get(key) ?? {
      pod: pod.name,
      podUid: pod.uid,
      container,
      type,
      successful: 0,
      failed: 0,
      unknown: 0,
      durations: null,
    };
    counts.set(key, { ...before, [result]: clampedToBounds(before[result] + value) });
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/** Where a history begins, and how it was asked for. */
export interface HistoryFrame {
  readonly basis: PrometheusHistory['basis'];
  readonly start: number;
  readonly end: number;
  readonly stepSeconds: number;
  readonly rateSeconds: number;
  /** Of the series that the present was read from. */
  readonly cluster: string;
}

/**
 * Reads rates over time, pod by pod. Pods of the workload that are gone are kept, too: without them the past of a Service
 * after a rollout would look as if only its new pods had been there.
 */
export function readHistory(
  series: readonly Series[],
  pods: readonly Pod[],
  frame: HistoryFrame,
): PrometheusHistory | null {
  const { basis, start, end, stepSeconds, rateSeconds, cluster } = frame;
  const byName = new Map(pods.map((pod) => [pod.name, pod]));
  const namespace = pods[0]?.namespace;
  const steps = Math.floor((end - start) / stepSeconds) + 1;
  const read = series.flatMap((one) => {
    const name = one.labels.get('pod') ?? '';
    if (one.labels.get('namespace') !== namespace || name === '') return [];
    if ((one.labels.get('cluster') ?? '') !== cluster) return [];
    const pod = byName.get(name) ?? null;
    if (pod?.hostNetwork === true && basis === 'bytes') return [];
    // A rate over the time before the pod was there would be that of one with its name.
    const born = pod === null ? 0 : (millisecondsOf(pod.createdAt) ?? 0) / 1000;
    const values = Array.from({ length: steps }, (): number | null => null);
    for (const [seconds, value] of one.samples) {
      const step = Math.round((seconds - start) / stepSeconds);
      if (step >= 0 && step < steps && seconds >= born) values[step] = Number(value.toPrecision(6));
    }
    return values.every((value) => value === null) ? [] : [{ pod: name, podUid: pod?.uid ?? null, values }];
  });
  if (read.length === 0) return null;
  const sorted = read.sort((a, b) => (a.pod < b.pod ? -1 : 1)).slice(0, mostHistoryPods);
  return { basis, from: timeOf(start), stepSeconds, rateSeconds, pods: sorted };
}

/** A record stays small: with more pods than this, those that come first by name. */
const mostHistoryPods = 1000;

/** How far apart the scrapes are, in seconds; null where no series has two samples. */
export function scrapeSeconds(series: readonly Series[]): number | null {
  const gaps = series.flatMap(({ samples }) => {
    const [first, last] = [samples[0]?.[0], samples.at(-1)?.[0]];
    return first === undefined || last === undefined || samples.length < 2
      ? []
      : [(last - first) / (samples.length - 1)];
  });
  return gaps.length === 0 ? null : (gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? null);
}

import type { ScanOrder } from '../report/ids.ts';
import type { ScanItem } from '../report/scan.ts';
import type { SkewReport } from '../report/schema.ts';

const harm: Readonly<Record<SkewReport['status']['impact']['level'], number>> = {
  none: 1,
  unknown: 1,
  risk: 2,
  harm: 3,
};

/** Where harm and skew are alike: what is worth a look before what is well. */
const order: readonly ScanItem['state'][] = ['skewed', 'not-load-balancing', 'unknown', 'no-traffic', 'balanced'];

/** What a scan says of one port of a Service, from its report. */
export function scanItem({ sign, port }: Pick<ScanItem, 'sign' | 'port'>, { metadata, status }: SkewReport): ScanItem {
  const { verdict, skew, impact, pods, causes, execs } = status;
  const effectivePods = skew?.effectivePods ?? null;
  // Of no use is what the seen pods do not do; of the others nothing is known.
  const useless =
    skew === null || effectivePods === null || skew.seenPods === 0 ? 0 : 1 - effectivePods / skew.seenPods;
  const judged = verdict.state === 'skewed' || verdict.state === 'balanced' || verdict.state === 'unknown';
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    port: { name: port.name, port: port.port },
    sign,
    state: verdict.state,
    kind: verdict.kind ?? null,
    basis: verdict.basis,
    confidence: verdict.confidence,
    summary: verdict.summary,
    cause: causes[0]?.id ?? null,
    impact,
    pods: skew?.pods ?? 0,
    seenPods: skew?.seenPods ?? 0,
    idlePods: skew?.idlePods ?? 0,
    effectivePods,
    peakToMean: skew?.peakToMean ?? null,
    hottest: hottestOf(pods),
    restarts: pods.reduce((sum, pod) => sum + pod.restarts, 0),
    score: judged ? Number((harm[impact.level] * Math.max(0, useless)).toFixed(3)) : 0,
    execs,
  };
}

/** By the part of its own limit, where limits are set; else by CPU. */
function hottestOf(pods: SkewReport['status']['pods']): ScanItem['hottest'] {
  const used = pods.flatMap(({ name, cpuMillicores, cpuLimitMillicores }) =>
    cpuMillicores === null
      ? []
      : [
          {
            pod: name,
            cpuMillicores,
            cpuPart: cpuLimitMillicores ? Number((cpuMillicores / cpuLimitMillicores).toFixed(6)) : null,
          },
        ],
  );
  const [first] = used.sort((a, b) => (b.cpuPart ?? 0) - (a.cpuPart ?? 0) || b.cpuMillicores - a.cpuMillicores);
  return first ?? null;
}

/** Worst first: by harm × skew, then by harm, by state, by name. */
export function ranked(items: readonly ScanItem[]): ScanItem[] {
  return items.toSorted(
    (a, b) =>
      b.score - a.score ||
      harm[b.impact.level] - harm[a.impact.level] ||
      order.indexOf(a.state) - order.indexOf(b.state) ||
      compare(a.namespace, b.namespace) ||
      compare(a.name, b.name) ||
      a.port.port - b.port.port,
  );
}

const orders: Readonly<Record<Exclude<ScanOrder, 'harm'>, (a: ScanItem, b: ScanItem) => number>> = {
  'pods-used': (a, b) => usedPart(a) - usedPart(b),
  hottest: (a, b) => partOf(b) - partOf(a) || millicoresOf(b) - millicoresOf(a),
  restarts: (a, b) => b.restarts - a.restarts,
  state: (a, b) => compare(a.kind ?? a.state, b.kind ?? b.state),
  name: (a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name) || a.port.port - b.port.port,
};

/** In another order; what is alike, or not known, as `ranked` has it, and what is not known last. */
export function sortedBy(items: readonly ScanItem[], order: ScanOrder): ScanItem[] {
  return order === 'harm' ? ranked(items) : ranked(items).toSorted(orders[order]);
}

function usedPart({ effectivePods, seenPods }: ScanItem): number {
  return effectivePods === null || seenPods === 0 ? 2 : effectivePods / seenPods;
}

const partOf = ({ hottest }: ScanItem) => hottest?.cpuPart ?? -1;
const millicoresOf = ({ hottest }: ScanItem) => hottest?.cpuMillicores ?? -1;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

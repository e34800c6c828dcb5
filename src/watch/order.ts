import type { ReportPod } from '../report/schema.ts';
import type { PodOrder } from './state.ts';

/**
 * The pods in the chosen order. The report's own is by load, in which pods outside the endpoints have no share: those that
 * carry some all the same come first, since nobody expects them to.
 */
export function orderPods(pods: readonly ReportPod[], order: PodOrder): readonly ReportPod[] {
  const by = (value: (pod: ReportPod) => number) =>
    [...pods].sort((a, b) => value(b) - value(a) || (a.name < b.name ? -1 : 1));
  switch (order) {
    case 'load': {
      const outside = outsideShares(pods);
      const carries = (pod: ReportPod) => (outside.get(pod) ?? 0) > 0;
      return outside.size === 0 ? pods : [...pods.filter(carries), ...pods.filter((pod) => !carries(pod))];
    }
    case 'connections':
      return by((pod) => pod.connections ?? -1);
    case 'cpu':
      return by((pod) => pod.cpuMillicores ?? -1);
    case 'age':
      return by((pod) => -(pod.ageSeconds ?? 0));
    case 'name':
      return [...pods].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/**
 * What pods outside the endpoints carry, as a share 0..1 of what all pods carry, theirs included: by the first quantity
 * that is known of each of them and of some pod within, if there is one. Without those of which nothing is known.
 */
export function outsideShares(pods: readonly ReportPod[]): ReadonlyMap<ReportPod, number> {
  const outside = pods.filter((pod) => !pod.endpoint && pod.load === null);
  const shares = new Map<ReportPod, number>();
  if (outside.length === 0) return shares;
  for (const of of quantities) {
    const total = pods.reduce((sum, pod) => sum + (of(pod) ?? 0), 0);
    const isShared = outside.length === pods.length || pods.some((pod) => pod.endpoint && of(pod) !== null);
    if (!isShared) continue;
    for (const pod of outside) {
      const value = of(pod);
      if (value !== null && !shares.has(pod)) shares.set(pod, total === 0 ? 0 : value / total);
    }
  }
  return shares;
}

const quantities: readonly ((pod: ReportPod) => number | null)[] = [
  (pod) => pod.callsPerSecond,
  (pod) => pod.bytesPerSecond,
  (pod) => pod.bytesTotal,
  (pod) => pod.connections,
];

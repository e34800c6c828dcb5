/** What each pod carries: pods outside the endpoints have no share of the load in a Report, and may carry some all the same. */
import type { ReportPod } from './schema.ts';

/**
 * Shares 0..1 of what all pods carry, those outside the endpoints too, so that together they are 1; without the pods of
 * which nothing is known. (The shares of a Report are those of the endpoints among themselves.)
 */
export function loadsOf(pods: readonly ReportPod[]): ReadonlyMap<ReportPod, number> {
  const outside = outsideShares(pods);
  const within = partWithin(outside);
  const known = pods.flatMap((pod): [ReportPod, number][] => (pod.load === null ? [] : [[pod, pod.load * within]]));
  return new Map([...known, ...outside]);
}

/** What each pod should carry of the same: its fair share of what the endpoints carry; without the pods that have none. */
export function fairSharesOf(pods: readonly ReportPod[]): ReadonlyMap<ReportPod, number> {
  const within = partWithin(outsideShares(pods));
  return new Map(
    pods.flatMap((pod): [ReportPod, number][] =>
      pod.expectedShare === null ? [] : [[pod, pod.expectedShare * within]],
    ),
  );
}

const partWithin = (outside: ReadonlyMap<ReportPod, number>): number =>
  1 - [...outside.values()].reduce((sum, share) => sum + share, 0);

/** In the order of the Report; but pods outside the endpoints that carry some come first, since nobody expects them to. */
export function byLoad(pods: readonly ReportPod[]): readonly ReportPod[] {
  const outside = outsideShares(pods);
  const carries = (pod: ReportPod) => (outside.get(pod) ?? 0) > 0;
  return outside.size === 0 ? pods : [...pods.filter(carries), ...pods.filter((pod) => !carries(pod))];
}

/** The pods in that order, with these shares in the place of those of the endpoints among themselves. */
export function carrying(pods: readonly ReportPod[]): readonly ReportPod[] {
  const [loads, fair] = [loadsOf(pods), fairSharesOf(pods)];
  return byLoad(pods).map((pod) => ({
    ...pod,
    load: loads.get(pod) ?? null,
    expectedShare: fair.get(pod) ?? null,
  }));
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

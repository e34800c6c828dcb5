import type { Reach } from '../figures/deal.ts';
import { effectiveConnections } from '../figures/placement.ts';
import { lookedInto, type MeasuredPod } from './measured.ts';

/**
 * The connections of all pods, with what each carries. Of many pods some are looked into: the others are taken to hold as many,
 * as heavy ones.
 */
export interface OnAllPods {
  readonly weights: readonly number[];
  readonly reach: Reach | null;
  /** (Σw)² ÷ Σw² of these; null without any. */
  readonly effective: number | null;
  /** Pods whose connections were seen, where those of the others are inferred; null where none are. */
  readonly inferredFrom: number | null;
}

export function readOnAllPods(seen: {
  readonly replicas: readonly MeasuredPod[];
  readonly weights: readonly number[];
  readonly reach: Reach | null;
}): OnAllPods {
  const { replicas, weights, reach } = seen;
  const looked = lookedInto(replicas).length;
  if (weights.length === 0) return { weights, reach, effective: null, inferredFrom: null };
  if (looked === replicas.length)
    return { weights, reach, effective: effectiveConnections(weights), inferredFrom: null };
  const count = Math.round((weights.length * replicas.length) / looked);
  // Each stands for as many as the next one.
  const places = Array.from({ length: count }, (_, index) => Math.floor((index * weights.length) / count));
  const all = places.map((place) => weights[place] ?? 0);
  return {
    weights: all,
    reach: reach === null ? null : places.map((place) => reach[place] ?? []),
    effective: effectiveConnections(all),
    inferredFrom: looked,
  };
}

/** ` (seen on 50 of 64 pods, and as many a pod on the others)`; empty where all were seen. */
export function inferredWords({ inferredFrom }: OnAllPods, pods: number): string {
  return inferredFrom === null ? '' : ` (seen on ${inferredFrom} of ${pods} pods, and taken for as many on the others)`;
}

import { seededIndexes } from './random.ts';

export interface Deal {
  /** Load of each connection, in any unit. */
  readonly weights: readonly number[];
  readonly pods: number;
  readonly draws: number;
  readonly seed: number;
}

/**
 * Deals every connection to a pod at random, as kube-proxy does, `draws` times over. `visit` sees the loads of the pods,
 * in an array that the next draw writes over.
 */
export function dealAtRandom({ weights, pods, draws, seed }: Deal, visit: (loads: Float64Array) => void): void {
  const index = seededIndexes(seed);
  const loads = new Float64Array(pods);
  for (let draw = 0; draw < draws; draw++) {
    loads.fill(0);
    for (const weight of weights) {
      const pod = index(pods);
      loads[pod] = (loads[pod] ?? 0) + weight;
    }
    visit(loads);
  }
}

/** Σ s² of the shares s: 1/P (even) to 1 (one pod has all). Its inverse is the number of effective pods. */
export function concentration(loads: ArrayLike<number>): number {
  let sum = 0;
  let squares = 0;
  for (let pod = 0; pod < loads.length; pod++) {
    const load = loads[pod] ?? 0;
    sum += load;
    squares += load * load;
  }
  return squares / (sum * sum);
}

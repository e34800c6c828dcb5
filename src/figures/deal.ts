import { seededIndexes } from './random.ts';

/**
 * For each connection the pods that it may land on, each as probable as it is often named; one object for all connections
 * that may reach the same.
 */
export type Reach = readonly (readonly number[])[];

export interface Deal {
  /** Load of each connection, in any unit. */
  readonly weights: readonly number[];
  /** Null, or left out: any pod, with the same probability. */
  readonly reach?: Reach | null;
  readonly pods: number;
  readonly draws: number;
  readonly seed: number;
}

/** More connections than this are told apart into those that matter and the rest. */
const manyConnections = 4000;
/** The rest makes at most this part of Σ w², which is what decides how far random placement strays from even. */
const restOfSquares = 0.001;

/**
 * Deals every connection to a pod at random, as kube-proxy does, `draws` times over. `visit` sees the loads of the pods,
 * in an array that the next draw writes over. Of very many connections that may reach all pods the
 * lightest ones lie even.
 */
export function dealAtRandom(
  { weights, reach = null, pods, draws, seed }: Deal,
  visit: (loads: Float64Array) => void,
): void {
  const index = seededIndexes(seed);
  const loads = new Float64Array(pods);
  if (reach !== null) {
    for (let draw = 0; draw < draws; draw++) {
      loads.fill(0);
      for (const [connection, weight] of weights.entries()) {
        const slots = reach[connection] ?? [];
        const pod = slots[index(slots.length)] ?? 0;
        loads[pod] = (loads[pod] ?? 0) + weight;
      }
      visit(loads);
    }
    return;
  }
  const { dealt, even } = weights.length > manyConnections ? withoutLightest(weights) : { dealt: weights, even: 0 };
  for (let draw = 0; draw < draws; draw++) {
    loads.fill(even / pods);
    for (const weight of dealt) {
      const pod = index(pods);
      loads[pod] = (loads[pod] ?? 0) + weight;
    }
    visit(loads);
  }
}

function withoutLightest(weights: readonly number[]): { readonly dealt: readonly number[]; readonly even: number } {
  const lightestFirst = weights.toSorted((a, b) => a - b);
  const most = restOfSquares * lightestFirst.reduce((sum, weight) => sum + weight ** 2, 0);
  let squares = 0;
  let even = 0;
  let count = 0;
  for (const weight of lightestFirst) {
    squares += weight ** 2;
    if (squares > most) break;
    even += weight;
    count++;
  }
  return { dealt: lightestFirst.slice(count), even };
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

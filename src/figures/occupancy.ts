import { logGamma } from './gamma.ts';
import type { Outcome } from './outcomes.ts';

/** About 10 ms of work. */
const mostPartitions = 100_000;
const mostUnequal = 8;

/**
 * How concentrated (Σ s²) C equal connections on P pods can fall, exactly: one outcome a value. It goes through the ways
 * to write C as a sum of at most P parts, each with the number of placements that give it. Null where those are too many.
 */
export function equalOccupancy(connections: number, pods: number): Outcome[] | null {
  if (partitions(connections, pods) > mostPartitions) return null;
  const logFactorial = Array.from({ length: Math.max(connections, pods) + 1 }, (_, n) => logGamma(n + 1));
  const factorial = (n: number) => logFactorial[n] ?? 0;
  const bySquares = new Map<number, number>();

  /** Decides how many of the pods that are left get `size` connections each, then goes on with the smaller sizes. */
  const place = (size: number, left: number, free: number, squares: number, logWays: number): void => {
    if (left > size * free) return;
    if (left === 0 || size === 0) {
      const probability = Math.exp(logWays - factorial(free));
      bySquares.set(squares, (bySquares.get(squares) ?? 0) + probability);
      return;
    }
    for (let times = 0; times <= free && times * size <= left; times++) {
      const rest = left - times * size;
      const ways = logWays - times * factorial(size) - factorial(times);
      place(Math.min(size - 1, rest), rest, free - times, squares + times * size * size, ways);
    }
  };
  place(connections, connections, pods, 0, factorial(connections) + factorial(pods) - connections * Math.log(pods));

  const scale = connections * connections;
  return [...bySquares].map(([squares, probability]) => ({ value: squares / scale, probability }));
}

/**
 * The same for connections of unequal weight: one outcome for each way to divide them into groups that share a pod. Null
 * for more than eight (4,140 ways).
 */
export function unequalOccupancy(weights: readonly number[], pods: number): Outcome[] | null {
  if (weights.length > mostUnequal) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const groups: number[] = [];
  const outcomes: Outcome[] = [];

  const place = (index: number, probability: number): void => {
    const weight = weights[index];
    if (weight === undefined) {
      outcomes.push({ value: groups.reduce((sum, load) => sum + (load / total) ** 2, 0), probability });
      return;
    }
    for (const [group, load] of groups.entries()) {
      groups[group] = load + weight;
      place(index + 1, probability / pods);
      groups[group] = load;
    }
    if (groups.length === pods) return;
    const newPod = (pods - groups.length) / pods;
    groups.push(weight);
    place(index + 1, probability * newPod);
    groups.pop();
  };
  place(0, 1);
  return outcomes;
}

/** In how many ways `total` is a sum of at most `parts` numbers; counted no further than needed. */
function partitions(total: number, parts: number): number {
  // p(100) is 190,569,292 in any number of parts; from three parts on, 2,000 is beyond the limit.
  if (total > 2000) return Number.POSITIVE_INFINITY;
  const ways = new Float64Array(total + 1);
  ways[0] = 1;
  for (let part = 1; part <= Math.min(parts, total); part++) {
    for (let sum = part; sum <= total; sum++) ways[sum] = (ways[sum] ?? 0) + (ways[sum - part] ?? 0);
    if ((ways[total] ?? 0) > mostPartitions) break;
  }
  return ways[total] ?? 0;
}

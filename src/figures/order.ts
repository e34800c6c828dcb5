import { maxOf } from './extremes.ts';
import { chiSquareTail } from './gamma.ts';

/**
 * (1 − k/P)^C: the probability that C connections, each placed at random on P pods, all miss the k youngest. Small: it is
 * no chance that the young pods are the empty ones.
 */
export function emptyYoungest(connections: number, pods: number, youngest: number): number {
  if (pods <= 0 || connections <= 0) return 1;
  const missed = Math.max(0, 1 - youngest / pods);
  return missed ** connections;
}

/** Above so many steps of the exact sum the normal curve is as good: a sum of dozens of equal draws. */
const mostExactSteps = 5_000_000;

/**
 * P(R ≤ r): the probability that C connections, each placed at random on P pods, lie as much on the first ones as they do.
 * R is the sum of the ranks of the pods over all connections; small ranks come first, equal ones share their mean. Small: it
 * is no chance that the first pods hold most. `ranks[i]` belongs to pod i, counted in halves so that means are whole;
 * `counts[i]` is its number of connections. 1 where there is nothing to order.
 */
export function orderedPlacement(ranks: readonly number[], counts: readonly number[]): number {
  const connections = counts.reduce((sum, count) => sum + count, 0);
  const pods = ranks.length;
  if (pods < 2 || connections < 1) return 1;
  const seen = counts.reduce((sum, count, index) => sum + count * (ranks[index] ?? 0), 0);
  const most = maxOf(ranks);
  return connections * connections * most * pods <= mostExactSteps
    ? exactlyUpTo(seen, ranks, connections)
    : normallyUpTo(seen, ranks, connections);
}

/** The sum of draws, one draw after another: the probability of each value of the sum. */
function exactlyUpTo(seen: number, ranks: readonly number[], connections: number): number {
  let chances = [1];
  for (let draw = 0; draw < connections; draw++) {
    const next = Array.from({ length: chances.length + maxOf(ranks) }, () => 0);
    for (const [sum, chance] of chances.entries())
      for (const rank of ranks) next[sum + rank] = (next[sum + rank] ?? 0) + chance / ranks.length;
    chances = next;
  }
  return Math.min(
    1,
    chances.reduce((total, chance, sum) => (sum <= seen ? total + chance : total), 0),
  );
}

/** The same by the normal curve, half a step beyond. */
function normallyUpTo(seen: number, ranks: readonly number[], connections: number): number {
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  const variance = ranks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0) / ranks.length;
  if (variance === 0) return 1;
  return normalBelow((seen + 0.5 - connections * mean) / Math.sqrt(connections * variance));
}

/** Φ(z): below 0 it is half of what z² exceeds in both directions. */
function normalBelow(z: number): number {
  const beyond = chiSquareTail(z * z, 1) / 2;
  return z < 0 ? beyond : 1 - beyond;
}

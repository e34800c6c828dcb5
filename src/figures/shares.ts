import { maxOf } from './extremes.ts';

/** An idle pod has less than this part of the share that it should have. */
export const idlePart = 0.05;

/** Each value as a part of the sum, 0 to 1; null where there is nothing to share. Values must not be negative. */
export function toShares(values: readonly number[]): number[] | null {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum > 0 ? values.map((value) => value / sum) : null;
}

/**
 * P / Σ(s²/e): "10 pods do the work of 2.7". For equal expected shares 1 (one pod does all) to P (even): then it is the
 * inverse Simpson index. Expected shares are 1/P each unless given; they are above 0 and sum to 1: a pod that should get
 * nothing is none of the P.
 */
export function effectivePods(shares: readonly number[], expected?: readonly number[]): number {
  const sum = shares.reduce((total, share, index) => total + share ** 2 / expectedAt(shares, expected, index), 0);
  return shares.length / sum;
}

/** max(s/e): how many times its expected share the busiest pod has; 1 (even) to P (one pod does all, equal shares). */
export function peakToMean(shares: readonly number[], expected?: readonly number[]): number {
  return maxOf(ratios(shares, expected));
}

/** Gini coefficient: 0 (even) to 1 − 1/P (one has all). 0 where there is nothing to share. Scale does not matter. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  const sum = sorted.reduce((total, value) => total + value, 0);
  if (sum <= 0) return 0;
  const ranked = sorted.reduce((total, value, index) => total + (index + 1) * value, 0);
  return Math.max(0, (2 * ranked) / (count * sum) - (count + 1) / count);
}

/** Which pods have less than 5 % of their expected share. */
export function idleIndexes(shares: readonly number[], expected?: readonly number[]): number[] {
  return shares.flatMap((share, index) => (share < idlePart * expectedAt(shares, expected, index) ? [index] : []));
}

function ratios(shares: readonly number[], expected?: readonly number[]): number[] {
  return shares.map((share, index) => share / expectedAt(shares, expected, index));
}

function expectedAt(shares: readonly number[], expected: readonly number[] | undefined, index: number): number {
  return expected === undefined ? 1 / shares.length : (expected[index] ?? 0);
}

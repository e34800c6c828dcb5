/**
 * The largest of any number of values; `floor` where all are below it or there is none. Math.max takes each value as an
 * argument, and cannot take some ten thousand of them.
 */
export function maxOf(values: Iterable<number>, floor = Number.NEGATIVE_INFINITY): number {
  let most = floor;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The smallest of any number of values; Infinity where there is none. */
export function minOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** How many entries from the first one on `hold`, of entries in an order in which those that hold come first. */
export function countWhile<T>(ordered: readonly T[], hold: (entry: T) => boolean): number {
  let low = 0;
  for (let high = ordered.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (hold(ordered[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

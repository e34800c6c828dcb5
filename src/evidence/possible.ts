/** No quantity of a cluster comes near it, not even in nanoseconds; beyond it sums and products are no numbers any more. */
const mostOfAnything = 1e20;

export function isPossible(value: number): boolean {
  return Math.abs(value) <= mostOfAnything;
}

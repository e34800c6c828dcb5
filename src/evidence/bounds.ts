/** No quantity of a cluster comes near it, not even in nanoseconds; beyond it sums and products are no numbers any more. */
const mostOfAnything = 1e20;

export function isWithinBounds(value: number): boolean {
  return Math.abs(value) <= mostOfAnything;
}

/** A sum or product of possible figures, kept possible: else the record would hold a number that it cannot be read with. */
export function clampedToBounds(value: number): number {
  return Math.min(Math.max(value, -mostOfAnything), mostOfAnything);
}

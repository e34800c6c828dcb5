/** One possible value of a figure, and how probable it is. */
export interface Outcome {
  readonly value: number;
  readonly probability: number;
}

/** Mean, and the values that one in ten is below (p10) or above (p90). */
export interface Spread {
  readonly mean: number;
  readonly p10: number;
  readonly p90: number;
}

/** Values within this relative distance are one and the same, summed in another order. */
const tie = 1e-9;

/** P(value ≥ observed), ties included. */
export function tailProbability(outcomes: readonly Outcome[], observed: number): number {
  const least = observed * (1 - tie);
  const sum = outcomes.reduce((total, { value, probability }) => total + (value >= least ? probability : 0), 0);
  return Math.min(1, sum);
}

export function spreadOf(outcomes: readonly Outcome[]): Spread {
  const sorted = outcomes.toSorted((a, b) => a.value - b.value);
  const mean = sorted.reduce((total, { value, probability }) => total + value * probability, 0);
  return { mean, p10: quantile(sorted, 0.1), p90: quantile(sorted, 0.9) };
}

/** The smallest value that at least `level` of the probability lies at or below. */
function quantile(sorted: readonly Outcome[], level: number): number {
  let sum = 0;
  for (const { value, probability } of sorted) {
    sum += probability;
    if (sum >= level - tie) return value;
  }
  return sorted.at(-1)?.value ?? 0;
}

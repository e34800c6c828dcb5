import { maxOf } from './extremes.ts';
/** From the least to the most that a figure can be. */
export type Interval = readonly [least: number, most: number];

export interface FigureInterval {
  readonly effectivePods: Interval;
  readonly peakToMean: Interval;
}

interface Pods {
  readonly pods: number;
  readonly known: readonly { readonly value: number; readonly expected: number }[];
  /** Expected shares of the pods not seen, the smallest first. */
  readonly unknown: readonly number[];
  readonly most: number;
}

/**
 * The figures of a Service of which some pods (null) were not seen, over everything that those may carry: each 0 to
 * `maxUnknown`, in the unit of the values. Without that limit one of them could carry nearly all, or, with the others,
 * make it even: the pod that cannot be looked at may well be the hot one. Expected shares are 1/P unless given. Null
 * where nothing carries anything.
 */
export function figureInterval(
  values: readonly (number | null)[],
  options: { readonly expected?: readonly number[]; readonly maxUnknown?: number } = {},
): FigureInterval | null {
  const expectedAt = (index: number) => options.expected?.[index] ?? 1 / values.length;
  const pods: Pods = {
    pods: values.length,
    known: values.flatMap((value, index) => (value === null ? [] : [{ value, expected: expectedAt(index) }])),
    unknown: values.flatMap((value, index) => (value === null ? [expectedAt(index)] : [])).sort((a, b) => a - b),
    most: options.maxUnknown ?? Number.POSITIVE_INFINITY,
  };
  const canCarry = pods.unknown.length > 0 && pods.most > 0;
  if (sumOf(pods.known.map(({ value }) => value)) <= 0 && !canCarry) return null;
  return {
    effectivePods: [pods.pods / mostStrain(pods), pods.pods / leastStrain(pods)],
    peakToMean: [leastPeak(pods), mostPeak(pods)],
  };
}

/**
 * The greatest Σ(s²/e). It is quasi-convex in the unknown loads, so it is greatest in a corner, where each of them is 0
 * or the most; of those with n at the most, where these have the smallest expected shares.
 */
function mostStrain({ known, unknown, most }: Pods): number {
  const sum = sumOf(known.map(({ value }) => value));
  const squares = sumOf(known.map(({ value, expected }) => value ** 2 / expected));
  const unlimited = unknown[0];
  const seen = sum > 0 ? squares / sum ** 2 : 0;
  if (most === Number.POSITIVE_INFINITY) return unlimited === undefined ? seen : Math.max(seen, 1 / unlimited);
  if (most === 0) return seen;
  let added = 0;
  const corners = unknown.map((expected, index) => {
    added += most ** 2 / expected;
    return (squares + added) / (sum + (index + 1) * most) ** 2;
  });
  return maxOf(corners, seen);
}

/**
 * The least Σ(s²/e): every unknown pod is as strained as the known ones are on average (Σ(x²/e) / Σx), or as far as it
 * can. That average depends on them in turn, and is found by halving.
 */
function leastStrain({ known, unknown, most }: Pods): number {
  const sum = sumOf(known.map(({ value }) => value));
  if (sum <= 0) return 1 / sumOf(unknown);
  const squares = sumOf(known.map(({ value, expected }) => value ** 2 / expected));
  const filled = (level: number) => {
    const loads = unknown.map((expected) => Math.min(most, expected * level));
    return {
      sum: sum + sumOf(loads),
      squares: squares + sumOf(loads.map((load, index) => load ** 2 / (unknown[index] ?? 1))),
    };
  };
  let low = 0;
  let high = squares / sum;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const at = filled(middle);
    if (at.squares > middle * at.sum) low = middle;
    else high = middle;
  }
  const best = filled(high);
  return best.squares / best.sum ** 2;
}

/** All other unknown pods idle, one as busy as can be; or all idle. */
function mostPeak({ known, unknown, most }: Pods): number {
  const sum = sumOf(known.map(({ value }) => value));
  const seen = sum > 0 ? highest(known) / sum : 0;
  const smallest = unknown[0];
  if (smallest === undefined || most === 0) return seen;
  const share = most === Number.POSITIVE_INFINITY ? 1 : most / (sum + most);
  return Math.max(seen, share / smallest);
}

/** Every unknown pod as busy as the busiest known one: more of them would be a peak of its own. */
function leastPeak({ known, unknown, most }: Pods): number {
  const peak = highest(known);
  if (peak <= 0) return 1 / sumOf(unknown);
  const sum =
    sumOf(known.map(({ value }) => value)) + sumOf(unknown.map((expected) => Math.min(most, expected * peak)));
  return peak / sum;
}

function highest(known: Pods['known']): number {
  return known.reduce((most, { value, expected }) => Math.max(most, value / expected), 0);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

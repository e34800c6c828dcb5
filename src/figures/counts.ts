import { chiSquareQuantile, chiSquareTail } from './gamma.ts';
import type { Interval } from './intervals.ts';

/** Shares that were seen through a number of independent events, held against the shares that pods should have. */
export interface CountedShares {
  /** Parts of all, by pod; they sum to 1. */
  readonly shares: readonly number[];
  /** Above 0, and they sum to 1. */
  readonly expected: readonly number[];
  readonly events: number;
}

/** The z of a one-sided bound that fails in `1 − level` of all looks, for each of `claims` bounds at once (Bonferroni). */
function quantile(level: number, claims = 1): number {
  return Math.sqrt(chiSquareQuantile((2 * (1 - level)) / claims, 1));
}

/**
 * Where the effective pods of the Service lie, seen through its events: the bound on each side fails in `1 − level` of
 * looks. Σ n(n−1)/e ÷ N(N−1) estimates the strain Σ s²/e = P ÷ effective pods without the bias of counting: even traffic
 * gives P effective pods on average, whatever N is. It is a U-statistic, so that its variance is known (Hoeffding 1948).
 * Few events that all fell on one pod have a variance, too: as Agresti and Coull (1998) do for one share, z² events are
 * added that fall as expected. They would make it look too even, so the strain is at most what it may be with the
 * variance that it has there.
 */
export function effectiveInterval(counted: CountedShares, level: number): Interval {
  const { shares, expected, events } = counted;
  const pods = shares.length;
  if (events < 2) return [1, pods];
  const z = quantile(level);
  const all = events + z * z;
  const drawn = shares.map((share, pod) => (share * events + z * z * (expected[pod] ?? 0)) / all);
  const strain = strainOf(drawn, expected);
  const inPairs = Math.max(0, sumOver(drawn, expected, (share, fair) => share ** 2 / fair ** 2) - strain ** 2);
  const alone = Math.max(0, sumOver(drawn, expected, (share, fair) => share ** 3 / fair ** 2) - strain ** 2);
  const deviation = (ofOne: number) => Math.sqrt((4 * (all - 2) * ofOne + 2 * inPairs) / (all * (all - 1)));
  // Of all pairs of events those of one event with itself are no pairs.
  const estimate = (events * strainOf(shares, expected) - pods) / (events - 1);
  const least = 1 + (events / all) ** 2 * (estimate - 1) - z * deviation(alone);
  const peak = drawn.reduce((most, share, pod) => Math.max(most, share / (expected[pod] ?? 1)), 1);
  const from = Math.max(1, estimate);
  let most = from + z * deviation(alone);
  // What is strained has a variance of about (strain − 1) × peak: that of one hot pod among many alike.
  for (let step = 0; step < 4; step++) most = from + z * deviation(Math.max(alone, (most - 1) * peak));
  return [pods / most, pods / Math.max(1, least)];
}

/**
 * The effective pods that the events tell of: without the pairs of an event with itself, so that even traffic gives P on
 * average. Never more than the pods that got any would do. Infinitely many events: the values are no counts.
 */
export function estimatedPods({ shares, expected, events }: CountedShares): number {
  const strain = strainOf(shares, expected);
  const pods = shares.length;
  if (!Number.isFinite(events) || events < 2) return pods / strain;
  const reached = expected.reduce((sum, fair, pod) => sum + ((shares[pod] ?? 0) > 0 ? fair : 0), 0);
  return Math.min(pods / Math.max(1, (events * strain - pods) / (events - 1)), pods * reached);
}

/** The same for each share, all of which are to hold together (Wilson 1927). */
export function shareIntervals(
  { shares, events }: Pick<CountedShares, 'shares' | 'events'>,
  level: number,
): Interval[] {
  const z = quantile(level, shares.length);
  return shares.map((share) => wilson(share, events, z * z));
}

function wilson(share: number, events: number, z2: number): Interval {
  if (events <= 0) return [0, 1];
  const centre = (share * events + z2 / 2) / (events + z2);
  const half = (Math.sqrt(z2) * Math.sqrt(events * share * (1 - share) + z2 / 4)) / (events + z2);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** The least that the peak-to-mean surely is: the highest of the lower bounds of all pods, which hold together. */
export function surePeak(counted: CountedShares, level: number): number {
  return shareIntervals(counted, level).reduce(
    (peak, [least], pod) => Math.max(peak, least / (counted.expected[pod] ?? 1)),
    0,
  );
}

/** How often events that fall by the expected shares lie at least so far from them (Pearson's χ²). */
export function evenChance({ shares, expected, events }: CountedShares): number {
  const statistic = events * Math.max(0, strainOf(shares, expected) - 1);
  return shares.length < 2 ? 1 : chiSquareTail(statistic, shares.length - 1);
}

/**
 * How often events that fall by `shares` give counts as unlike them as these (the likelihood-ratio statistic G). A pod
 * that had nothing by then is taken for one that could have got half an event.
 */
export function chanceUnder(counts: readonly number[], shares: readonly number[]): number {
  const events = counts.reduce((sum, count) => sum + count, 0);
  if (events === 0 || counts.length < 2) return 1;
  const least = 0.5 / events;
  const known = shares.map((share) => Math.max(share, least));
  const total = known.reduce((sum, share) => sum + share, 0);
  const statistic = counts.reduce((sum, count, pod) => {
    const expected = (events * (known[pod] ?? least)) / total;
    return count > 0 ? sum + 2 * count * Math.log(count / expected) : sum;
  }, 0);
  return chiSquareTail(Math.max(0, statistic), counts.length - 1);
}

function strainOf(shares: readonly number[], expected: readonly number[]): number {
  return sumOver(shares, expected, (share, fair) => share ** 2 / fair);
}

function sumOver(
  shares: readonly number[],
  expected: readonly number[],
  term: (share: number, fair: number) => number,
): number {
  return shares.reduce((sum, share, pod) => sum + term(share, expected[pod] ?? 1), 0);
}

import { maxOf, minOf } from '../figures/extremes.ts';
import { figureInterval } from '../figures/intervals.ts';
import { enoughEvents, fairRange } from '../figures/noise.ts';
import { effectivePods, gini, idleIndexes, peakToMean, toShares } from '../figures/shares.ts';
import type { Basis, FigureSource } from '../report/ids.ts';
import { limits } from './limits.ts';

/** How one measure is spread over the replicas. `values[i]` belongs to replica i; null was not seen. */
export interface Spread {
  readonly basis: Basis;
  readonly span: 'window' | 'lifetime' | 'moment';
  readonly seconds: number | null;
  readonly values: readonly (number | null)[];
  /** Counted events behind the values; null where they are no counts. */
  readonly events: number | null;
  readonly source: FigureSource;
}

export interface Distribution extends Spread {
  /** Of all replicas; null for those not seen, and all null when there is nothing to share. */
  readonly shares: readonly (number | null)[];
  readonly effectivePods: number | null;
  readonly effectiveRange: readonly [number, number] | null;
  readonly peakToMean: number | null;
  readonly peakRange: readonly [number, number] | null;
  readonly gini: number | null;
  readonly idle: readonly number[];
  readonly seen: number;
  readonly reading: 'even' | 'uneven' | 'between' | 'within-noise' | 'unknown' | 'nothing';
}

/** What else decides how a spread is read. */
export interface Surroundings {
  /** Replicas that were not to be seen (beyond the sample of pods): the figures leave them out. */
  readonly excluded: ReadonlySet<number>;
  /** One pod is near its CPU limit while the mean is far from it: then a lesser skew counts. */
  readonly nearLimit: boolean;
  /** Shares that the pods should have, by replica; null: the same each. The figures leave out a pod that should get nothing. */
  readonly expected?: readonly number[] | null;
}

/**
 * Reads a spread by the limits: uneven, even, between, not beyond the noise, or unknown because of what was not seen.
 */
export function readSpread(spread: Spread, around: Surroundings): Distribution {
  const { excluded, expected = null } = around;
  const considered = spread.values.map((_, index) => index).filter((index) => !excluded.has(index));
  const counted = considered.filter((index) => expected === null || (expected[index] ?? 0) > 0);
  const values = counted.map((index) => spread.values[index] ?? null);
  const seenIndexes = counted.filter((index) => spread.values[index] !== null);
  const seenValues = values.filter((value) => value !== null);
  const seenShares = toShares(seenValues);
  const blank = {
    ...spread,
    shares: spread.values.map(() => null),
    effectiveRange: null,
    peakRange: null,
    idle: [],
    seen: considered.filter((index) => spread.values[index] !== null).length,
  };
  if (seenValues.length === 0)
    return { ...blank, effectivePods: null, peakToMean: null, gini: null, reading: 'unknown' };
  if (seenShares === null) {
    const reading = seenValues.length === values.length ? 'nothing' : 'unknown';
    return { ...blank, effectivePods: null, peakToMean: null, gini: null, reading };
  }
  const fair = expectedOf(seenIndexes, expected);
  const whole = seenValues.length === values.length;
  const interval = whole ? null : figureInterval(values, { expected: expectedOf(counted, expected) });
  const hasBaseline = spread.basis === 'cpu' || spread.source === 'interface';
  const idleValues = hasBaseline
    ? withoutBaseline(seenValues, spread.basis === 'cpu' ? limits.cpuIdleMillicores : 0)
    : seenShares;
  const figures = {
    effectivePods: effectivePods(seenShares, fair),
    peakToMean: peakToMean(seenShares, fair),
    effectiveRange: interval?.effectivePods ?? null,
    peakRange: interval?.peakToMean ?? null,
    idle: idleIndexes(idleValues, fair).flatMap((index) => seenIndexes[index] ?? []),
  };
  const reading = decide({ ...spread, values }, seenValues, figures, { nearLimit: around.nearLimit, fair });
  return { ...blank, ...figures, shares: sharesOf(spread.values, excluded), gini: gini(seenValues), reading };
}

/** Parts of all that was seen, by replica; null for those not seen or left out. */
function sharesOf(values: readonly (number | null)[], excluded: ReadonlySet<number>): readonly (number | null)[] {
  const seen = values.map((value, index) => (excluded.has(index) ? null : value));
  const shares = toShares(seen.filter((value) => value !== null)) ?? [];
  let next = 0;
  return seen.map((value) => (value === null ? null : (shares[next++] ?? null)));
}

/** The expected shares of some replicas, as parts of their sum. */
function expectedOf(indexes: readonly number[], expected: readonly number[] | null): readonly number[] {
  const all = indexes.map((index) => expected?.[index] ?? 1);
  return toShares(all) ?? all;
}

/** What idle pods differ by is taken for nothing only where a fair share is at least so many times that. */
const clearlyMore = 4;

/**
 * An idle pod's CPU is what its runtime costs, and what it receives are probes and scrapes; the smallest stands for that. But a pod that uses half of the mean or more
 * has work to do, so then nothing is taken away.
 * @param spread by how much idle pods differ, in the unit of the values
 */
function withoutBaseline(values: readonly number[], spread: number): readonly number[] {
  const mean = meanOf(values);
  const least = minOf(values);
  const smallest = least < mean / 2 ? least : 0;
  const above = values.map((value) => value - smallest);
  const tells = smallest > 0 && meanOf(above) >= clearlyMore * spread;
  return (
    toShares(tells ? above.map((value) => (value <= spread ? 0 : value)) : above) ?? values.map(() => 1 / values.length)
  );
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type Figures = Pick<Distribution, 'effectivePods' | 'peakToMean' | 'effectiveRange' | 'peakRange' | 'idle'>;

function decide(
  spread: Spread,
  values: readonly number[],
  figures: Figures,
  { nearLimit, fair }: { readonly nearLimit: boolean; readonly fair: readonly number[] },
): Distribution['reading'] {
  const pods = spread.values.length;
  const [lowPeak, highPeak] = figures.peakRange ?? [figures.peakToMean ?? 1, figures.peakToMean ?? 1];
  const [lowEffective, highEffective] = figures.effectiveRange ?? [
    figures.effectivePods ?? 1,
    figures.effectivePods ?? 1,
  ];
  const seen = values.length;
  const base = figures.effectiveRange === null ? seen : pods;
  const isUneven = (peak: number, effective: number) =>
    peak >= limits.skewedPeakToMean &&
    (effective < limits.skewedEffectivePart * base || figures.idle.length > 0 || nearLimit);
  const worst = isUneven(highPeak, lowEffective);
  const best = isUneven(lowPeak, highEffective);
  if (worst !== best) return 'unknown';
  if (spread.basis === 'cpu' && isLookingCost(values)) return 'within-noise';
  if (spread.source === 'interface' && maxOf(values) < limits.backgroundBytesPerSecond) return 'nothing';
  if (!best)
    return highPeak < limits.balancedPeakToMean
      ? 'even'
      : noiseExplains(spread, fair, figures)
        ? 'within-noise'
        : 'between';
  return noiseExplains(spread, fair, figures) ? 'within-noise' : 'uneven';
}

/** Little CPU in all, and no difference beyond what looking costs: it tells nothing about the load. */
function isLookingCost(millicores: readonly number[]): boolean {
  const mean = millicores.reduce((sum, value) => sum + value, 0) / millicores.length;
  const difference = maxOf(millicores) - minOf(millicores);
  return difference < limits.cpuNoiseMillicores && mean < 4 * limits.cpuNoiseMillicores;
}

/** Would a fairly served Service look like that in a window of so few events? */
function noiseExplains(spread: Spread, fair: readonly number[], figures: Figures): boolean {
  const seen = fair.length;
  if (spread.events === null || seen < 2) return false;
  const range = fairRange(spread.events, fair, {
    level: enoughEvents(spread.events, seen) ? limits.noiseLevel : limits.fewEventsNoiseLevel,
  });
  return (
    (figures.peakToMean ?? 1) <= range.peakToMean.upper && (figures.effectivePods ?? seen) >= range.effectivePods.lower
  );
}

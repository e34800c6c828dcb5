import { figureInterval } from '../figures/intervals.ts';
import { enoughEvents, fairRange } from '../figures/noise.ts';
import { effectivePods, gini, idleIndexes, peakToMean, toShares } from '../figures/shares.ts';
import type { Basis } from '../report/ids.ts';
import { limits } from './limits.ts';

/** How one measure is spread over the replicas. `values[i]` belongs to replica i; null was not seen. */
export interface Spread {
  readonly basis: Basis;
  readonly span: 'window' | 'lifetime' | 'moment';
  readonly seconds: number | null;
  readonly values: readonly (number | null)[];
  /** Counted events behind the values; null where they are no counts. */
  readonly events: number | null;
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
}

/**
 * Reads a spread by the limits: uneven, even, between, not beyond the noise, or unknown because of what was not seen.
 */
export function readSpread(spread: Spread, around: Surroundings): Distribution {
  const { excluded } = around;
  const considered = spread.values.map((_, index) => index).filter((index) => !excluded.has(index));
  const values = considered.map((index) => spread.values[index] ?? null);
  const seenValues = values.filter((value) => value !== null);
  const seenShares = toShares(seenValues);
  const blank = {
    ...spread,
    shares: spread.values.map(() => null),
    effectiveRange: null,
    peakRange: null,
    idle: [],
    seen: seenValues.length,
  };
  if (seenValues.length === 0)
    return { ...blank, effectivePods: null, peakToMean: null, gini: null, reading: 'unknown' };
  if (seenShares === null) {
    const reading = seenValues.length === values.length ? 'nothing' : 'unknown';
    return { ...blank, effectivePods: null, peakToMean: null, gini: null, reading };
  }
  const whole = seenValues.length === values.length;
  const interval = whole ? null : figureInterval(values);
  const shares = [...blank.shares] as (number | null)[];
  let next = 0;
  for (const index of considered) if (spread.values[index] !== null) shares[index] = seenShares[next++] ?? null;
  const idleValues = spread.basis === 'cpu' ? withoutBaseline(seenValues) : seenShares;
  const seenIndexes = considered.filter((index) => spread.values[index] !== null);
  const figures = {
    effectivePods: effectivePods(seenShares),
    peakToMean: peakToMean(seenShares),
    effectiveRange: interval?.effectivePods ?? null,
    peakRange: interval?.peakToMean ?? null,
    idle: idleIndexes(idleValues).flatMap((index) => seenIndexes[index] ?? []),
  };
  const reading = decide(spread, seenValues, figures, around.nearLimit);
  return { ...blank, ...figures, shares, gini: gini(seenValues), reading };
}

/**
 * An idle pod's CPU is what its runtime costs; the smallest stands for that. But a pod that uses half of the mean or more
 * has work to do, so then nothing is taken away.
 */
function withoutBaseline(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const least = Math.min(...values);
  const smallest = least < mean / 2 ? least : 0;
  const above = toShares(values.map((value) => value - smallest));
  return above ?? values.map(() => 1 / values.length);
}

type Figures = Pick<Distribution, 'effectivePods' | 'peakToMean' | 'effectiveRange' | 'peakRange' | 'idle'>;

function decide(
  spread: Spread,
  values: readonly number[],
  figures: Figures,
  nearLimit: boolean,
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
  if (!best)
    return highPeak < limits.balancedPeakToMean
      ? 'even'
      : noiseExplains(spread, seen, figures)
        ? 'within-noise'
        : 'between';
  return noiseExplains(spread, seen, figures) ? 'within-noise' : 'uneven';
}

/** Little CPU in all, and no difference beyond what looking costs: it tells nothing about the load. */
function isLookingCost(millicores: readonly number[]): boolean {
  const mean = millicores.reduce((sum, value) => sum + value, 0) / millicores.length;
  const difference = Math.max(...millicores) - Math.min(...millicores);
  return difference < limits.cpuNoiseMillicores && mean < 4 * limits.cpuNoiseMillicores;
}

/** Would a fairly served Service look like that in a window of so few events? */
function noiseExplains(spread: Spread, seen: number, figures: Figures): boolean {
  if (spread.events === null || seen < 2) return false;
  const fair = fairRange(
    spread.events,
    Array.from({ length: seen }, () => 1 / seen),
    { level: enoughEvents(spread.events, seen) ? limits.noiseLevel : limits.fewEventsNoiseLevel },
  );
  return (
    (figures.peakToMean ?? 1) <= fair.peakToMean.upper && (figures.effectivePods ?? seen) >= fair.effectivePods.lower
  );
}

import { effectiveInterval, estimatedPods, evenChance, shareIntervals, surePeak } from '../figures/counts.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import { figureInterval, type Interval } from '../figures/intervals.ts';
import { effectivePods, gini, idleIndexes, peakToMean, toShares } from '../figures/shares.ts';
import type { Basis, Confidence, FigureSource } from '../report/ids.ts';
import { limits } from './limits.ts';

/** How one measure is spread over the replicas. `values[i]` belongs to replica i; null was not seen. */
export interface MeasuredValues {
  readonly basis: Basis;
  readonly span: 'window' | 'lifetime' | 'moment';
  readonly seconds: number | null;
  readonly values: readonly (number | null)[];
  /** Independent events behind the values: calls, as far as they can be told; null where the values are no counts. */
  readonly events: number | null;
  readonly source: FigureSource;
  /** Replicas that surely got nothing, however few the events are: no connection led to them. */
  readonly barred?: ReadonlySet<number>;
}

/**
 * `uneven`: skewed by the limits; `even`; `between`: a little uneven, beyond the noise; `within-noise`: not even, but even
 * traffic looks so; `open`: the events are too few to tell; `unknown`: pods that were not seen leave it open; `nothing`.
 */
export type Reading = 'even' | 'uneven' | 'between' | 'within-noise' | 'open' | 'unknown' | 'nothing';

export interface LoadDistribution extends MeasuredValues {
  /** Of all replicas; null for those not seen, and all null when there is nothing to share. */
  readonly shares: readonly (number | null)[];
  /** Without the bias of counting: few events look less even than the load behind them. */
  readonly effectivePods: number | null;
  readonly effectiveRange: Interval | null;
  readonly peakToMean: number | null;
  readonly peakRange: Interval | null;
  readonly gini: number | null;
  readonly idle: readonly number[];
  readonly seen: number;
  readonly reading: Reading;
  /** `certain` and `likely`: the reading holds for the whole interval at 99.9 and at 95 %; `possible`: for its middle. */
  readonly confidence: Confidence;
}

/** Readings that say that the load is no worse than a little uneven. */
export const evenReadings: ReadonlySet<Reading> = new Set(['even', 'between', 'within-noise']);

/** Does the reading tell even from uneven? */
export function tells({ reading }: Pick<LoadDistribution, 'reading'>): boolean {
  return reading === 'uneven' || evenReadings.has(reading);
}

/** Does it do so for nearly all that the load may be? */
export function decides(entry: Pick<LoadDistribution, 'reading' | 'confidence'>): boolean {
  return tells(entry) && entry.confidence !== 'possible';
}

/** What else decides how a spread is read. */
export interface ReadingContext {
  /** Replicas that were not to be seen (beyond the sample of pods): the figures leave them out. */
  readonly excluded: ReadonlySet<number>;
  /** One pod is near its CPU limit while the mean is far from it: then a lesser skew counts. */
  readonly nearLimit: boolean;
  /** Shares that the pods should have, by replica; null: the same each. The figures leave out a pod that should get nothing. */
  readonly expected?: readonly number[] | null;
}

/** Reads a spread: the state is the one that holds all of the interval of its figures. */
export function readDistribution(spread: MeasuredValues, around: ReadingContext): LoadDistribution {
  const { excluded, expected = null } = around;
  const considered = spread.values.map((_, index) => index).filter((index) => !excluded.has(index));
  const counted = considered.filter((index) => expected === null || (expected[index] ?? 0) > 0);
  const values = counted.map((index) => spread.values[index] ?? null);
  const seenIndexes = counted.filter((index) => spread.values[index] !== null);
  const seenValues = values.filter((value) => value !== null);
  const shares = toShares(seenValues);
  const blank = {
    ...spread,
    shares: spread.values.map(() => null),
    ...{ effectivePods: null, peakToMean: null, effectiveRange: null, peakRange: null, gini: null },
    idle: [],
    seen: considered.filter((index) => spread.values[index] !== null).length,
    confidence: 'possible' as const,
  };
  if (seenValues.length === 0) return { ...blank, reading: 'unknown' };
  const isWhole = seenValues.length === values.length;
  if (shares === null) return { ...blank, reading: isWhole ? 'nothing' : 'unknown' };
  const fair = expectedOf(seenIndexes, expected);
  const events = spread.events ?? Number.POSITIVE_INFINITY;
  const seen: Seen = {
    spread,
    values: seenValues,
    shares,
    fair,
    events,
    idle: idleOf(spread, seenValues, shares, fair, seenIndexes),
    unseen: isWhole ? null : figureInterval(values, { expected: expectedOf(counted, expected) }),
    pods: counted.length,
    nearLimit: around.nearLimit,
  };
  return {
    ...blank,
    effectivePods: estimatedPods({ shares, expected: fair, events }),
    peakToMean: peakToMean(shares, fair),
    effectiveRange: seen.unseen?.effectivePods ?? null,
    peakRange: seen.unseen?.peakToMean ?? null,
    idle: seen.idle.flatMap((index) => seenIndexes[index] ?? []),
    shares: sharesOf(spread.values, excluded),
    gini: gini(seenValues),
    ...decide(seen),
  };
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

/** The pods that were seen, by their place among them. */
interface Seen {
  readonly spread: MeasuredValues;
  readonly values: readonly number[];
  readonly shares: readonly number[];
  readonly fair: readonly number[];
  /** Infinite where the values are no counts. */
  readonly events: number;
  readonly idle: readonly number[];
  /** Over all that the pods not seen may carry. */
  readonly unseen: ReturnType<typeof figureInterval>;
  /** With those not seen. */
  readonly pods: number;
  readonly nearLimit: boolean;
}

/** An idle pod's CPU is what its runtime costs, and what it receives are probes and scrapes: this near the least of all. */
function idleOf(
  { basis, source, barred }: MeasuredValues,
  values: readonly number[],
  shares: readonly number[],
  fair: readonly number[],
  indexes: readonly number[],
): readonly number[] {
  if (basis === 'cpu' || source === 'interface') {
    const least = minOf(values);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread = basis === 'cpu' ? limits.cpuIdleMillicores : limits.backgroundBytesPerSecond;
    const isIdle = (value: number) => value <= least + spread && value < limits.idleCpuPart * mean;
    return mean - least < 4 * spread ? [] : values.flatMap((value, index) => (isIdle(value) ? [index] : []));
  }
  const found = new Set(idleIndexes(shares, fair));
  return indexes.flatMap((replica, index) => (found.has(index) || barred?.has(replica) === true ? [index] : []));
}

/** Of the idle pods those that cannot have a part worth the name, whatever the noise. */
function surelyIdle({ spread, shares, fair, events, idle }: Seen, level: number): number {
  if (!Number.isFinite(events) || idle.length === 0) return idle.length;
  const intervals = shareIntervals({ shares, events }, level);
  return idle.filter((index) => {
    if (spread.barred !== undefined && spread.barred.size > 0 && shares[index] === 0) return true;
    const most = intervals[index]?.[1] ?? 1;
    return most < limits.idleSurely * (fair[index] ?? 0);
  }).length;
}

function decide(seen: Seen): Pick<LoadDistribution, 'reading' | 'confidence'> {
  const { spread, values } = seen;
  const possible = (reading: Reading) => ({ reading, confidence: 'possible' as const });
  if (spread.basis === 'cpu' && isLookingCost(values)) return possible('open');
  if (spread.source === 'interface' && values.every((value) => value < limits.backgroundBytesPerSecond))
    return possible('nothing');
  for (const [level, confidence] of levels) {
    const { least, most, peak } = figuresAt(seen, level);
    const idle = surelyIdle(seen, level);
    const isUneven = (top: number, effective: number) => isSkewed(seen, { peak: top, effective, idle });
    if (isUneven(peak.least, most)) return { reading: 'uneven', confidence };
    if (!isUneven(peak.likely, least)) return { reading: evenReading(seen), confidence };
  }
  if (seen.unseen !== null) return possible('unknown');
  if (isNoise(seen, limits.clearLevel)) return possible('open');
  // Near the limit, and surely not even: then the figures themselves have to say on which side.
  const figures = {
    peak: peakToMean(seen.shares, seen.fair),
    effective: estimatedPods({ ...seen, expected: seen.fair }),
    idle: seen.idle.length,
  };
  return possible(isSkewed(seen, figures) ? 'uneven' : evenReading(seen));
}

const levels = [
  [limits.certainLevel, 'certain'],
  [limits.likelyLevel, 'likely'],
] as const;

/** By the limits: too few pods do the work, or one has far too much, or much while another has nothing. */
function isSkewed(
  { pods, nearLimit }: Seen,
  { peak, effective, idle }: { readonly peak: number; readonly effective: number; readonly idle: number },
): boolean {
  return (
    effective < limits.skewedEffectivePart * pods ||
    peak >= limits.hotPeakToMean ||
    (peak >= limits.skewedPeakToMean && (idle > 0 || nearLimit))
  );
}

interface FiguresAt {
  /** Bounds of the effective pods. */
  readonly least: number;
  readonly most: number;
  /** The peak-to-mean that is sure, and the one that is to be expected where nothing speaks for more. */
  readonly peak: { readonly least: number; readonly likely: number };
}

/** The figures with the noise of the measurement, and with the pods that were not seen. */
function figuresAt(seen: Seen, level: number): FiguresAt {
  const { shares, fair, events, unseen, spread } = seen;
  const raw = effectivePods(shares, fair);
  const peak = peakToMean(shares, fair);
  const [low, high] = spread.basis === 'cpu' ? cpuInterval(seen.values, fair) : boundsOf(seen, level, raw);
  const counted = Number.isFinite(events) ? surePeak({ shares, expected: fair, events }, level) : peak;
  const likely = isNoise(seen) ? 1 : peak;
  if (unseen === null) return { least: low, most: high, peak: { least: counted, likely } };
  // What was not seen and the noise of what was are independent of one another: the factors multiply.
  return {
    least: (unseen.effectivePods[0] * low) / raw,
    most: (unseen.effectivePods[1] * high) / raw,
    peak: { least: (unseen.peakToMean[0] * counted) / peak, likely: unseen.peakToMean[1] },
  };
}

function boundsOf({ shares, fair, events }: Seen, level: number, raw: number): Interval {
  return Number.isFinite(events) ? effectiveInterval({ shares, expected: fair, events }, level) : [raw, raw];
}

/** Each pod's CPU is known within some millicores: what looking costs, and the moment at which it was measured. */
function cpuInterval(values: readonly number[], fair: readonly number[]): Interval {
  const total = values.reduce((sum, value) => sum + value, 0);
  const figure = (towards: 1 | -1) => {
    const moved = values.map((value, index) => {
      const mean = total * (fair[index] ?? 0);
      const error = limits.cpuNoiseMillicores;
      if (towards === 1) return Math.abs(value - mean) <= error ? mean : value - Math.sign(value - mean) * error;
      return Math.max(0, value + Math.sign(value - mean) * error);
    });
    return effectivePods(toShares(moved) ?? fair, fair);
  };
  return [figure(-1), figure(1)];
}

function evenReading(seen: Seen): Reading {
  const peak = seen.unseen?.peakToMean[1] ?? peakToMean(seen.shares, seen.fair);
  if (peak < limits.balancedPeakToMean && seen.idle.length === 0) return 'even';
  return isNoise(seen) ? 'within-noise' : 'between';
}

/** Does even traffic look like that, seen through so few events? */
function isNoise({ shares, fair, events, spread }: Seen, level: number = limits.evenLevel): boolean {
  if (!Number.isFinite(events) || (spread.barred?.size ?? 0) > 0) return false;
  return evenChance({ shares, expected: fair, events }) >= level;
}

/** Little CPU in all, and no difference beyond what looking costs: it tells nothing about the load. */
function isLookingCost(millicores: readonly number[]): boolean {
  const mean = millicores.reduce((sum, value) => sum + value, 0) / millicores.length;
  const least = minOf(millicores);
  const most = maxOf(millicores);
  return most - least < limits.cpuNoiseMillicores && mean < 4 * limits.cpuNoiseMillicores;
}

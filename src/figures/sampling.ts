import { maxOf, minOf } from './extremes.ts';
import type { Interval } from './intervals.ts';

/**
 * Two-sided 99 % of a normal distribution. With few events the variance is estimated too low: then it holds 95 %, as the
 * test measures.
 */
const sigmas = 2.576;

/**
 * What the effective pods may really be when N counted events showed these shares of P pods: at least 95 % of looks give
 * an interval that holds the true figure.
 *
 * The events are taken for independent, so the counts are multinomial (Poisson counts, given their sum). Σs² of counts is
 * too high by (1 − Σs²)/N; Simpson's estimate Σn(n−1)/N(N−1) is not, and its variance is known in closed form (Simpson
 * 1949). The figure that the shares give as they are is always within: that is the one that is shown.
 */
export function sampledEffectivePods(shares: readonly number[], events: number): Interval {
  const pods = shares.length;
  const count = Math.max(2, events);
  const squares = sumOf(shares.map((share) => share ** 2));
  const cubes = sumOf(shares.map((share) => share ** 3));
  const estimate = pairsOfTwo(squares, count);
  const variance = (4 * (count - 2) * cubes + 2 * squares - 2 * (2 * count - 3) * squares ** 2) / (count * (count - 1));
  const error = sigmas * Math.sqrt(Math.max(0, variance));
  const effective = (concentration: number) => effectiveOf(concentration, pods);
  return [
    Math.min(effective(estimate + error), effective(squares)),
    Math.max(effective(estimate - error), effective(squares)),
  ];
}

/** The part of all pairs of two events that fell on one pod. */
function pairsOfTwo(squares: number, events: number): number {
  return (events * squares - 1) / (events - 1);
}

function effectiveOf(concentration: number, pods: number): number {
  return 1 / Math.min(1, Math.max(1 / pods, concentration));
}

/**
 * From the least to the most that the effective pods can be when each value may be off by `error` either way (not below
 * 0), in the unit of the values. Null where nothing carries anything.
 */
export function boundedEffectivePods(values: readonly number[], error: number): Interval | null {
  if (sumOf(values) <= 0) return null;
  const ranges = values.map((value) => [Math.max(0, value - error), value + error] as const);
  return [values.length / mostStrain(ranges), values.length / leastStrain(ranges)];
}

type Ranges = readonly (readonly [low: number, high: number])[];

/** P·Σx²/(Σx)²: P over the effective pods. */
function strain(loads: readonly number[]): number {
  return (loads.length * sumOf(loads.map((load) => load ** 2))) / sumOf(loads) ** 2;
}

/** It is quasi-convex in each load, so it is greatest in a corner: the busiest as high, the others as low as can be. */
function mostStrain(ranges: Ranges): number {
  const busiestFirst = ranges.toSorted((a, b) => b[1] - a[1]);
  const corners = busiestFirst.map((_, most) => busiestFirst.map(([low, high], index) => (index <= most ? high : low)));
  return maxOf(corners.map(strain));
}

/** Least where every load is as near as it can be to one level, which is found by thirds: the strain has one valley. */
function leastStrain(ranges: Ranges): number {
  const at = (level: number) => ranges.map(([low, high]) => Math.min(high, Math.max(low, level)));
  let low = minOf(ranges.map((range) => range[0]));
  let high = maxOf(ranges.map((range) => range[1]));
  for (let step = 0; step < 100; step++) {
    const third = (high - low) / 3;
    if (strain(at(low + third)) <= strain(at(high - third))) high -= third;
    else low += third;
  }
  return strain(at(high));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

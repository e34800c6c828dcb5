import { describe, expect, it } from 'vitest';
import { chiSquareQuantile, chiSquareTail, logGamma, upperGamma } from '../../src/figures/gamma.ts';
import { enoughEvents, fairRange } from '../../src/figures/noise.ts';
import { seededIndexes } from '../../src/figures/random.ts';
import { effectivePods, peakToMean, toShares } from '../../src/figures/shares.ts';
import { effectivePodsAtRandom } from './closed-form.ts';

const even = (pods: number) => Array.from({ length: pods }, () => 1 / pods);

/** Deals events to pods by their expected shares, in thousandths. */
function simulate(events: number, expected: readonly number[], draws: number) {
  const index = seededIndexes(11);
  const podOf = expected.flatMap((share, pod) => Array.from({ length: Math.round(share * 1000) }, () => pod));
  const figures = Array.from({ length: draws }, () => {
    const counts = expected.map(() => 0);
    for (let event = 0; event < events; event++) {
      const pod = podOf[index(podOf.length)] ?? 0;
      counts[pod] = (counts[pod] ?? 0) + 1;
    }
    const shares = toShares(counts) ?? [];
    return { peak: peakToMean(shares, expected), effective: effectivePods(shares, expected) };
  });
  const at = (values: number[], level: number) => values.sort((a, b) => a - b)[Math.floor(level * draws)] ?? 0;
  const peaks = figures.map(({ peak }) => peak);
  const effective = figures.map((figure) => figure.effective);
  return {
    peakToMean: { median: at(peaks, 0.5), upper: at(peaks, 0.99) },
    effectivePods: { median: at(effective, 0.5), lower: at(effective, 0.01) },
  };
}

describe('noise of the measurement', () => {
  it('makes 30 calls on 10 even pods look uneven', () => {
    // Ten times thirty by thirty and nine: 7.69; the median of the simulation is the 7.8 of the design.
    expect(fairRange(30, even(10)).effectivePods.median).toBeCloseTo(7.8, 1);
    expect(fairRange(30, even(10)).effectivePods.median / effectivePodsAtRandom(30, 10)).toBeCloseTo(1, 1);
    expect(fairRange(30, even(10)).peakToMean.median).toBeCloseTo(2, 5);
  });

  it('asks for 20 events a pod', () => {
    expect(enoughEvents(199, 10)).toBe(false);
    expect(enoughEvents(200, 10)).toBe(true);
  });

  it.each([
    [200, even(10)],
    [2000, even(10)],
    [40, even(2)],
    [1000, even(50)],
    [300, [0.5, 0.3, 0.1, 0.1]],
    [400, [0.7, 0.1, 0.1, 0.05, 0.05]],
  ])('of %d events on %j is as simulated', (events, expected) => {
    const closed = fairRange(events, expected);
    const simulated = simulate(events, expected, 4000);
    expect(Math.abs(closed.peakToMean.median / simulated.peakToMean.median - 1)).toBeLessThan(0.05);
    expect(Math.abs(closed.peakToMean.upper / simulated.peakToMean.upper - 1)).toBeLessThan(0.05);
    expect(Math.abs(closed.effectivePods.median / simulated.effectivePods.median - 1)).toBeLessThan(0.02);
    expect(Math.abs(closed.effectivePods.lower / simulated.effectivePods.lower - 1)).toBeLessThan(0.03);
  });

  it('shrinks with more events and grows with a stricter level', () => {
    const ranges = [200, 2000, 20_000, 2_000_000, 1e12].map((events) => fairRange(events, even(10)));
    const uppers = ranges.map(({ peakToMean: { upper } }) => upper);
    const lowers = ranges.map(({ effectivePods: { lower } }) => lower);
    expect(uppers).toEqual(uppers.toSorted((a, b) => b - a));
    expect(lowers).toEqual(lowers.toSorted((a, b) => a - b));
    expect(uppers.at(-1)).toBeLessThan(1.01);
    const strict = fairRange(200, even(10), { level: 0.001 });
    expect(strict.peakToMean.upper).toBeGreaterThan(fairRange(200, even(10)).peakToMean.upper);
    expect(strict.effectivePods.lower).toBeLessThan(fairRange(200, even(10)).effectivePods.lower);
  });

  it('is none on one pod, and defined without events', () => {
    expect(fairRange(100, [1])).toEqual({
      peakToMean: { median: 1, upper: 1 },
      effectivePods: { median: 1, lower: 1 },
    });
    expect(fairRange(0, even(10)).peakToMean.upper).toBeCloseTo(10, 4);
    expect(fairRange(0, even(10)).effectivePods.lower).toBeCloseTo(1, 4);
  });
});

describe('gamma functions', () => {
  // scipy.special.gammaincc
  it.each([
    [0.5, 0.5, 0.31731050786291115],
    [4.5, 2, 0.9114125268316792],
    [4.5, 30, 1.3406780483959625e-9],
    [499.5, 500, 0.48513148927490146],
    [499.5, 700, 5.924458565936921e-16],
    [0.5, 40, 3.744097384202887e-19],
    [1_000_000, 1_003_000, 0.0013617406462175913],
  ])('Q(%d, %d)', (a, x, expected) => {
    expect(upperGamma(a, x) / expected).toBeCloseTo(1, 8);
  });

  it('are consistent with each other', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 12);
    expect(chiSquareQuantile(0.01, 9)).toBeCloseTo(21.665994333461928, 8);
    expect(chiSquareTail(chiSquareQuantile(0.3, 999.5), 999.5)).toBeCloseTo(0.3, 9);
    expect(upperGamma(3, 3)).toBeCloseTo(Math.exp(-3) * (1 + 3 + 4.5), 12);
  });
});

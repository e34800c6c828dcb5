import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figureInterval } from '../../src/figures/intervals.ts';
import { effectivePods, peakToMean, toShares } from '../../src/figures/shares.ts';

const load = fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 100, noNaN: true }));

describe('figureInterval', () => {
  it('is one number where all pods were seen', () => {
    const interval = figureInterval([2, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(interval?.effectivePods[0]).toBeCloseTo(8 / 3, 9);
    expect(interval?.effectivePods[1]).toBeCloseTo(8 / 3, 9);
    expect(interval?.peakToMean).toEqual([expect.closeTo(5, 9), expect.closeTo(5, 9)]);
  });

  it('spans everything that an unseen pod may carry', () => {
    const even = figureInterval([1, 1, 1, null]);
    expect(even?.effectivePods).toEqual([expect.closeTo(1, 9), expect.closeTo(4, 9)]);
    expect(even?.peakToMean).toEqual([expect.closeTo(1, 9), expect.closeTo(4, 9)]);
  });

  it('is narrower where an unseen pod can carry only so much', () => {
    const limited = figureInterval([1, 1, 1, null], { maxUnknown: 2 });
    expect(limited?.effectivePods).toEqual([expect.closeTo(3, 9), expect.closeTo(4, 9)]);
    expect(limited?.peakToMean).toEqual([expect.closeTo(1, 9), expect.closeTo(1.6, 9)]);
    expect(figureInterval([1, 1, 1, null], { maxUnknown: 0 })?.effectivePods[1]).toBeCloseTo(3, 9);
  });

  it('is the whole range where nothing was seen, and none where nothing can be carried', () => {
    expect(figureInterval([null, null])).toEqual({ effectivePods: [1, 2], peakToMean: [1, 2] });
    expect(figureInterval([0, null])).toEqual({ effectivePods: [1, 1], peakToMean: [2, 2] });
    expect(figureInterval([0, 0])).toBeNull();
    expect(figureInterval([])).toBeNull();
    expect(figureInterval([0, null], { maxUnknown: 0 })).toBeNull();
  });

  it('holds every filling, and both ends are reached', () => {
    const pods = fc.record({
      known: fc.array(load, { minLength: 1, maxLength: 5 }),
      unknown: fc.integer({ min: 1, max: 2 }),
      parts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 8, maxLength: 8 }),
      most: fc.double({ min: 0.1, max: 50, noNaN: true }),
    });
    const steps = [0, ...Array.from({ length: 71 }, (_, index) => 1.15 ** -index)];
    const fillings = (count: number): number[][] =>
      count === 0 ? [[]] : fillings(count - 1).flatMap((rest) => steps.map((step) => [...rest, step]));
    fc.assert(
      fc.property(pods, ({ known, unknown, parts, most }) => {
        fc.pre(known.some((value) => value > 0));
        const expected = toShares(parts.slice(0, known.length + unknown)) ?? [];
        const values = [...known, ...Array.from({ length: unknown }, () => null)];
        const interval = figureInterval(values, { expected, maxUnknown: most });
        const figures = fillings(unknown).map((filling) => {
          const shares = toShares([...known, ...filling.map((step) => step * most)]) ?? [];
          return { effective: effectivePods(shares, expected), peak: peakToMean(shares, expected) };
        });
        const [leastPods = 0, mostPods = 0] = interval?.effectivePods ?? [];
        const [leastPeak = 0, mostPeak = 0] = interval?.peakToMean ?? [];
        const effective = figures.map((figure) => figure.effective);
        const peaks = figures.map(({ peak }) => peak);
        expect(Math.min(...effective)).toBeCloseTo(leastPods, 6);
        expect(Math.max(...peaks)).toBeCloseTo(mostPeak, 6);
        expect(Math.max(...effective)).toBeLessThanOrEqual(mostPods + 1e-9);
        expect(Math.min(...peaks)).toBeGreaterThanOrEqual(leastPeak - 1e-9);
        // The best filling lies between two steps.
        expect(Math.max(...effective)).toBeGreaterThan(0.97 * mostPods);
        expect(Math.min(...peaks)).toBeLessThan(1.16 * leastPeak);
      }),
      { numRuns: 100 },
    );
  });

  it('without a limit holds what any limit allows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(load), { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
        (values, maxUnknown) => {
          const whole = figureInterval(values);
          const limited = figureInterval(values, { maxUnknown });
          fc.pre(whole !== null && limited !== null);
          for (const figure of ['effectivePods', 'peakToMean'] as const) {
            expect(limited?.[figure][0] ?? 0).toBeGreaterThanOrEqual((whole?.[figure][0] ?? 0) - 1e-9);
            expect(limited?.[figure][1] ?? 0).toBeLessThanOrEqual((whole?.[figure][1] ?? 0) + 1e-9);
          }
        },
      ),
    );
  });
});

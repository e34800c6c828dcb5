import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyYoungest, orderedPlacement } from '../../src/figures/order.ts';
import { effectivePods, gini, idleIndexes, peakToMean, toShares } from '../../src/figures/shares.ts';

const scaledUp = [2, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const loads = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 50 });
const someLoad = loads.filter((values) => values.some((value) => value > 1e-6));
const sharesOf = (values: readonly number[]) => toShares(values) ?? [];

describe('figures of the shares', () => {
  it('say what four connections on three of ten pods are', () => {
    const shares = sharesOf(scaledUp);
    expect(shares.slice(0, 4)).toEqual([0.5, 0.25, 0.25, 0]);
    expect(effectivePods(shares)).toBeCloseTo(2.667, 3);
    expect(peakToMean(shares)).toBeCloseTo(5);
    expect(gini(shares)).toBeCloseTo(0.75);
    expect(idleIndexes(shares)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  it('measure against the expected shares where they differ', () => {
    const expected = [0.5, 0.3, 0.2];
    expect(effectivePods(expected, expected)).toBeCloseTo(3);
    expect(peakToMean(expected, expected)).toBeCloseTo(1);
    expect(peakToMean([0.5, 0.1, 0.4], expected)).toBeCloseTo(2);
    expect(idleIndexes([0.975, 0.014, 0.011], expected)).toEqual([1]);
  });

  it('are none where nothing is shared', () => {
    expect(toShares([])).toBeNull();
    expect(toShares([0, 0])).toBeNull();
    expect(gini([0, 0])).toBe(0);
    expect(gini([])).toBe(0);
  });

  it('call a pod with exactly 5 % of its share busy', () => {
    expect(idleIndexes([0.975, 0.025])).toEqual([]);
    expect(idleIndexes([0.976, 0.024])).toEqual([1]);
  });

  it('stay within their bounds', () => {
    fc.assert(
      fc.property(someLoad, (values) => {
        const shares = sharesOf(values);
        const pods = values.length;
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
        expect(effectivePods(shares)).toBeGreaterThan(1 - 1e-9);
        expect(effectivePods(shares)).toBeLessThan(pods + 1e-9);
        expect(peakToMean(shares)).toBeGreaterThan(1 - 1e-9);
        expect(peakToMean(shares)).toBeLessThan(pods + 1e-9);
        expect(gini(shares)).toBeGreaterThanOrEqual(0);
        expect(gini(shares)).toBeLessThan(1);
      }),
    );
  });

  it('do not depend on the order of the pods or on the unit', () => {
    fc.assert(
      fc.property(someLoad, fc.double({ min: 0.001, max: 1000, noNaN: true }), (values, factor) => {
        const shares = sharesOf(values);
        const others = sharesOf(values.map((value) => value * factor).toReversed());
        expect(effectivePods(others)).toBeCloseTo(effectivePods(shares), 6);
        expect(peakToMean(others)).toBeCloseTo(peakToMean(shares), 6);
        expect(gini(others)).toBeCloseTo(gini(shares), 6);
        expect(idleIndexes(others)).toHaveLength(idleIndexes(shares).length);
      }),
    );
  });

  it('fall when load moves from a pod to a busier one', () => {
    fc.assert(
      fc.property(someLoad, fc.nat(), fc.nat(), fc.double({ min: 0.1, max: 1, noNaN: true }), (values, a, b, part) => {
        const [first, second] = [a % values.length, b % values.length];
        const [from, to] = (values[first] ?? 0) <= (values[second] ?? 0) ? [first, second] : [second, first];
        const moved = (values[from] ?? 0) * part;
        const after = values.map((value, index) =>
          from === to ? value : index === from ? value - moved : index === to ? value + moved : value,
        );
        expect(effectivePods(sharesOf(after))).toBeLessThanOrEqual(effectivePods(sharesOf(values)) + 1e-9);
      }),
    );
  });
});

describe('emptyYoungest', () => {
  it('is the probability that all connections miss the youngest pods', () => {
    expect(emptyYoungest(4, 10, 7)).toBeCloseTo(0.0081, 10);
    expect(emptyYoungest(3, 10, 0)).toBe(1);
    expect(emptyYoungest(3, 10, 10)).toBe(0);
    expect(emptyYoungest(0, 10, 7)).toBe(1);
  });
});

describe('orderedPlacement', () => {
  /** Doubled ranks of pods of distinct ages, the oldest first. */
  const ranks = (pods: number) => Array.from({ length: pods }, (_, index) => 2 * index);

  it('is the probability that as many fall on the first ones', () => {
    // All twenty on the first of two: 2⁻²⁰. Eight or more of ten on it: (45 + 10 + 1) / 1024.
    expect(orderedPlacement(ranks(2), [20, 0])).toBeCloseTo(2 ** -20, 12);
    expect(orderedPlacement(ranks(2), [8, 2])).toBeCloseTo(56 / 1024, 12);
    // Two connections on three pods with ranks 0 1 2, sum 1 or less: 0+0, 0+1 and 1+0 of nine.
    expect(orderedPlacement(ranks(3), [1, 1, 0])).toBeCloseTo(3 / 9, 12);
  });

  it('is 1 when all lie on the last one, and where there is nothing to order', () => {
    expect(orderedPlacement(ranks(3), [0, 0, 4])).toBeCloseTo(1, 12);
    expect(orderedPlacement([1, 1], [5, 0])).toBe(1);
    expect(orderedPlacement(ranks(3), [0, 0, 0])).toBe(1);
    expect(orderedPlacement([0], [3])).toBe(1);
  });

  it('goes over to the normal curve without a step', () => {
    // 500 on 10 pods, about 2.6 standard deviations to the first ones; the exact sum takes up to 158 on ten.
    const counts = (connections: number) =>
      Array.from({ length: 10 }, (_, pod) => (connections / 10) * (pod < 5 ? 1.1 : 0.9));
    const many = orderedPlacement(ranks(10), counts(500));
    // The sum of ranks 0 … 9 over 500 draws: mean 2250, here 2125, variance 500 × 8.25: Φ(−1.94) = 0.026.
    expect(many).toBeCloseTo(0.026, 3);
    const exact = orderedPlacement(ranks(10), counts(100));
    // 100 draws: mean 450, here 425, variance 825: Φ((425.5 − 450) / 28.7) = 0.197.
    expect(exact).toBeCloseTo(0.197, 2);
  });
});

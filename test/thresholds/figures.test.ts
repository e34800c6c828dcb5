/** Figures against values worked out by hand, and the borders between their methods. */
import { describe, expect, it } from 'vitest';
import { placementChance } from '../../src/figures/chance.ts';
import { chiSquareQuantile, chiSquareTail, logGamma, upperGamma } from '../../src/figures/gamma.ts';
import { figureInterval } from '../../src/figures/intervals.ts';
import { emptyYoungest, orderedPlacement } from '../../src/figures/order.ts';
import { spreadOf, tailProbability } from '../../src/figures/outcomes.ts';
import {
  dealSomeAnew,
  effectiveConnections,
  movedBy,
  partOfNewPod,
  reconnectsPerSecond,
  simulatePlacement,
} from '../../src/figures/placement.ts';
import { boundedEffectivePods, sampledEffectivePods } from '../../src/figures/sampling.ts';
import { effectivePods, gini, idleIndexes, peakToMean, toShares } from '../../src/figures/shares.ts';

const ones = (count: number): number[] => Array(count).fill(1);
/** Weights that all differ. */
const unequal = (count: number): number[] => Array.from({ length: count }, (_, index) => 1000 + index);

describe('shares', () => {
  it('are parts of the sum', () => {
    expect(toShares([1, 2, 5])).toEqual([0.125, 0.25, 0.625]);
    expect(toShares([0, 0])).toBeNull();
    expect(toShares([])).toBeNull();
  });

  it('0.5, 0.25, 0.25: 1 ÷ 0.375 effective pods, a peak of 1.5', () => {
    expect(effectivePods([0.5, 0.25, 0.25])).toBeCloseTo(8 / 3, 12);
    expect(peakToMean([0.5, 0.25, 0.25])).toBeCloseTo(1.5, 12);
  });

  it('against expected shares of 0.5, 0.25, 0.25 those are even', () => {
    expect(effectivePods([0.5, 0.25, 0.25], [0.5, 0.25, 0.25])).toBeCloseTo(3, 12);
    expect(peakToMean([0.5, 0.25, 0.25], [0.5, 0.25, 0.25])).toBe(1);
    // 3 ÷ (1/9 ÷ 0.5 + 2 · 1/9 ÷ 0.25) = 3 ÷ (2/9 + 8/9).
    expect(effectivePods([1 / 3, 1 / 3, 1 / 3], [0.5, 0.25, 0.25])).toBeCloseTo(2.7, 12);
  });

  it('Gini: 1, 2, 3, 4 give a quarter, one of four for all gives three quarters', () => {
    expect(gini([1, 2, 3, 4])).toBeCloseTo(0.25, 12);
    expect(gini([0, 0, 0, 7])).toBeCloseTo(0.75, 12);
    expect(gini([5, 5])).toBe(0);
    expect(gini([0, 0])).toBe(0);
  });

  it('idle is less than a twentieth of the part', () => {
    expect(idleIndexes([0.0125, 0.3625, 0.3125, 0.3125])).toEqual([]);
    expect(idleIndexes([0.0124, 0.3626, 0.3125, 0.3125])).toEqual([0]);
    // Of a part of an eighth 0.00625 are a twentieth.
    expect(idleIndexes([0.00625, 0.99375], [0.125, 0.875])).toEqual([]);
    expect(idleIndexes([0.006, 0.994], [0.125, 0.875])).toEqual([0]);
  });
});

describe('the gamma function', () => {
  it('is the factorial of whole numbers, and √π at a half', () => {
    expect(logGamma(1)).toBeCloseTo(0, 12);
    expect(logGamma(2)).toBeCloseTo(0, 12);
    expect(logGamma(6)).toBeCloseTo(Math.log(120), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(16)).toBeCloseTo(Math.log(1_307_674_368_000), 11);
    expect(logGamma(21)).toBeCloseTo(Math.log(2_432_902_008_176_640_000), 11);
  });

  it('from x on is e⁻ˣ for a = 1, and e⁻ˣ(1 + x + x²/2) for a = 3', () => {
    for (const x of [0.1, 1, 1.9, 2, 2.1, 5, 30]) expect(upperGamma(1, x) / Math.exp(-x)).toBeCloseTo(1, 10);
    for (const x of [0.5, 3.9, 4, 4.1, 12]) {
      expect(upperGamma(3, x) / (Math.exp(-x) * (1 + x + (x * x) / 2))).toBeCloseTo(1, 10);
    }
    expect(upperGamma(2, 0)).toBe(1);
    expect(upperGamma(2, -1)).toBe(1);
  });

  it('χ²: e^(−x/2) at two degrees of freedom, and back', () => {
    expect(chiSquareTail(2 * Math.log(20), 2)).toBeCloseTo(0.05, 12);
    expect(chiSquareQuantile(0.05, 2)).toBeCloseTo(2 * Math.log(20), 9);
    expect(chiSquareQuantile(1e-9, 2)).toBeCloseTo(2 * Math.log(1e9), 9);
    // The table's 3.841 and 18.307.
    expect(chiSquareTail(3.841458820694124, 1)).toBeCloseTo(0.05, 10);
    expect(chiSquareQuantile(0.05, 10)).toBeCloseTo(18.307038053275146, 8);
  });
});

describe('counted shares', () => {
  // N = 1000, shares 0.8 and 0.2: Σs² = 0.68, Σs³ = 0.52; estimate 679 ÷ 999, variance 230.3744 ÷ 999,000.
  it('0.8 and 0.2 of 1000 events: 1.391 to 1.561 effective pods', () => {
    const [least, most] = sampledEffectivePods([0.8, 0.2], 1000);
    expect(least).toBeCloseTo(1.3912, 4);
    expect(most).toBeCloseTo(1.5611, 4);
  });

  // N = 100, 0.5 twice: estimate 49 ÷ 99, variance 0.5 ÷ 9900; more than both pods there are not.
  it('0.5 twice of 100 events: 1.948 to 2 effective pods', () => {
    const [least, most] = sampledEffectivePods([0.5, 0.5], 100);
    expect(least).toBeCloseTo(1.9483, 4);
    expect(most).toBe(2);
  });

  it('10, 20 and 30, each 5 more or less: the busiest high and the others low, and the nearest to a level', () => {
    const [least, most] = boundedEffectivePods([10, 20, 30], 5) ?? [];
    // 5, 15, 35: 55² ÷ 1475; 15, 20 and 25 (the level lies between): the most even is 15, 25·(…)
    expect(least).toBeCloseTo(55 ** 2 / (25 + 225 + 1225), 9);
    // One level x for the middle pod: (15 + x + 25)² ÷ (225 + x² + 625) is greatest at x = 850 ÷ 40 = 21.25.
    expect(most).toBeCloseTo((15 + 21.25 + 25) ** 2 / (225 + 21.25 ** 2 + 625), 6);
    expect(boundedEffectivePods([0, 0], 5)).toBeNull();
  });
});

describe('intervals', () => {
  it('two pods of four seen, with 30 and 10', () => {
    const found = figureInterval([30, 10, null, null]);
    // All on one unseen pod, or the unseen pods filled to the level Σx² ÷ Σx = 1000 ÷ 40 = 25.
    expect(found?.effectivePods[0]).toBeCloseTo(1, 9);
    expect(found?.effectivePods[1]).toBeCloseTo(90 ** 2 / (900 + 100 + 2 * 625), 6);
    expect(found?.peakToMean[0]).toBeCloseTo(30 / 25, 9);
    expect(found?.peakToMean[1]).toBeCloseTo(4, 9);
  });

  it('an unseen pod that can carry 20 at most', () => {
    const found = figureInterval([30, 10, null, null], { maxUnknown: 20 });
    // Filled with 20 each: 80² ÷ 1800. Peak: 30 of 80 in four; at most 30 of 40.
    expect(found?.effectivePods[1]).toBeCloseTo(80 ** 2 / 1800, 6);
    expect(found?.effectivePods[0]).toBeCloseTo(40 ** 2 / 1000, 9);
    expect(found?.peakToMean).toEqual([4 * (30 / 80), 4 * (30 / 40)]);
  });

  it('nothing seen, or nothing there', () => {
    expect(figureInterval([null, null])?.effectivePods).toEqual([1, 2]);
    expect(figureInterval([0, null], { maxUnknown: 0 })).toBeNull();
    expect(figureInterval([5, null], { maxUnknown: 0 })?.effectivePods).toEqual([1, 1]);
    expect(figureInterval([0, 0])).toBeNull();
  });
});

describe('the order of pods', () => {
  it('(1 − k/P)^C, and 1 without pods or connections', () => {
    expect(emptyYoungest(4, 10, 7)).toBeCloseTo(0.3 ** 4, 12);
    expect(emptyYoungest(1, 1, 1)).toBe(0);
    expect([emptyYoungest(0, 10, 7), emptyYoungest(4, 0, 0), emptyYoungest(1, 2, 3)]).toEqual([1, 1, 0]);
  });

  it('two connections on the first of three pods: one of nine', () => {
    expect(orderedPlacement([0, 2, 4], [2, 0, 0])).toBeCloseTo(1 / 9, 12);
    // One on each of the first two, or better: (0,0), (0,2), (2,0).
    expect(orderedPlacement([0, 2, 4], [1, 1, 0])).toBeCloseTo(3 / 9, 12);
    expect(orderedPlacement([0], [5])).toBe(1);
    expect(orderedPlacement([0, 2], [0, 0])).toBe(1);
    expect(orderedPlacement([0, 2], [1, 0])).toBe(0.5);
  });
});

describe('outcomes', () => {
  const outcomes = [
    { value: 3, probability: 0.4 },
    { value: 1, probability: 0.1 },
    { value: 2, probability: 0.5 },
  ];

  it('have a mean, and quantiles that are reached', () => {
    expect(spreadOf(outcomes).mean).toBeCloseTo(2.3, 12);
    expect([spreadOf(outcomes).p10, spreadOf(outcomes).p90]).toEqual([1, 3]);
    const tenths = Array.from({ length: 10 }, (_, index) => ({ value: index, probability: 0.1 }));
    expect([spreadOf(tenths).p10, spreadOf(tenths).p90]).toEqual([0, 8]);
  });

  it('have their p10 where a tenth is reached and their p90 where nine tenths are, and no earlier', () => {
    const uneven = [
      { value: 1, probability: 0.095 },
      { value: 2, probability: 0.755 },
      { value: 3, probability: 0.15 },
    ];
    expect([spreadOf(uneven).p10, spreadOf(uneven).p90]).toEqual([2, 3]);
  });

  it('end with the greatest, where their probabilities do not sum to nine tenths', () => {
    const some = [4, 6, 5].map((value) => ({ value, probability: 0.25 }));
    expect(spreadOf(some).p90).toBe(6);
    expect(spreadOf([]).p90).toBe(0);
  });

  it('are no more probable than 1, however the parts were rounded', () => {
    const rounded = [
      { value: 1, probability: 0.6 },
      { value: 2, probability: 0.400_001 },
    ];
    expect(tailProbability(rounded, 1)).toBe(1);
  });

  it('are at least as great with the probability of those that are', () => {
    expect(tailProbability(outcomes, 2)).toBeCloseTo(0.9, 12);
    expect(tailProbability(outcomes, 2.001)).toBeCloseTo(0.4, 12);
    expect(tailProbability(outcomes, 0)).toBe(1);
  });
});

describe('placement', () => {
  it('counts connections by what they carry', () => {
    expect(effectiveConnections([1, 1, 1, 1])).toBe(4);
    expect(effectiveConnections([3, 1])).toBeCloseTo(1.6, 12);
    expect(effectiveConnections([0])).toBe(0);
  });

  it('an age moves all within 1.1 times itself, a fifth after a fifth of it', () => {
    expect(movedBy(300)).toBeCloseTo(330, 9);
    expect([partOfNewPod(60, 300), partOfNewPod(-1, 300), partOfNewPod(301, 300)]).toEqual([0.2, 0, 1]);
    expect(reconnectsPerSecond(600, 300)).toBe(2);
  });

  it('a client of one connection comes back to any pod alike', () => {
    // 4 and 0 beside a 2: (6, 0) is one pod, (4, 2) is 36 ÷ 20.
    expect(dealSomeAnew([4, 0], [2])).toBeCloseTo((1 + 1.8) / 2, 12);
    expect(dealSomeAnew([0, 0], [0])).toBe(0);
    expect(dealSomeAnew([1, 1], [])).toBe(2);
  });

  // Two million connections are dealt, a hundred times at least and ten thousand times at most.
  it.each([
    [4, 10, 10_000],
    [190, 10, 10_000],
    [390, 10, 5000],
    [990, 10, 2000],
    [30_000, 10, 100],
  ])('%s connections on %s pods are dealt %s times', (connections, pods, draws) => {
    expect(simulatePlacement({ weights: ones(connections), pods })?.draws).toBe(draws);
  });

  it('on one pod is one pod, and without pods or load nothing', () => {
    expect(simulatePlacement({ weights: [1, 2], pods: 1 })?.effectivePods.mean).toBeCloseTo(1, 9);
    expect(simulatePlacement({ weights: [1, 2], pods: 1 })?.peakToMean.mean).toBeCloseTo(1, 9);
    expect(simulatePlacement({ weights: [1], pods: 0 })).toBeNull();
    expect(simulatePlacement({ weights: [0], pods: 3 })).toBeNull();
  });
});

describe('the method of a chance', () => {
  const methodOf = (weights: readonly number[], pods: number) =>
    placementChance({ weights, pods }, [...ones(pods).slice(1), 2])?.method;

  it('is exact for eight unequal connections, drawn for nine', () => {
    expect([methodOf(unequal(8), 4), methodOf(unequal(9), 4)]).toEqual(['exact', 'monte-carlo']);
  });

  it('is exact for equal ones as long as there are few ways to split them, and then χ² from five a pod on', () => {
    expect(methodOf(ones(50), 10)).toBe('exact');
    expect([methodOf(ones(499), 100), methodOf(ones(500), 100)]).toEqual(['monte-carlo', 'chi-square']);
  });

  // Four million connections are dealt at most, 999 times at least and 19,999 times at most.
  it.each([
    [20, 19_999],
    [390, 10_000],
    [790, 5000],
  ])('%s unequal connections on 10 pods are dealt %s times', (count, draws) => {
    expect(placementChance({ weights: unequal(count), pods: 10 }, ones(10))?.draws).toBe(draws);
  });

  it('of one pod is no matter of chance', () => {
    const one = placementChance({ weights: [1, 1], pods: 1 }, [2]);
    expect(one?.probability).toBeCloseTo(1, 9);
    expect(one?.expectedEffectivePods).toBeCloseTo(1, 9);
    // By χ², too, where there are too many to split.
    const many = placementChance({ weights: ones(3000), pods: 1 }, [3000]);
    expect([many?.method, many?.probability]).toEqual(['chi-square', 1]);
    expect(many?.expectedEffectivePodsSpread).toEqual({ p10: 1, p90: 1 });
    expect(placementChance({ weights: [1], pods: 0 }, [1])).toBeNull();
    expect(placementChance({ weights: [0], pods: 2 }, [1, 0])).toBeNull();
    expect(placementChance({ weights: [1], pods: 2 }, [0, 0])).toBeNull();
  });

  it('two of two on one pod: one half, and 1.5 effective pods on average', () => {
    const found = placementChance({ weights: [1, 1], pods: 2 }, [2, 0]);
    expect(found?.probability).toBeCloseTo(0.5, 12);
    expect(found?.expectedEffectivePods).toBeCloseTo(1.5, 12);
    // A 3 and a 1: together on one pod in half of all deals, else 16 ÷ 10.
    const unlike = placementChance({ weights: [3, 1], pods: 2 }, [4, 0]);
    expect(unlike?.probability).toBeCloseTo(0.5, 12);
    expect(unlike?.expectedEffectivePods).toBeCloseTo((1 + 1.6) / 2, 12);
  });
});

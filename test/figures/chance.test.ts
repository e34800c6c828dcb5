import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placementChance } from '../../src/figures/chance.ts';
import { concentration, dealAtRandom } from '../../src/figures/deal.ts';
import { equalOccupancy, unequalOccupancy } from '../../src/figures/occupancy.ts';
import { dealSomeAnew, effectiveConnections, simulatePlacement } from '../../src/figures/placement.ts';
import { effectivePodsAtRandom } from './closed-form.ts';

const equal = (connections: number) => Array.from({ length: connections }, () => 1);

describe('placementChance', () => {
  it.each([
    [4, 10, [2, 1, 1], 0.496],
    [3, 10, [1, 1, 1], 1],
    [10, 4, [5, 3, 2, 0], 0.16687],
    [10, 4, [3, 3, 2, 2], 1],
    [20, 10, [7, 7, 6], 7.8333e-6],
    [30, 10, [10, 10, 10], 6.2207e-9],
  ])('of %d connections on %d pods as %j is %d', (connections, pods, counts, probability) => {
    const chance = placementChance({ weights: equal(connections), pods }, counts);
    expect(chance?.method).toBe('exact');
    expect((chance?.probability ?? 0) / probability).toBeCloseTo(1, 4);
  });

  it('expects what random placement gives on average', () => {
    expect(placementChance({ weights: equal(4), pods: 10 }, [2, 1, 1])).toMatchObject({
      expectedEffectivePods: expect.closeTo(3.2806, 4),
      expectedEffectivePodsSpread: { p10: expect.closeTo(8 / 3, 9), p90: expect.closeTo(4, 9) },
    });
  });

  it('does not depend on the unit, on idle pods that are named or on connections without load', () => {
    const chance = placementChance({ weights: [5, 3, 2, 1], pods: 10 }, [8, 2, 1]);
    const other = placementChance({ weights: [0, 500, 300, 0, 200, 100], pods: 10 }, [0, 0.2, 0, 0.1, 0.8]);
    expect(chance?.method).toBe('exact');
    expect(other?.probability).toBeCloseTo(chance?.probability ?? Number.NaN, 9);
  });

  it('counts ties although weights are summed in another order', () => {
    const weights = [0.1, 0.2, 0.3, 0.7];
    expect(placementChance({ weights, pods: 4 }, [0.7, 0.3, 0.2, 0.1])?.probability).toBeCloseTo(1, 9);
  });

  it('is χ² where connections are many', () => {
    const counts = [20, 15, 12, 12, 10, 9, 8, 6, 5, 3];
    const chance = placementChance({ weights: equal(100), pods: 10 }, counts);
    expect(chance?.method).toBe('chi-square');
    // scipy.stats.chi2.sf(22.8, 9)
    expect(chance?.probability).toBeCloseTo(0.00666146, 8);
    expect(chance?.expectedEffectivePods).toBeCloseTo(1000 / 109, 9);
  });

  it('is dealt otherwise, always in the same way', () => {
    const weights = Array.from({ length: 30 }, (_, index) => 1 + (index % 5));
    const chance = placementChance({ weights, pods: 10 }, [30, 20, 10, 10, 10, 10]);
    expect(chance).toMatchObject({ method: 'monte-carlo', draws: 19_999 });
    expect(placementChance({ weights, pods: 10 }, [30, 20, 10, 10, 10, 10])).toEqual(chance);
  });

  it('never says 0 of what was dealt', () => {
    const weights = Array.from({ length: 12 }, (_, index) => 1 + index / 100);
    const chance = placementChance({ weights, pods: 1000 }, [1]);
    expect(chance?.probability).toBe(1 / ((chance?.draws ?? 0) + 1));
  });

  it('does not lose itself in many light connections beside a few heavy ones', () => {
    const weights = Array.from({ length: 100_000 }, (_, index) => (index < 12 ? 1e6 + index : 1));
    const heavyOnly = placementChance({ weights: weights.slice(0, 12), pods: 10 }, [5e6, 4e6, 3e6]);
    const light = 1e5 / 10;
    const loads = [5e6, 4e6, 3e6, 0, 0, 0, 0, 0, 0, 0].map((load) => load + light);
    const chance = placementChance({ weights, pods: 10 }, loads);
    expect(chance?.method).toBe('monte-carlo');
    expect(Math.abs((chance?.probability ?? 0) - (heavyOnly?.probability ?? 0))).toBeLessThan(0.01);
  });

  it('says nothing where there is nothing', () => {
    expect(placementChance({ weights: [], pods: 3 }, [])).toBeNull();
    expect(placementChance({ weights: [0], pods: 3 }, [1])).toBeNull();
    expect(placementChance({ weights: [1], pods: 0 }, [1])).toBeNull();
    expect(placementChance({ weights: [1], pods: 3 }, [0, 0, 0])).toBeNull();
  });

  it('is 1 on one pod, by every method', () => {
    for (const weights of [equal(3), equal(5000), [1, 2, 3], Array.from({ length: 50 }, (_, index) => index + 1)]) {
      expect(placementChance({ weights, pods: 1 }, [6])?.probability).toBe(1);
    }
  });

  it('is the same for equal weights whether parts or groups are counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 12 }), (connections, pods) => {
        const bySums = new Map<number, number>();
        for (const { value, probability } of unequalOccupancy(equal(connections), pods) ?? []) {
          const squares = Math.round(value * connections ** 2);
          bySums.set(squares, (bySums.get(squares) ?? 0) + probability);
        }
        const byParts = equalOccupancy(connections, pods) ?? [];
        expect(byParts).toHaveLength(bySums.size);
        for (const { value, probability } of byParts) {
          expect(bySums.get(Math.round(value * connections ** 2))).toBeCloseTo(probability, 9);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('agrees by all methods where they meet', () => {
    const pods = 8;
    const counts = [9, 8, 7, 5, 4, 3, 3, 1];
    const weights = equal(40);
    const exact = placementChance({ weights, pods }, counts);
    expect(exact?.method).toBe('exact');
    let reached = 0;
    dealAtRandom({ weights, pods, draws: 20_000, seed: 7 }, (loads) => {
      if (concentration(loads) >= concentration(counts) - 1e-9) reached++;
    });
    expect(Math.abs(reached / 20_000 - (exact?.probability ?? 0))).toBeLessThan(0.01);
  });

  it('does not fall when the observed load is more even', () => {
    const tried = [[40], [30, 10], [20, 20], [20, 10, 10], [10, 10, 10, 10], [8, 8, 8, 8, 8]];
    const probabilities = tried.map(
      (counts) => placementChance({ weights: equal(40), pods: 10 }, counts)?.probability ?? 0,
    );
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => a - b));
  });
});

describe('simulatePlacement', () => {
  it('deals four connections to 3.3 of ten pods', () => {
    const forecast = simulatePlacement({ weights: equal(4), pods: 10 });
    expect(forecast?.effectivePods.mean).toBeGreaterThan(3.2);
    expect(forecast?.effectivePods.mean).toBeLessThan(3.4);
    expect(forecast?.effectivePods).toMatchObject({ p10: expect.closeTo(8 / 3, 9), p90: expect.closeTo(4, 9) });
    expect(forecast?.peakToMean).toMatchObject({ p10: 2.5, p90: 5 });
  });

  it.each([5, 10, 20, 40, 100, 400])('is near the closed form for %d connections on ten pods', (connections) => {
    const mean = simulatePlacement({ weights: equal(connections), pods: 10 })?.effectivePods.mean ?? 0;
    expect(Math.abs(mean / effectivePodsAtRandom(connections, 10) - 1)).toBeLessThan(0.07);
  });

  it('counts a heavy connection for what it is', () => {
    const weights = [97, 1, 1, 1];
    expect(effectiveConnections(weights)).toBeCloseTo(1.0625, 3);
    expect(simulatePlacement({ weights, pods: 10 })?.peakToMean.p10).toBeGreaterThanOrEqual(9.7);
  });

  it('is the same every time, and another with another seed', () => {
    const weights = [5, 4, 3, 2, 1];
    expect(simulatePlacement({ weights, pods: 7 })).toEqual(simulatePlacement({ weights, pods: 7 }));
    expect(simulatePlacement({ weights, pods: 7, seed: 5 })).not.toEqual(simulatePlacement({ weights, pods: 7 }));
    expect(simulatePlacement({ weights, pods: 7, draws: 10 })?.draws).toBe(10);
  });

  it('needs pods and load', () => {
    expect(simulatePlacement({ weights: [], pods: 3 })).toBeNull();
    expect(simulatePlacement({ weights: [1], pods: 0 })).toBeNull();
    expect(effectiveConnections([])).toBe(0);
  });
});

describe('dealSomeAnew', () => {
  it('deals one connection and leaves the rest', () => {
    // One beside [1, 1, 1] on ten pods: in three of ten draws it meets another one (2.67 effective pods), else 4.
    const fixed = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
    expect(dealSomeAnew(fixed, [1])).toBeCloseTo(0.3 * (16 / 6) + 0.7 * 4, 12);
  });

  it('deals several by simulation', () => {
    // Two on two empty pods meet in half of the draws (1 effective pod), else 2.
    expect(dealSomeAnew([0, 0], [1, 1])).toBeCloseTo(1.5, 1);
  });

  it('is the same each time, and 0 without load', () => {
    expect(dealSomeAnew([3, 1, 0], [2, 1])).toBe(dealSomeAnew([3, 1, 0], [2, 1]));
    expect(dealSomeAnew([0, 0], [])).toBe(0);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chanceUnder,
  effectiveInterval,
  estimatedPods,
  evenChance,
  shareIntervals,
  surePeak,
} from '../../src/figures/counts.ts';
import { seededIndexes } from '../../src/figures/random.ts';

const equal = (pods: number) => Array.from({ length: pods }, () => 1 / pods);
const grain = 100_000;

/** Deals events to pods by their true shares, `draws` times. */
function dealt(shares: readonly number[], events: number, draws: number): number[][] {
  const index = seededIndexes(7);
  const bounds = shares.map((_, pod) => shares.slice(0, pod + 1).reduce((sum, share) => sum + share, 0) * grain);
  return Array.from({ length: draws }, () => {
    const counts = shares.map(() => 0);
    for (let event = 0; event < events; event++) {
      const at = index(grain);
      const pod = Math.max(
        0,
        bounds.findIndex((bound) => at < bound),
      );
      counts[pod] = (counts[pod] ?? 0) + 1;
    }
    return counts;
  });
}

const half = (pods: number) => equal(pods).map((share, pod) => share * (pod < pods / 2 ? 1.5 : 0.5));
const oneBusy = (pods: number) => equal(pods).map((_, pod) => (pod === 0 ? 0.5 : 0.5 / (pods - 1)));

describe('effective pods seen through events', () => {
  it.each([
    ['two even pods', equal(2), 40],
    ['ten even pods', equal(10), 80],
    ['four, two of them with three times as much', half(4), 32],
    ['ten, five of them with three times as much', half(10), 200],
    ['fifty, half of all on one', oneBusy(50), 400],
    ['four, half of all on one', oneBusy(4), 60],
  ])('lie in the interval: %s', (_, shares, events) => {
    const pods = shares.length;
    const truth = 1 / shares.reduce((sum, share) => sum + share ** 2, 0);
    const draws = 1500;
    const missed = { above: 0, below: 0 };
    for (const counts of dealt(shares, events, draws)) {
      const seen = { shares: counts.map((count) => count / events), expected: equal(pods), events };
      const [least, most] = effectiveInterval(seen, 0.95);
      if (least > truth + 1e-9) missed.above++;
      if (most < truth - 1e-9) missed.below++;
    }
    // Each side may fail in one look of twenty; a simulation of 1,500 looks is within 1.7 points of that (3 σ).
    expect(missed.above / draws).toBeLessThan(0.067);
    expect(missed.below / draws).toBeLessThan(0.067);
  });

  it('grows narrow with the events, and wide with the level', () => {
    const shares = [0.5, 0.25, 0.25, 0];
    const width = (events: number, level: number) => {
      const [least, most] = effectiveInterval({ shares, expected: equal(4), events }, level);
      return most - least;
    };
    const widths = [10, 100, 1000, 10_000].map((events) => width(events, 0.95));
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(width(1e9, 0.999)).toBeLessThan(0.001);
    expect(width(100, 0.999)).toBeGreaterThan(width(100, 0.95));
  });

  it('is everything where there are not two events', () => {
    expect(effectiveInterval({ shares: [1, 0, 0], expected: equal(3), events: 1 }, 0.95)).toEqual([1, 3]);
    const [least, most] = effectiveInterval({ shares: [1, 0, 0], expected: equal(3), events: 2 }, 0.999);
    expect(least).toBeLessThan(1.1);
    expect(most).toBeCloseTo(3, 5);
  });

  it('is held against the shares that pods should have', () => {
    const expected = [0.7, 0.1, 0.1, 0.1];
    const [least] = effectiveInterval({ shares: expected, expected, events: 2000 }, 0.999);
    expect(least).toBeGreaterThan(3.5);
    const [, most] = effectiveInterval({ shares: expected, expected: equal(4), events: 2000 }, 0.999);
    expect(most).toBeLessThan(2.5);
  });
});

describe('the effective pods that are said', () => {
  const equalShares = (counts: readonly number[]) => {
    const events = counts.reduce((sum, count) => sum + count, 0);
    return { shares: counts.map((count) => count / events), expected: equal(counts.length), events };
  };

  it('leave out the pairs of an event with itself', () => {
    // 20, 10, 10 of 40 on ten pods: 560 of 1,560 ordered pairs lie on one pod, so 1560 / 560.
    expect(estimatedPods(equalShares([20, 10, 10, 0, 0, 0, 0, 0, 0, 0]))).toBeCloseTo(1560 / 560, 10);
  });

  it('are no more than the pods that got any', () => {
    // 6 and 6 of 12 on three pods: 60 of 132 pairs would be 2.2.
    expect(estimatedPods(equalShares([6, 6, 0]))).toBe(2);
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 12 }), (counts) => {
        fc.pre(counts.some((count) => count > 0));
        const said = estimatedPods(equalShares(counts));
        expect(said).toBeLessThanOrEqual(counts.filter((count) => count > 0).length + 1e-9);
        expect(said).toBeGreaterThanOrEqual(1 - 1e-9);
      }),
    );
  });

  it('of unequal shares are no more than these pods should do', () => {
    // The two that should have 60 % share 12 evenly as they should: 60 % of three pods.
    const said = estimatedPods({ shares: [0.5, 0.5, 0], expected: [0.3, 0.3, 0.4], events: 12 });
    expect(said).toBeCloseTo(1.8, 10);
  });

  it('of values that are no counts are P ÷ Σ s²/e', () => {
    expect(estimatedPods({ ...equalShares([6, 6, 0]), events: Number.POSITIVE_INFINITY })).toBe(2);
  });
});

describe('one share', () => {
  const one = (share: number, events: number, level: number) =>
    shareIntervals({ shares: [share], events }, level)[0] ?? [0, 1];

  // Wilson's interval of 5 of 20 at 95 % on both sides: 0.112 to 0.469 (Brown, Cai, DasGupta 2001, by the formula).
  it('has the interval of Wilson', () => {
    const [least, most] = one(0.25, 20, 0.975);
    expect(least).toBeCloseTo(0.1119, 3);
    expect(most).toBeCloseTo(0.4687, 3);
  });

  it('that was not seen at all may be 3 of as many events', () => {
    expect(one(0, 100, 0.95)).toEqual([0, expect.closeTo(0.0263, 3)]);
    expect(one(0, 0, 0.95)).toEqual([0, 1]);
  });

  it('is surely a peak only as far as all pods together allow', () => {
    const counted = { shares: [0.4, 0.2, 0.2, 0.2], expected: equal(4), events: 100 };
    expect(surePeak(counted, 0.95)).toBeLessThan(1.3);
    expect(surePeak({ ...counted, events: 1e6 }, 0.95)).toBeCloseTo(1.6, 2);
  });
});

describe('how likely counts are', () => {
  it('if the load is even: Pearson', () => {
    // 30, 20, 10 against 20 each: X² = 10 with 2 degrees of freedom.
    expect(evenChance({ shares: [0.5, 1 / 3, 1 / 6], expected: equal(3), events: 60 })).toBeCloseTo(Math.exp(-5), 6);
    expect(evenChance({ shares: [1], expected: [1], events: 10 })).toBe(1);
  });

  it('if it still lay as it did', () => {
    // A real cluster, 40 s after the fix: 72 calls even on ten pods, of which three had carried all before.
    const before = [0.5, 0.25, 0.25, ...Array.from({ length: 7 }, () => 0)];
    const after = Array.from({ length: 10 }, () => 7.2);
    expect(chanceUnder(after, before)).toBeLessThan(1e-20);
    expect(chanceUnder([36, 18, 18, 0, 0, 0, 0, 0, 0, 0], before)).toBeGreaterThan(0.5);
    expect(chanceUnder([0, 0], [0.5, 0.5])).toBe(1);
  });
});

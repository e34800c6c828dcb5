import { describe, expect, test } from 'vitest';
import { seededIndexes } from '../../src/figures/random.ts';
import { boundedEffectivePods, sampledEffectivePods } from '../../src/figures/sampling.ts';

/** `events` draws by the shares, as shares again. */
function sample(shares: readonly number[], events: number, uniform: () => number): number[] {
  const counts = shares.map(() => 0);
  for (let event = 0; event < events; event++) {
    let at = uniform();
    const pod = shares.findIndex((share) => {
      at -= share;
      return at < 0;
    });
    const found = pod < 0 ? shares.length - 1 : pod;
    counts[found] = (counts[found] ?? 0) + 1;
  }
  return counts.map((count) => count / events);
}

const even = (pods: number) => Array.from({ length: pods }, () => 1 / pods);
const effective = (shares: readonly number[]) => 1 / shares.reduce((sum, share) => sum + share ** 2, 0);

describe('sampledEffectivePods', () => {
  test.each([
    ['two pods, one and a half used', [0.8, 0.2], 60],
    ['scaled up: three of ten', [0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0, 0], 40],
    ['the same, longer', [0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0, 0], 2000],
    ['ten pods, even', even(10), 200],
    ['ten pods, nearly even', [0.14, 0.06, ...Array.from({ length: 8 }, () => 0.1)], 500],
    ['fifty pods, even', even(50), 1000],
    ['one of four has nearly all', [0.97, 0.01, 0.01, 0.01], 300],
  ])('holds the truth in at least 95 of 100 looks: %s', (_name, shares, events) => {
    const index = seededIndexes(7);
    const uniform = () => index(2 ** 30) / 2 ** 30;
    const looks = 1500;
    let held = 0;
    for (let look = 0; look < looks; look++) {
      const [low, high] = sampledEffectivePods(sample(shares, events, uniform), events);
      const truth = effective(shares);
      if (low <= truth + 1e-9 && truth <= high + 1e-9) held++;
    }
    expect(held / looks).toBeGreaterThan(0.95);
  });

  test('narrows with the square root of the events, and holds the figure that is shown', () => {
    const shares = [0.5, 0.25, 0.25, 0, 0];
    const width = (events: number) => {
      const [low, high] = sampledEffectivePods(shares, events);
      expect(low).toBeLessThanOrEqual(effective(shares));
      expect(high).toBeGreaterThanOrEqual(effective(shares));
      return high - low;
    };
    expect(width(100) / width(10_000)).toBeGreaterThan(8);
    expect(width(100) / width(10_000)).toBeLessThan(12.5);
  });

  test('never leaves 1 to P, however few events there are', () => {
    for (const events of [0, 1, 2, 3, 10])
      for (const shares of [even(4), [1, 0, 0, 0], [0.5, 0.5, 0, 0]]) {
        const [low, high] = sampledEffectivePods(shares, events);
        expect(low).toBeGreaterThanOrEqual(1);
        expect(high).toBeLessThanOrEqual(4);
        expect(low).toBeLessThanOrEqual(high);
      }
  });
});

describe('boundedEffectivePods', () => {
  test('two pods of 10 and 20, each ±5: from 5 and 25 to 15 and 15', () => {
    // 2 / (2·(25 + 625) / 900) = 900/650; both at 15 are even.
    expect(boundedEffectivePods([10, 20], 5)?.[0]).toBeCloseTo(900 / 650, 6);
    expect(boundedEffectivePods([10, 20], 5)?.[1]).toBeCloseTo(2, 6);
  });

  test('without an error it is the figure itself', () => {
    expect(boundedEffectivePods([3, 1, 0], 0)).toEqual([expect.closeTo(1.6, 6), expect.closeTo(1.6, 6)]);
  });

  test('holds whatever lies within the ranges', () => {
    const index = seededIndexes(3);
    const values = [40, 12, 8, 3, 1];
    const [low = 0, high = 0] = boundedEffectivePods(values, 4) ?? [];
    for (let draw = 0; draw < 2000; draw++) {
      const moved = values.map((value) => Math.max(0, value - 4 + (8 * index(1000)) / 999));
      const sum = moved.reduce((total, value) => total + value, 0);
      const found = sum ** 2 / moved.reduce((total, value) => total + value ** 2, 0);
      expect(found).toBeGreaterThanOrEqual(low - 1e-6);
      expect(found).toBeLessThanOrEqual(high + 1e-6);
    }
  });

  test('nothing to compare where nothing carries anything', () => {
    expect(boundedEffectivePods([0, 0], 5)).toBeNull();
  });
});

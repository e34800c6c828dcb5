import { describe, expect, test } from 'vitest';
import {
  effectiveConnections,
  movedBy,
  partOfNewPod,
  reconnectsPerSecond,
  simulatePlacement,
} from '../../src/figures/placement.ts';
import { seededIndexes } from '../../src/figures/random.ts';
import { proposedAge } from '../../src/strategies/max-connection-age.ts';
import { effectivePodsAtRandom } from './closed-form.ts';

const index = seededIndexes(42);
const uniform = () => index(2 ** 30) / 2 ** 30;

describe('connections dealt anew, against the closed form P·Ce/(Ce+P−1)', () => {
  const grid = [2, 3, 5, 10, 25, 60].flatMap((pods) =>
    [0.5, 1, 2, 4, 10].map((times) => [pods, Math.max(1, Math.round(times * pods))] as const),
  );

  // The closed form is the inverse of the mean of Σs², which is below the mean of the inverse: for two connections on two
  // pods 1.33 and 1.5, 12.5 % apart. From ten pods on it is within 7 %.
  test.each(grid)('%i pods, %i equal connections', (pods, connections) => {
    const forecast = simulatePlacement({ weights: Array(connections).fill(1), pods });
    const ratio = (forecast?.effectivePods.mean ?? 0) / effectivePodsAtRandom(connections, pods);
    expect(ratio).toBeGreaterThan(0.98);
    expect(ratio).toBeLessThan(pods >= 10 ? 1.07 : 1.13);
  });

  test.each([10, 20, 40])('%i pods, connections of unequal load: within 7 %% by their effective number', (pods) => {
    for (let draw = 0; draw < 5; draw++) {
      const weights = Array.from({ length: 4 * pods }, () => 1 + 9 * uniform() ** 3);
      const effective = effectiveConnections(weights);
      expect(effective).toBeGreaterThanOrEqual(pods / 2);
      const forecast = simulatePlacement({ weights, pods });
      const closed = effectivePodsAtRandom(effective, pods);
      expect(Math.abs((forecast?.effectivePods.mean ?? 0) / closed - 1)).toBeLessThan(0.07);
    }
  });

  // By hand, for two connections on two pods: together with probability 1/2, so 1 or 2 pods are used, 1.5 on average.
  test('two connections on two pods', () => {
    const forecast = simulatePlacement({ weights: [1, 1], pods: 2 });
    expect(forecast?.effectivePods.mean).toBeCloseTo(1.5, 1);
    expect(forecast?.peakToMean.mean).toBeCloseTo(1.5, 1);
    expect(forecast?.effectivePods).toMatchObject({ p10: 1, p90: 2 });
  });

  test('connections that may land on some pods only are dealt among these', () => {
    // Two pods of four, two connections: 1.5 as above, however many pods there are beside.
    const near = [0, 1];
    const forecast = simulatePlacement({ weights: [1, 1], reach: [near, near], pods: 4 });
    expect(forecast?.effectivePods.mean).toBeCloseTo(1.5, 1);
    expect(forecast?.effectivePods.p90).toBe(2);
    // One here, one there: never together. One without load takes no part.
    const apart = simulatePlacement({ weights: [1, 0, 1], reach: [[0], [1], [1]], pods: 2 });
    expect(apart?.effectivePods).toEqual({ mean: expect.closeTo(2, 9), p10: 2, p90: 2 });
    // Named twice, twice as probable: together with 2/3 · 2/3 + 1/3 · 1/3 = 5/9.
    const twice = [0, 0, 1];
    const uneven = simulatePlacement({ weights: [1, 1], reach: [twice, twice], pods: 2 });
    expect(uneven?.effectivePods.mean).toBeCloseTo(1 + 4 / 9, 1);
  });

  test('what the pods are that may be reached tells two forecasts apart', () => {
    const of = (reach: number[][]) => simulatePlacement({ weights: [1, 1], reach, pods: 3 })?.effectivePods.mean;
    const together = of([[0], [0]]);
    expect([together, of([[0], [1]]), of([[0], [0]])]).toEqual([expect.closeTo(1, 9), expect.closeTo(2, 9), together]);
  });

  test('one heavy connection: wherever it goes, its pod has it', () => {
    // 60 % on one connection, 40 % on forty: at least 0.6 · 10 = 6 times the mean, at most 1/(0.36 + …) = 2.6 pods.
    const forecast = simulatePlacement({ weights: [60, ...Array(40).fill(1)], pods: 10 });
    expect(forecast?.peakToMean.p10).toBeGreaterThanOrEqual(6);
    expect(forecast?.effectivePods.p90).toBeLessThan(2.7);
  });
});

/**
 * Connections that end after the age ±10 %, each at a time of its own, and reconnect to any of the pods; at second 0 a new
 * pod comes. What the new pod has at some times, when the last old connection has moved, and how often one reconnects.
 */
function simulateAge(connections: number, age: number, pods: number, until: number) {
  const life = () => age * (0.9 + 0.2 * uniform());
  // A connection is met at a random point of its life.
  const ends = Array.from({ length: connections }, () => life() * uniform());
  const isNew = Array.from({ length: connections }, () => false);
  const moved = Array.from({ length: connections }, () => false);
  let reconnects = 0;
  const shares = new Map<number, number>();
  let lastMoved = 0;
  for (let now = 0; now <= until; now++) {
    for (let at = 0; at < connections; at++) {
      while ((ends[at] ?? 0) <= now) {
        if (moved[at] === false) lastMoved = ends[at] ?? 0;
        moved[at] = true;
        isNew[at] = index(pods) === 0;
        reconnects++;
        ends[at] = (ends[at] ?? 0) + life();
      }
    }
    shares.set(now, isNew.filter(Boolean).length / connections);
  }
  return { shareAt: (seconds: number) => shares.get(seconds) ?? 0, lastMoved, perSecond: reconnects / until };
}

describe('a maximum connection age, against a simulation of connections that end and come again', () => {
  const [connections, age, pods] = [4000, 300, 8];
  const run = simulateAge(connections, age, pods, 3000);

  test.each([30, 75, 150, 240, 300, 600])('the share of a new pod after %i s', (seconds) => {
    // 4,000 connections, one in eight: ±0.5 % of all is one standard deviation; the jitter rounds off the corner at A.
    expect(Math.abs(run.shareAt(seconds) - partOfNewPod(seconds, age) / pods)).toBeLessThan(0.015);
  });

  test('every connection has moved by 1.1 times the age, and not much earlier', () => {
    expect(run.lastMoved).toBeLessThanOrEqual(movedBy(age));
    expect(run.lastMoved).toBeGreaterThan(0.95 * age);
  });

  test('reconnects per second: C/A', () => {
    expect(run.perSecond / reconnectsPerSecond(connections, age)).toBeGreaterThan(0.97);
    expect(run.perSecond / reconnectsPerSecond(connections, age)).toBeLessThan(1.03);
  });

  test.each([
    // The smallest of 5, 10, 15, 30, 60 min with at most one reconnect a second and pod: C ≤ A·P.
    [0, 10, 300],
    [3000, 10, 300],
    [3001, 10, 600],
    [6001, 10, 900],
    [9001, 10, 1800],
    [18_001, 10, 3600],
    [36_000, 10, 3600],
    [1_000_000, 10, 3600],
    [300, 1, 300],
  ])('%i connections on %i pods: an age of %i s', (count, on, seconds) => {
    expect(proposedAge(count, on)).toBe(seconds);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fairSharesOf, loadsOf, outsideShares } from '../../src/report/carried.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { calm, flapping, withTurns } from '../../src/watch/flapping.ts';
import { orderPods } from '../../src/watch/order.ts';
import { podRows } from '../../src/watch/rows.ts';
import { shownReport } from '../../src/watch/shown.ts';
import { noTrend, overTime, type Trend, withSample } from '../../src/watch/trend.ts';
import { balanced, pod, report, scaleUp } from '../render/reports.ts';
import { noon, reduced } from './actions.ts';

const busy = (name: string) => pod(name, { load: 0.5, marks: ['hot'] });
const idle = (name: string, marks: readonly ('new' | 'restarted')[] = []) =>
  pod(name, { load: 0, marks: ['idle', ...marks] });

test('shares of all pods, those outside the endpoints too, are one load: together 100 %', () => {
  const calls = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(fc.array(calls, { minLength: 1 }), fc.array(calls), (within, beyond) => {
      const all = within.reduce((sum, one) => sum + one, 0);
      fc.pre(all > 0);
      const pods = [
        ...within.map((one, at) => pod(`in-${at}`, { load: one / all, callsPerSecond: one })),
        ...beyond.map((one, at) =>
          pod(`out-${at}`, { endpoint: false, load: null, expectedShare: null, callsPerSecond: one }),
        ),
      ];
      const shares = [...loadsOf(pods).values()];
      expect(shares).toHaveLength(pods.length);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      // A pod has as many fair shares as among the endpoints alone.
      for (const one of pods.slice(0, within.length))
        expect((loadsOf(pods).get(one) ?? 0) * (one.expectedShare ?? 0)).toBeCloseTo(
          (fairSharesOf(pods).get(one) ?? 0) * (one.load ?? 0),
          9,
        );
    }),
  );
});

describe('the rows of the pods', () => {
  const names = (pods: Parameters<typeof podRows>[0], unfolded = false) =>
    podRows(pods, { order: 'load', unfolded, filter: '' }).map((row) =>
      row.kind === 'pod' ? row.pod.name : row.pods.length,
    );

  test('three idle pods and more stand in one row, and below it where it is unfolded', () => {
    const pods = [busy('a'), idle('b'), idle('c', ['new']), idle('d')];
    expect(names(pods)).toEqual(['a', 3]);
    expect(names(pods, true)).toEqual(['a', 3, 'b', 'c', 'd']);
    expect(names(pods.slice(0, 3))).toEqual(['a', 'b', 'c']);
  });

  test('an idle pod with something else to be said of it stays on its own', () => {
    expect(names([busy('a'), idle('b', ['restarted']), idle('c'), idle('d'), idle('e')])).toEqual(['a', 'b', 3]);
  });

  test('where all are idle, and in another order, each has a row', () => {
    const pods = [idle('a'), idle('b'), idle('c')];
    expect(names(pods)).toEqual(['a', 'b', 'c']);
    expect(podRows([busy('d'), ...pods], { order: 'name', unfolded: false, filter: '' })).toHaveLength(4);
  });
});

describe('a pod outside the endpoints', () => {
  const outside = (connections: number | null) =>
    pod('out', {
      endpoint: false,
      load: null,
      connections,
      bytesPerSecond: null,
      bytesTotal: null,
      callsPerSecond: null,
    });
  const within = (name: string, connections: number) =>
    pod(name, { connections, bytesPerSecond: null, bytesTotal: null, callsPerSecond: null });

  test('comes first, with its share of all, where it carries load', () => {
    const pods = [within('a', 1), within('b', 1), outside(2)];
    expect(orderPods(pods, 'load').map(({ name }) => name)).toEqual(['out', 'a', 'b']);
    // 2 of 4 connections.
    expect([...outsideShares(pods).values()]).toEqual([0.5]);
  });

  test('stays where it is without any, and where nothing is known of it', () => {
    for (const connections of [0, null])
      expect(orderPods([within('a', 1), outside(connections)], 'load').map(({ name }) => name)).toEqual(['a', 'out']);
  });
});

describe('the trend', () => {
  const using = (effectivePods: number): SkewReport =>
    report('echo', { ...scaleUp.status, skew: scaleUp.status.skew && { ...scaleUp.status.skew, effectivePods } });

  test('keeps the first sample and the newest, and spreads the others over all of the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1500 }), (looks) => {
        let trend: Trend = noTrend;
        for (let look = 0; look < looks; look++) trend = withSample(trend, using(1 + look / 1000), noon + look * 3000);
        const { first, samples } = trend;
        expect(first?.at).toBe(noon);
        expect(samples.at(-1)?.at).toBe(noon + (looks - 1) * 3000);
        expect(samples.length).toBeLessThanOrEqual(120);
        // No gap is longer than twice the mean of the densest trend of that time.
        const gaps = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? 0));
        for (const gap of gaps) expect(gap).toBeLessThanOrEqual(Math.max(6000, (looks * 3000) / 15));
      }),
      { numRuns: 30 },
    );
  });

  test('a report that cannot tell adds nothing', () => {
    expect(withSample(noTrend, report('echo', { ...scaleUp.status, skew: null }), noon)).toBe(noTrend);
  });

  test('a part of a time has what was true at its end', () => {
    const points = [
      { at: 0, value: 'a' },
      { at: 50, value: 'b' },
    ];
    expect(overTime(points, [0, 100], 4)).toEqual(['a', 'b', 'b', 'b']);
    expect(overTime(points, [-100, 0], 2)).toEqual([null, 'a']);
  });

  test('grows with whole looks only', () => {
    const arrives = (waitingFor: string | null, at: number) =>
      ({
        kind: 'report',
        report: { ...scaleUp, metadata: { ...scaleUp.metadata, generatedAt: new Date(at).toISOString() } },
        waitingFor,
        at,
      }) as const;
    const looking = reduced([arrives('the second sample', noon)]);
    expect(looking.trend).toEqual(noTrend);
    expect(reduced([arrives(null, noon + 3000), arrives(null, noon + 6000)], looking).trend.samples).toHaveLength(2);
  });
});

describe('what comes and goes', () => {
  const second = 1000;
  const out: SkewReport = report('echo', {
    ...scaleUp.status,
    headline: { ...scaleUp.status.headline, now: 'advice while it is out' },
    pods: scaleUp.status.pods.map((entry, index) => (index === 0 ? { ...entry, endpoint: false } : entry)),
  });
  const name = scaleUp.status.pods[0]?.name;
  const unrestOf = (looks: readonly (readonly [seconds: number, report: SkewReport])[]) =>
    looks.slice(1).reduce((unrest, [seconds, after], index) => {
      const [, before] = looks[index] ?? [0, after];
      return withTurns(unrest, before, after, noon + seconds * second);
    }, calm);

  test('away, back and away again within two minutes is flapping; away, or away and back, is not', () => {
    const looks = [
      [0, scaleUp],
      [15, out],
      [30, scaleUp],
      [45, out],
    ] as const;
    expect(flapping(unrestOf(looks))).toBe(`${name} NotReady 2 times in 2 min`);
    expect(flapping(unrestOf(looks.slice(0, 3)))).toBeNull();
    expect(flapping(unrestOf(looks.slice(0, 2)))).toBeNull();
  });

  test('the same over a longer time is not, and after two quiet minutes nothing is left of it', () => {
    expect(
      flapping(
        unrestOf([
          [0, scaleUp],
          [15, out],
          [100, scaleUp],
          [190, out],
        ]),
      ),
    ).toBeNull();
    expect(
      unrestOf([
        [0, scaleUp],
        [15, out],
        [30, scaleUp],
        [45, out],
        [165, out],
      ]),
    ).toEqual(calm);
  });

  test('a verdict that changes to and fro is flapping, too', () => {
    expect(
      flapping(
        unrestOf([
          [0, balanced],
          [15, scaleUp],
          [30, balanced],
          [45, scaleUp],
        ]),
      ),
    ).toMatch(/the verdict worsened 2 times in 2 min/);
  });

  test('meanwhile the advice is that of the worst look, and the figures are the newest', () => {
    const at = (one: SkewReport, seconds: number) =>
      ({
        kind: 'report',
        report: { ...one, metadata: { ...one.metadata, generatedAt: new Date(noon + seconds * second).toISOString() } },
        waitingFor: null,
        at: noon + seconds * second,
      }) as const;
    const state = reduced([at(scaleUp, 0), at(out, 15), at(scaleUp, 30), at(out, 45), at(scaleUp, 60)]);
    const shown = shownReport(state);
    expect(shown?.status.headline.now).toBe('advice while it is out');
    expect(shown?.status.pods).toEqual(scaleUp.status.pods);
    expect(shownReport(reduced([at(scaleUp, 0), at(out, 15)]))?.status).toEqual(out.status);
  });
});

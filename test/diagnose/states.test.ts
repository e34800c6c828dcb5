import { describe, expect, it } from 'vitest';
import { type MeasuredValues, readDistribution } from '../../src/facts/distribution.ts';
import { seededIndexes } from '../../src/figures/random.ts';
import { dealt, type Plan, pods } from './build.ts';
import type { ConnectionPlan } from './build-looks.ts';
import { expectNear, reading, statusOf } from './report.ts';

/** One connection at each pod, that carries `parts[i]` times the fair part of a pod. */
function loaded(parts: readonly number[], more: Partial<ConnectionPlan> = {}): ConnectionPlan[] {
  return parts.map((part, pod) => ({ from: `web-${pod}`, to: `echo-${pod}`, bytesPerSecond: 10_000 * part, ...more }));
}

const cpu = (parts: readonly number[]) =>
  parts.map((part, index) => ({ name: `echo-${index}`, cpuMillicores: 100 * part }));

describe('the table of readings', () => {
  const even = [1, 1, 1, 1];
  const uneven = [3, 0.5, 0.3, 0.2];

  it('uneven, uneven, uneven: placement', () => {
    const status = statusOf({ pods: cpu(uneven), connections: dealt([6, 1, 1, 0]) });
    expect(['connections', 'bytes', 'cpu'].map((id) => reading(status, id as 'cpu'))).toEqual(Array(3).fill('uneven'));
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes', confidence: 'certain' });
    expect(status.causes[0]?.id).toBe('few-connections');
  });

  it.each([
    ['even', even],
    ['uneven', uneven],
  ])('even, uneven, %s CPU: a hot client', (_, millicores) => {
    const quiet = dealt([4, 4, 4, 4], { bytesPerSecond: 20 });
    const connections = [...quiet, { from: 'hot', to: 'echo-0', bytesPerSecond: 5000 }];
    const status = statusOf({ pods: cpu(millicores), connections });
    expect([reading(status, 'connections'), reading(status, 'bytes')]).toEqual(['even', 'uneven']);
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes' });
    expect(status.causes[0]?.id).toBe('hot-client');
  });

  it('even, even, uneven: uneven work, which no balancing mends', () => {
    const status = statusOf({ pods: cpu(uneven), connections: dealt([4, 4, 4, 4]) });
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(status.causes.map((cause) => cause.id)).toEqual(['uneven-work']);
  });

  it.each([
    ['even', even],
    ['uneven', uneven],
  ])('uneven, even, %s CPU: idle pools, or balanced elsewhere: no fault', (_, millicores) => {
    const idle = dealt([9, 0, 0, 0], { bytesPerSecond: 0, segmentsPerSecond: 0 });
    const status = statusOf({ pods: cpu(millicores), connections: [...loaded(even), ...idle] });
    expect([reading(status, 'connections'), reading(status, 'bytes')]).toEqual(['uneven', 'even']);
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'bytes' });
    expect(status.recommendation).toMatchObject({ rule: 1, action: 'keep' });
  });

  it('uneven, unknown, even: probably harmless; bytes would settle it', () => {
    const status = statusOf({ pods: cpu(even), connections: dealt([6, 1, 1, 0]), way: 'proc' });
    expect([reading(status, 'connections'), reading(status, 'bytes')]).toEqual(['uneven', undefined]);
    expect(status.verdict).toMatchObject({
      state: 'balanced',
      basis: 'cpu',
      confidence: 'possible',
      summary: '4 pods share the CPU use evenly, though not the connections',
    });
    expect(status.verdict.settledBy).toContain('what the connections carry');
  });

  it('uneven, unknown, uneven: likely, since connections are the mechanism and not the load', () => {
    const status = statusOf({ pods: cpu(uneven), connections: dealt([6, 1, 1, 0]), way: 'proc' });
    expect(status.verdict).toMatchObject({ state: 'skewed', confidence: 'likely' });
  });

  it('uneven, unknown, unknown: likely', () => {
    const status = statusOf({ pods: pods(4), connections: dealt([6, 1, 1, 0]), way: 'proc', usage: false });
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'connections', confidence: 'likely' });
  });

  it('even, even, even: balanced', () => {
    const status = statusOf({ pods: cpu(even), connections: dealt([4, 4, 4, 4]) });
    expect(status.verdict).toEqual({
      state: 'balanced',
      kind: null,
      basis: 'bytes',
      source: 'sockets',
      span: 'window',
      confidence: 'certain',
      summary: '4 pods share the load evenly',
      settledBy: null,
      settledInSeconds: null,
    });
  });
});

describe('CPU in the place of the load', () => {
  it('tells nothing beside calls of most pods that contradict it', () => {
    const calls = pods(6).map(({ name }) => ({ pod: name, perSecond: 30 }));
    const millicores = [...pods(2, { cpuMillicores: 320 }), ...pods(5, { cpuMillicores: 65 }, 2)];
    const status = statusOf({ pods: millicores, calls, exec: false });
    expect(status.verdict.state).toBe('unknown');
    const following = calls.map((entry, index) => ({ ...entry, perSecond: index < 2 ? 150 : 30 }));
    expect(statusOf({ pods: millicores, calls: following, exec: false }).verdict.state).toBe('skewed');
  });

  it('does not acquit where a pod stands still and nothing tells why', () => {
    const still = (millicores: number): Plan => ({
      pods: [...pods(5, { cpuMillicores: 400 }), ...pods(1, { cpuMillicores: millicores }, 5)],
      exec: false,
    });
    // A twentieth of the sixth part of all is 17 millicores.
    expect(statusOf(still(2)).verdict).toMatchObject({
      ...{ state: 'unknown', confidence: 'possible', settledBy: 'the connections of echo-0 and 5 more: not looked at' },
      summary: '1 of 6 pods uses hardly any CPU, and no connection or call was seen that tells why',
    });
    expect(statusOf(still(30)).verdict.state).toBe('balanced');
  });
});

describe('connections of a break of the network', () => {
  /** All connections were replaced within the window, the old ones after so many seconds. */
  const replaced = (lived: number): Plan => ({
    pods: pods(4),
    usage: false,
    clients: Array.from({ length: 10 }, (_, index) => ({ name: `web-${index}`, startedSeconds: 9000 })),
    connections: [
      ...dealt([6, 2, 1, 1], { ageSeconds: 6, segmentsPerSecond: 100 }),
      ...dealt([3, 3, 2, 2], { gone: true, ageSeconds: 10 + lived, segmentsPerSecond: 100, peerPort: 50_000 }),
    ],
  });

  it('say how the load lies now: what ended had carried many calls', () => {
    const status = statusOf(replaced(60));
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes' });
    expect(status.causes.map(({ id }) => id)).toContain('few-connections');
    expect(status.recommendation.action).toBe('adopt');
  });

  it('say nothing where those that ended had carried a call each', () => {
    const status = statusOf(replaced(0.05));
    expect(status.causes.map(({ id }) => id)).toEqual(['connection-churn']);
    expect(status.recommendation.rule).toBe(0);
  });
});

describe('the limits of the states', () => {
  const state = (parts: readonly number[], more: Partial<Plan> = {}) =>
    statusOf({ pods: pods(parts.length), connections: loaded(parts), ...more }).verdict.state;
  const halves = (high: number) => [...Array(5).fill(high), ...Array(5).fill(2 - high)];

  it('needs a peak of 1.5 …', () => {
    // Five pods with 1.49 and five with 0.51 times the fair part are 8.1 effective pods; with 1.52 and 0.48, 7.9.
    expect(state(halves(1.49))).toBe('balanced');
    expect(state(halves(1.52))).toBe('skewed');
  });

  it('… and less than 80 % effective pods …', () => {
    // Four with 1.55 and six with 0.63: a peak over 1.5, and 8.3 of 10.
    const parts = [...Array(4).fill(1.55), ...Array(6).fill(3.8 / 6)];
    const status = statusOf({ pods: pods(10), connections: loaded(parts) });
    expectNear(status.skew?.effectivePods, 8.3, 0.1);
    expect(status.verdict).toMatchObject({
      state: 'balanced',
      confidence: 'likely',
      summary: '10 pods share the load: a little uneven (the busiest has 1.6 × its part)',
    });
  });

  it('… or an idle pod, under 5 % of its part', () => {
    const withSmallest = (least: number) => [1.6, least, ...Array(8).fill((8.4 - least) / 8)];
    expect(state(withSmallest(0.06))).toBe('balanced');
    expect(state(withSmallest(0.04))).toBe('skewed');
  });

  it('… or a pod from 80 % of its CPU limit on, while the mean is below 50 %', () => {
    const parts = [...Array(4).fill(1.55), ...Array(6).fill(3.8 / 6)];
    const hot = (most: number, others: number) => ({
      pods: pods(10, { cpuMillicores: others }).map((pod, index) =>
        index === 0 ? { ...pod, cpuMillicores: most } : pod,
      ),
    });
    expect(state(parts, hot(790, 300))).toBe('balanced');
    expect(state(parts, hot(810, 300))).toBe('skewed');
    expect(state(parts, hot(810, 520))).toBe('balanced');
  });

  it('calls a peak from 1.25 on a little uneven, below it even', () => {
    const parts = (peak: number) => [peak, ...Array(3).fill((4 - peak) / 3)];
    const summary = (peak: number) => statusOf({ pods: pods(4), connections: loaded(parts(peak)) }).verdict.summary;
    expect(summary(1.24)).toBe('4 pods share the load evenly');
    expect(summary(1.26)).toBe('4 pods share the load: a little uneven (the busiest has 1.3 × its part)');
  });

  it('calls it skewed when idle pods leave fewer than four fifths to do the work, however even these are', () => {
    const status = statusOf({ pods: pods(4), connections: loaded([1.4, 1.3, 1.3, 0]) });
    expect(status.verdict.summary).toBe('4 pods do the work of 3: 1 is idle');
  });

  it('names every limit in the report', () => {
    expect(statusOf({ pods: pods(2) }).limits).toMatchObject({
      skewedPeakToMean: 1.5,
      skewedEffectivePart: 0.8,
      balancedPeakToMean: 1.25,
      idlePart: 0.05,
      certainLevel: 0.999,
    });
  });

  describe('says no traffic when no client is connected to any pod', () => {
    const open = [{ port: 50_051, loopback: false }];
    const listening = Object.fromEntries([0, 1, 2, 3].map((at) => [`echo-${at}`, open]));
    const silent = [0, 1, 2, 3].map((at) => ({ pod: `echo-${at}`, perSecond: 0 }));

    it('certain, where the tables show their listeners and no CPU is used', () => {
      const status = statusOf({ pods: pods(4, { cpuMillicores: 2 }), listening });
      expect(status.verdict).toMatchObject({ state: 'no-traffic', confidence: 'certain' });
      expect(status.headline.now).toBe('nothing to do');
      expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep', strategy: 'cluster-ip' });
    });

    it('certain, where all pods count no call', () => {
      const status = statusOf({ pods: pods(4), calls: silent });
      expect(status.verdict).toMatchObject({ state: 'no-traffic', confidence: 'certain' });
    });

    it('likely, where calls of milliseconds may have passed between the looks', () => {
      const status = statusOf({ pods: pods(4), listening });
      expect(status.verdict).toMatchObject({ state: 'no-traffic', confidence: 'likely' });
    });

    it('likely, and worth another look, where the pods have just come', () => {
      const young = pods(4, { ageSeconds: 90, cpuMillicores: 2 });
      const status = statusOf({ pods: young, listening });
      expect(status.verdict).toMatchObject({ state: 'no-traffic', confidence: 'likely' });
      expect(status.headline.now).not.toBe('nothing to do');
    });

    it('not, where a pod is busy all the same', () => {
      const busy = [...pods(3, { cpuMillicores: 2 }), ...pods(1, { cpuMillicores: 960 }, 3)];
      const status = statusOf({ pods: busy, listening });
      expect(status.verdict.state).toBe('unknown');
      expect(status.headline.now).toContain('echo-3');
    });

    it('not, where calls are counted', () => {
      const calls = [100, 1, 1, 1].map((perSecond, at) => ({ pod: `echo-${at}`, perSecond }));
      expect(statusOf({ pods: pods(4), listening, calls }).verdict).toMatchObject({ state: 'skewed', basis: 'calls' });
    });

    it('not, where the tables lack even the listeners: they cannot be right', () => {
      const status = statusOf({ pods: pods(4, { cpuMillicores: 2 }), listening: {} });
      expect(status.verdict.state).toBe('unknown');
      expect(status.pods.map(({ connections }) => connections)).toEqual([null, null, null, null]);
      expect(status.verdict.settledBy).toContain('without even its own listener');
    });
  });

  it('says no traffic, likely, when the connections carry nothing', () => {
    const connections = dealt([4, 1, 1, 1], { bytesPerSecond: 0, segmentsPerSecond: 0 });
    expect(statusOf({ pods: pods(4), connections, usage: false }).verdict.state).not.toBe('balanced');
  });
});

describe('an uneven load of which no cause is known', () => {
  /** Every client is connected to every pod, and all of them call the first one most. */
  const tilted = (more: Partial<Plan> = {}): Plan => ({
    pods: pods(3),
    connections: [0, 1, 2, 3].flatMap((client) =>
      [4000, 900, 300].map((bytesPerSecond, pod) => ({ from: `web-${client}`, to: `echo-${pod}`, bytesPerSecond })),
    ),
    ...more,
  });

  it.each([
    ['on a headless Service', { service: { clusterIP: 'None' } }, 'how many channels each client makes'],
    [
      'behind sidecars',
      { clients: [0, 1, 2, 3].map((index) => ({ name: `web-${index}`, meshProxies: ['istio-proxy'] })) },
      'what istio-proxy is told about this host',
    ],
  ])('says what would settle it %s', (_, more, look) => {
    const status = statusOf(tilted(more));
    expect([status.verdict.state, status.causes]).toEqual(['skewed', []]);
    expect(status.headline.why).toBe('no known cause fits what was seen');
    expect(status.verdict.settledBy).toContain(look);
    expect(status.recommendation.first[0]).toBe(`see ${status.verdict.settledBy}`);
  });
});

describe('noise', () => {
  const perPod = (counts: readonly number[]): MeasuredValues => ({
    basis: 'bytes',
    span: 'window',
    seconds: 3,
    values: counts.map((count) => 100 * count),
    events: counts.reduce((sum, count) => sum + count, 0),
    source: 'sockets',
  });
  const around = { excluded: new Set<number>(), nearLimit: false };
  const index = seededIndexes(7);
  /** `events` calls that fall on `count` pods at random, each as likely on one as on another. */
  const fair = (events: number, count: number) => {
    const counts = Array.from({ length: count }, () => 0);
    for (let event = 0; event < events; event++) {
      const pod = index(count);
      counts[pod] = (counts[pod] ?? 0) + 1;
    }
    return counts;
  };

  it('never reads 10 calls a second on 10 pods, seen for 3 s, as uneven', () => {
    const readings = Array.from({ length: 3000 }, () => readDistribution(perPod(fair(30, 10)), around).reading);
    expect(readings).not.toContain('uneven');
  });

  it('rarely reads a fair window with just enough calls as uneven', () => {
    const readings = Array.from({ length: 1000 }, () => readDistribution(perPod(fair(200, 10)), around).reading);
    expect(readings.filter((entry) => entry === 'uneven').length).toBeLessThan(20);
  });

  it('never calls a fair Service skewed that it saw for 3 s only', () => {
    for (let draw = 0; draw < 60; draw++) {
      const connections = fair(30, 10).map((calls, pod) => ({
        from: `web-${pod}`,
        to: `echo-${pod}`,
        ageSeconds: 3,
        bytesPerSecond: 33 * calls,
        segmentsPerSecond: calls / 3,
      }));
      const { verdict } = statusOf({ pods: pods(10), connections, windowSeconds: 3, usage: false });
      expect(verdict.state).not.toBe('skewed');
    }
  });

  it('asks for a longer look when there are too few calls to judge', () => {
    const connections = [4, 2, 3, 3].map((calls, pod) => ({
      from: `web-${pod}`,
      to: `echo-${pod}`,
      ageSeconds: 3,
      bytesPerSecond: 33 * calls,
      segmentsPerSecond: calls / 3,
    }));
    const { verdict } = statusOf({ pods: pods(4), connections, windowSeconds: 3, usage: false });
    expect(verdict.state).toBe('unknown');
    expect(verdict.settledBy).toContain('--window');
  });

  it.each([
    // 60 calls, all on one pod of ten: (1/10)^59 by chance, and no connection leads to the others.
    [20, 'certain'],
    // A dozen calls: no connection leads anywhere else, but so few calls are an anecdote.
    [4, 'likely'],
  ])('sees that %d calls a second all reach the one pod with a connection: %s', (segmentsPerSecond, confidence) => {
    const connections = [{ from: 'web', to: 'echo-0', ageSeconds: 3, bytesPerSecond: 2000, segmentsPerSecond }];
    const { verdict } = statusOf({ pods: pods(10), connections, windowSeconds: 3, usage: false });
    expect(verdict).toMatchObject({ state: 'skewed', confidence });
  });

  it('takes the lifetime counters where the window has too few calls', () => {
    const connections = loaded([1, 1, 1, 1], { bytesPerSecond: 10, segmentsPerSecond: 0.1, ageSeconds: 80_000 });
    const { verdict } = statusOf({ pods: pods(4), connections });
    expect(verdict).toMatchObject({ state: 'balanced', basis: 'bytes', confidence: 'likely' });
  });

  it('is sure of the present only: lifetime counters tell what was', () => {
    const connections = dealt([6, 1, 1, 0]);
    expect(statusOf({ pods: pods(4), connections }).verdict.confidence).toBe('certain');
    expect(statusOf({ pods: pods(4), connections, windowSeconds: 0 }).verdict.confidence).toBe('likely');
  });

  it('goes by the present where lifetime and present differ, and shows both', () => {
    const connections = [4e9, 1e7, 1e7, 1e7].map((lifetimeBytes, pod) => ({
      from: `web-${pod}`,
      to: `echo-${pod}`,
      lifetimeBytes,
    }));
    const status = statusOf({ pods: pods(4), connections });
    expect(status.verdict.state).toBe('balanced');
    const bytes = status.distributions.filter((entry) => entry.basis === 'bytes');
    expect(bytes.map((entry) => [entry.span, entry.reading])).toEqual([
      ['window', 'even'],
      ['lifetime', 'uneven'],
    ]);
  });

  it('takes a few millicores for the cost of looking', () => {
    const status = statusOf({ pods: cpu([0.05, 0.01, 0.01, 0.02]), exec: false });
    expect(reading(status, 'cpu')).toBe('unknown');
    expect(status.verdict.state).toBe('unknown');
  });

  it('does not call the smallest of four busy pods idle', () => {
    const status = statusOf({ pods: cpu([1.1, 1, 1, 0.9]), exec: false });
    expect(status.skew?.idlePods).toBe(0);
    expect(status.pods.flatMap((pod) => pod.marks)).not.toContain('idle');
  });

  it('calls a pod idle whose CPU is no more than the smallest', () => {
    const status = statusOf({ pods: cpu([3, 3, 0.2, 0.2]), exec: false });
    expect(status.skew?.idlePods).toBe(2);
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'cpu', confidence: 'likely' });
  });
});

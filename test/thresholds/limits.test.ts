/** The limits of docs/verdict.md, each just missed and just reached, with all else the same. */
import { describe, expect, it } from 'vitest';
import type { Happening } from '../../src/evidence/objects.ts';
import { dealt, meshed, type Plan, pods } from '../diagnose/build.ts';
import { ago, type ConnectionPlan } from '../diagnose/build-looks.ts';
import { statusOf } from '../diagnose/report.ts';
import { firstNumbers, to } from './worlds.ts';

/** One connection at each pod, that carries so many times the fair part of a pod. */
const loaded = (parts: readonly number[]): ConnectionPlan[] =>
  parts.map((part, pod) => ({ from: `web-${pod}`, to: `echo-${pod}`, bytesPerSecond: 10_000 * part }));

const verdictOf = (parts: readonly number[], more: Partial<Plan> = {}) =>
  statusOf({ pods: pods(parts.length), connections: loaded(parts), ...more }).verdict;

/** How the bytes of the connections are read. */
const readingOf = (parts: readonly number[], more: Partial<Plan> = {}) =>
  statusOf({ pods: pods(parts.length), connections: loaded(parts), ...more }).distributions.find(
    ({ basis, span }) => basis === 'bytes' && span === 'window',
  )?.reading;

const stateOf = (parts: readonly number[], more: Partial<Plan> = {}) => verdictOf(parts, more).state;

describe('the load', () => {
  // Eight pods, of which one is idle: 7 effective pods, over 80 %, so that peak and idleness alone decide.
  it.each([
    [1.499, 'balanced'],
    [1.5, 'skewed'],
  ])('a peak of %s beside an idle pod: %s', (peak, state) => {
    expect(stateOf([peak, 0, ...Array(5).fill(1.08), 8 - peak - 5.4])).toBe(state);
  });

  it.each([
    [0.05, 'balanced'],
    [0.0499, 'skewed'],
  ])('a pod with %s of its part beside a peak of 1.5: %s', (least, state) => {
    expect(stateOf([1.5, least, ...Array(5).fill(1.075), 8 - 1.5 - least - 5.375])).toBe(state);
  });

  // One pod of ten with the share s, the others alike: 1 ÷ (s² + (1 − s)² ÷ 9) effective pods, 8 of them at a quarter.
  it.each([
    [2.49, 'balanced'],
    [2.51, 'skewed'],
  ])('one pod with %s times its part: %s', (peak, state) => {
    expect(stateOf([peak, ...Array(9).fill((10 - peak) / 9)])).toBe(state);
  });

  // One pod of fifty with three times its part: 50 ÷ (1 + 2² ÷ 49) = 46 effective pods, and none is idle.
  it.each([
    [2.99, 'balanced'],
    [3, 'skewed'],
  ])('one pod of fifty with %s times its part: %s', (peak, state) => {
    expect(stateOf([peak, ...Array(49).fill((50 - peak) / 49)])).toBe(state);
  });

  it.each([
    [1.2499, '8 pods share the load evenly'],
    [1.25, '8 pods share the load: a little uneven (the busiest has 1.3 × its part)'],
  ])('a peak of %s: %s', (peak, summary) => {
    expect(verdictOf([peak, 2 - peak, 1, 1, 1, 1, 1, 1])).toMatchObject({ state: 'balanced', summary });
  });
});

describe('a pod near its limit of CPU', () => {
  /** 3.7 effective pods of four and a peak of 1.5: uneven only because a pod is near its limit. */
  const world = (first: number, others: number): Partial<Plan> => ({
    pods: [...pods(1, { cpuMillicores: first }), ...pods(3, { cpuMillicores: others }, 1)],
  });
  const parts = [1.5, 0.9, 0.8, 0.8];

  it.each([
    [799, 100, 'even'],
    [800, 100, 'uneven'],
    // The mean: 800 and three times 400 are 500 of 1000.
    [800, 399, 'uneven'],
    [800, 400, 'even'],
  ])('%s of 1000 millicores, the three others %s: %s', (first, others, wanted) => {
    expect(readingOf(parts, world(first, others))).toBe(wanted);
  });

  it('counts for the load alone, not for a peak below 1.5', () => {
    expect(readingOf([1.49, 0.91, 0.8, 0.8], world(900, 100))).toBe('even');
  });
});

describe('counted events', () => {
  const perSecond = (rates: readonly number[]) => rates.map((rate, pod) => ({ pod: `echo-${pod}`, perSecond: rate }));

  // All on one of ten pods: its share is surely three tenths at 99.9 % already by ten of ten, so that their number decides.
  it.each([
    [1.9, 'likely'],
    [2, 'certain'],
  ])('ten pods with all calls on one, %s a second in 10 s: %s', (rate, confidence) => {
    const plan = { pods: pods(10), connections: dealt([3]), calls: perSecond([rate, ...Array(9).fill(0)]) };
    expect(statusOf(plan).verdict).toMatchObject({ state: 'skewed', confidence, basis: 'calls' });
  });

  // Two calls on each of four pods look like any load; four hundred do not.
  it.each([
    [0.2, 'bytes'],
    [10, 'calls'],
  ])('four pods with %s calls a second each in 10 s: %s', (rate, basis) => {
    const plan = { pods: pods(4), connections: meshed(2, 4), calls: perSecond(Array(4).fill(rate)) };
    expect(statusOf(plan).verdict.basis).toBe(basis);
  });
});

describe('CPU', () => {
  const world = (millicores: readonly number[]): Plan => ({
    pods: millicores.map((cpuMillicores, index) => ({ name: `echo-${index}`, cpuMillicores })),
    exec: false,
  });
  const cpuReading = (millicores: readonly number[]) =>
    statusOf(world(millicores)).distributions.find(({ basis }) => basis === 'cpu')?.reading;

  // Differences under 5 millicores are the cost of looking, where the mean is below four times that.
  it('does not tell by differences under 5 millicores, the cost of looking', () => {
    expect(cpuReading([6.9, 2, 2, 2])).toBe('unknown');
    expect(cpuReading([7, 2, 2, 2])).toBe('uneven');
  });

  // With 2 and 18 millicores taken off nothing would be left to compare: 2 of a mean of 20 are no idleness.
  it('reads little differences of much CPU as even', () => {
    expect(cpuReading([22, 18, 20, 19.9])).toBe('unknown');
    expect(cpuReading([22, 18, 20, 20])).toBe('even');
  });
});

describe('the confidence of CPU', () => {
  // Each value may be 5 millicores off: 52.5 beside three of 20 are 80 % of four pods (2.6233 : 1), so 57.5 beside 15 are surely fewer.
  it.each([
    [57, 'possible'],
    [58, 'likely'],
  ])('%s millicores beside three pods with 15: %s', (first, confidence) => {
    const servers = [...pods(1, { cpuMillicores: first }), ...pods(3, { cpuMillicores: 15 }, 1)];
    expect(statusOf({ pods: servers, exec: false }).verdict).toMatchObject({ state: 'skewed', confidence });
  });
});

describe('does it hurt', () => {
  const levelOf = (plan: Partial<Plan>) =>
    statusOf({ pods: pods(2), connections: dealt([2, 2]), ...plan } as Plan).impact.level;
  const mebibyte = 2 ** 20;

  it.each([
    [799, 'none'],
    [800, 'risk'],
  ])('a pod uses %s of 1000 millicores: %s', (cpuMillicores, level) => {
    expect(levelOf({ pods: [...pods(1, { cpuMillicores }), ...pods(1, {}, 1)] })).toBe(level);
  });

  it.each([
    [899, 'none'],
    [900, 'risk'],
  ])('a pod uses %s of 1000 MiB: %s', (used, level) => {
    const memory = { memoryBytes: used * mebibyte, memoryLimitBytes: 1000 * mebibyte };
    expect(levelOf({ pods: [...pods(1, memory), ...pods(1, {}, 1)] })).toBe(level);
  });

  it.each([
    [3600, 'harm'],
    [3601, 'none'],
  ])('a pod restarted %s s ago: %s', (secondsAgo, level) => {
    const lastTermination = { reason: 'Error', exitCode: 1, finishedAt: ago(secondsAgo) };
    const restarted = pods(1, { restarts: 1, runningSeconds: 3000, lastTermination });
    expect(levelOf({ pods: [...restarted, ...pods(1, {}, 1)] })).toBe(level);
  });

  it.each([
    [0.249, 'none'],
    [0.25, 'risk'],
  ])('a pod is throttled in %s of its periods: %s', (throttledShare, level) => {
    const usage = firstNumbers(2).map((number) => ({
      pod: `echo-${number}`,
      podUid: `uid-echo-${number}`,
      measuredAt: ago(15),
      windowSeconds: 60,
      containers: [
        { name: 'server', cpuMillicores: null, memoryBytes: null, throttledShare: number === 0 ? throttledShare : 0 },
      ],
    }));
    const prometheus = { usage } as unknown as NonNullable<Plan['prometheus']>;
    expect(levelOf({ prometheus })).toBe(level);
  });
});

describe('warnings', () => {
  const warnings = (plan: Plan) => statusOf(plan).warnings.map(({ id }) => id);

  it.each([
    [65_536, false],
    [65_537, true],
  ])('%s bytes wait on a connection: %s', (receiveQueueBytes, warned) => {
    const connections = [...dealt([2, 2]), ...to('web-9', [0], 1000, { receiveQueueBytes })];
    expect(warnings({ pods: pods(2), connections }).includes('full-receive-queue')).toBe(warned);
  });

  it.each([
    [500, false],
    [501, true],
  ])('of 1000 parts %s come from a node: %s', (parts, warned) => {
    const connections = [...to('192.168.0.1', [0], 10 * parts), ...to('web-0', [1], 10 * (1000 - parts))];
    expect(warnings({ pods: pods(2), connections }).includes('clients-behind-nodes')).toBe(warned);
  });

  const scaled = (from: number, to_: number, times: number): Happening => ({
    kind: 'scaled',
    workload: { kind: 'Deployment', name: 'echo' },
    replicaSet: 'echo-aaa',
    from,
    to: to_,
    times,
    at: ago(100),
  });

  it.each([
    [2, 2, true],
    [1, 2, false],
    [2, 1, false],
  ])('%s times up and %s times down: %s', (up, down, warned) => {
    const happenings = [scaled(2, 4, up), scaled(4, 2, down)];
    const plan = { pods: pods(2), connections: dealt([2, 2]), happenings };
    expect(warnings(plan).includes('scaling-flaps')).toBe(warned);
  });

  /** An autoscaler that aims at 80 % of a request of 100 millicores; the load is uneven. */
  const scaler = (millicores: readonly number[], utilization: number | null = null): Plan => ({
    pods: millicores.map((cpuMillicores, index) => ({ name: `echo-${index}`, cpuMillicores })),
    connections: dealt([9, 1, 1, 0]),
    also: {
      autoscalers: [
        {
          name: 'echo',
          namespace: 'shop',
          target: { kind: 'Deployment', name: 'echo' },
          minReplicas: 1,
          maxReplicas: 9,
          currentReplicas: 4,
          desiredReplicas: 4,
          metrics: [{ resource: 'cpu', targetUtilization: 80, utilization, targetAverageValue: null }],
        },
      ],
    } as unknown as NonNullable<Plan['also']>,
  });

  it.each<[readonly number[], number | null, boolean]>([
    [[80, 10, 10, 10], null, true],
    [[79, 10, 10, 10], null, false],
    [[200, 40, 40, 39], null, true],
    [[200, 41, 41, 41], null, false],
    [[200, 40, 40, 40], 79, true],
    [[200, 10, 10, 10], 80, false],
  ])('an autoscaler for 80 %% of 100 millicores, pods with %j, a mean of %s: %s', (millicores, mean, warned) => {
    expect(warnings(scaler(millicores, mean)).includes('hpa-blind')).toBe(warned);
  });

  /** Two pods of a gateway (1.6 effective pods, 80 %, at 750 of 1000) before two pods that share the load evenly. */
  const gateways = (first: number): Plan => ({
    pods: pods(2),
    clients: [0, 1].map((number) => ({ name: `web-${number}`, workload: 'ingress', role: 'gateway' as const })),
    connections: [...to('web-0', [0, 1], 5 * first), ...to('web-1', [0, 1], 5 * (1000 - first))],
  });

  it.each([
    [749, false],
    [751, true],
  ])('one of two pods of a gateway passes on %s of 1000: %s', (first, warned) => {
    expect(warnings(gateways(first)).includes('uneven-proxies')).toBe(warned);
  });
});

/** The numbers in the confidence rules of causes about pods that become Ready, or do not: a world on either side of each. */
import { describe, expect, it } from 'vitest';
import type { Happening } from '../../src/evidence/objects.ts';
import { dealt, deploymentOf, type Plan, pods } from '../diagnose/build.ts';
import { ago, uidOf } from '../diagnose/build-looks.ts';
import { statusOf } from '../diagnose/report.ts';
import { confidenceOf, type Outcome, startedAgo } from './worlds.ts';

describe('rollout-in-progress', () => {
  const world = (more: Parameters<typeof deploymentOf>[1]): Plan => ({
    pods: pods(3),
    connections: dealt([3, 0, 0]),
    deployments: [deploymentOf(3, more)],
  });

  it.each<[string, Parameters<typeof deploymentOf>[1], Outcome]>([
    ['all three are updated', {}, undefined],
    ['two of three are updated', { updatedReplicas: 2 }, 'certain'],
    ['there is a fourth pod', { currentReplicas: 4 }, 'certain'],
    ['its controller has not seen the change', { observed: false }, 'certain'],
  ])('%s: %s', (_, more, wanted) => {
    expect(confidenceOf('rollout-in-progress', world(more))).toBe(wanted);
  });

  it('is likely when a pod of another revision leaves, and Deployments could not be read', () => {
    const old = { labels: { app: 'echo', 'pod-template-hash': 'old' }, deletedAt: ago(5), ready: false };
    const plan = { ...world({}), pods: [...pods(3), ...pods(1, { pod: old }, 3)] };
    expect(confidenceOf('rollout-in-progress', { ...plan, deployments: [] })).toBe('likely');
    expect(confidenceOf('rollout-in-progress', plan)).toBeUndefined();
    const same = [...pods(3), ...pods(1, { pod: { deletedAt: ago(5), ready: false } }, 3)];
    expect(confidenceOf('rollout-in-progress', { ...plan, pods: same, deployments: [] })).toBeUndefined();
  });
});

describe('how many leave', () => {
  it.each([
    [1, '1 pod of another revision is being terminated'],
    [2, '2 pods of another revision are being terminated'],
  ])('%s: %s', (count, text) => {
    const old = { labels: { app: 'echo', 'pod-template-hash': 'old' }, deletedAt: ago(5), ready: false };
    const plan = { pods: [...pods(3), ...pods(count, { pod: old }, 3)], connections: dealt([3]), deployments: [] };
    expect(statusOf(plan).causes.find(({ id }) => id === 'rollout-in-progress')?.text).toBe(text);
  });
});

describe('pods that get no traffic', () => {
  // What has been Ready for 30 s or less may not be in the slices yet.
  it.each<[number, Outcome]>([
    [30, undefined],
    [31, 'certain'],
  ])('a pod in no slice has been Ready for %s s: endpoints-missing %s', (readySeconds, wanted) => {
    const plan = { pods: [...pods(3), ...pods(1, { readySeconds, endpoint: false as const }, 3)] };
    expect(confidenceOf('endpoints-missing', { ...plan, connections: dealt([2, 2, 2]) })).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [29, undefined],
    [30, 'certain'],
  ])('a pod that is not Ready was created %s s ago: pods-not-ready %s', (ageSeconds, wanted) => {
    const plan = { pods: [...pods(3), ...pods(1, { ageSeconds, pod: { ready: false } }, 3)] };
    expect(confidenceOf('pods-not-ready', { ...plan, connections: dealt([2, 2, 2]) })).toBe(wanted);
  });

  it('a young pod that has restarted is not starting any more', () => {
    const plan = { pods: [...pods(3), ...pods(1, { ageSeconds: 20, restarts: 1, pod: { ready: false } }, 3)] };
    expect(confidenceOf('pods-not-ready', { ...plan, connections: dealt([2, 2, 2]) })).toBe('certain');
  });

  it('is one pod, when only one can get traffic', () => {
    expect(confidenceOf('single-endpoint', { pods: pods(1), connections: dealt([2]) })).toBe('certain');
    expect(confidenceOf('single-endpoint', { pods: pods(2), connections: dealt([2]) })).toBeUndefined();
  });
});

describe('readiness that comes and goes', () => {
  type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;
  const failing = (number: number, more: Partial<Unhealthy> = {}): Unhealthy => ({
    kind: 'unhealthy',
    pod: `echo-${number}`,
    podUid: uidOf(`echo-${number}`),
    container: 'server',
    probe: 'readiness',
    failure: 'timeout',
    times: 12,
    firstAt: ago(600),
    at: ago(5),
    ...more,
  });
  /** echo-0 uses so much, three others 100 each; it has been Ready for 120 s, long after its start. */
  const world = (millicores: number, happenings: readonly Happening[], more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(1, { cpuMillicores: millicores, readySeconds: 120 }), ...pods(3, { cpuMillicores: 100 }, 1)],
    connections: dealt([5, 1, 1, 1]),
    happenings,
    ...more,
  });

  // 1.5 times the mean of all four: 180 of (180 + 300) ÷ 4 = 120.
  it.each<[number, Outcome]>([
    [179, undefined],
    [180, 'likely'],
  ])('the pod uses %s millicores, three others 100: %s', (millicores, wanted) => {
    expect(confidenceOf('probe-failing', world(millicores, [failing(0)]))).toBe(wanted);
  });

  // … or from 80 % of its own limit on.
  it.each<[number, Outcome]>([
    [150, 'likely'],
    [151, undefined],
  ])('it uses 120 of its limit of %s: %s', (cpuLimitMillicores, wanted) => {
    const hot = pods(1, { cpuMillicores: 120, cpuLimitMillicores, readySeconds: 120 });
    const plan = world(120, [failing(0)], { pods: [...hot, ...pods(3, { cpuMillicores: 100 }, 1)] });
    expect(confidenceOf('probe-failing', plan)).toBe(wanted);
  });

  it('is possible when the probe fails for another reason than time', () => {
    expect(confidenceOf('probe-failing', world(400, [failing(0, { failure: 'connect-timeout' })]))).toBe('likely');
    expect(confidenceOf('probe-failing', world(400, [failing(0, { failure: 'status' })]))).toBe('possible');
  });

  it('is possible when more than half of the pods fail', () => {
    expect(confidenceOf('probe-failing', world(400, [failing(0), failing(1)]))).toBe('likely');
    expect(confidenceOf('probe-failing', world(400, [failing(0), failing(1), failing(2)]))).toBe('possible');
  });

  // Ready for the last time so long after the start of the container: within a minute that is starting up.
  it.each<[number, Outcome]>([
    [60, undefined],
    [61, 'likely'],
  ])('Ready %s s after its start: %s', (seconds, wanted) => {
    const hot = pods(1, { cpuMillicores: 400, ageSeconds: 1002, readySeconds: 1000 - seconds });
    const plan = world(400, [failing(0)], { pods: [...hot, ...pods(3, { cpuMillicores: 100 }, 1)] });
    expect(confidenceOf('probe-failing', plan)).toBe(wanted);
  });

  const textOf = (plan: Plan) => statusOf(plan).causes.find(({ id }) => id === 'probe-failing')?.text ?? '';

  // A period of 10 s; from the first failure to the last 90 s: ten are due, and eight are 80 %.
  it.each<[number, string]>([
    [7, 'comes and goes'],
    [8, 'fails each time'],
  ])('%s failures of ten that are due: %s', (times, words) => {
    expect(textOf(world(400, [failing(0, { times, firstAt: ago(95), at: ago(5) })]))).toContain(words);
  });

  it.each<[number, string]>([
    [2, 'comes and goes'],
    [3, 'fails each time'],
  ])('%s failures within as many periods: %s', (times, words) => {
    const series = failing(0, { times, firstAt: ago(5 + 10 * (times - 1)), at: ago(5) });
    expect(textOf(world(400, [series]))).toContain(words);
  });
});

describe('rolling-restart-order', () => {
  const scaledDown = (at: number): Happening => ({
    kind: 'scaled',
    workload: { kind: 'Deployment', name: 'echo' },
    replicaSet: 'echo-old',
    from: 1,
    to: 0,
    at: ago(at),
  });
  /** Two pods, the second so many seconds after the first; `count` connections, all on the first. */
  const world = (step: number, count: number, more: Partial<Plan> = {}): Plan => ({
    pods: [
      { name: 'echo-0', ageSeconds: 1800 },
      { name: 'echo-1', ageSeconds: 1800 - step },
    ],
    connections: dealt([count], { ageSeconds: 1790 }),
    happenings: [scaledDown(1750)],
    ...more,
  });

  // Up to 10 s apart is at once; over 600 s is no step of a rollout.
  it.each<[number, Outcome]>([
    [10, undefined],
    [11, 'certain'],
    [600, 'certain'],
    [601, undefined],
  ])('the pods came %s s apart: %s', (step, wanted) => {
    expect(confidenceOf('rolling-restart-order', world(step, 20))).toBe(wanted);
  });

  // All on the first of two: ½ⁿ; the level is 5 %.
  it.each<[number, Outcome]>([
    [4, undefined],
    [5, 'certain'],
  ])('%s connections on the first: %s', (count, wanted) => {
    expect(confidenceOf('rolling-restart-order', world(40, count))).toBe(wanted);
  });

  // The second pod has been Ready for 1755 s.
  it.each<[number, Outcome]>([
    [1755, 'likely'],
    [1756, 'certain'],
  ])('the connections have lived %s s, the empty pod has been Ready for 1755: %s', (ageSeconds, wanted) => {
    const connections = dealt([20], { ageSeconds });
    expect(confidenceOf('rolling-restart-order', world(40, 20, { connections }))).toBe(wanted);
  });

  it('is possible when nothing shows that the pods replaced others', () => {
    expect(confidenceOf('rolling-restart-order', world(40, 20, { happenings: [] }))).toBe('possible');
  });

  // The first pod is 1800 s old, the second 1760: the Event counts from 600 s before to 600 s after.
  it.each<[number, Outcome]>([
    [2401, 'possible'],
    [2400, 'certain'],
    [1160, 'certain'],
    [1159, 'possible'],
  ])('the other ReplicaSet was scaled down %s s ago: %s', (at, wanted) => {
    expect(confidenceOf('rolling-restart-order', world(40, 20, { happenings: [scaledDown(at)] }))).toBe(wanted);
  });

  it('is not so when a client started later than the first pod', () => {
    const clients = [...startedAgo(1, 1794)];
    expect(confidenceOf('rolling-restart-order', world(40, 20, { clients }))).toBeUndefined();
  });
});

/** Causes that lie in whom a client chooses, or in the node that it calls from: both sides of the level of chance. */
import { describe, expect, it } from 'vitest';
import { type ClientPlan, dealt, headless, meshed, type Plan, pods } from '../diagnose/build.ts';
import { statusOf } from '../diagnose/report.ts';
import { confidenceOf, firstNumbers, type Outcome, to } from './worlds.ts';

describe('addressed-by-name', () => {
  const owner = { kind: 'StatefulSet', name: 'echo' };
  const world = (count: number, connections: NonNullable<Plan['connections']>, more: Partial<Plan> = {}): Plan => ({
    pods: pods(count, { pod: { owner } }),
    service: headless,
    connections,
    ...more,
  });
  const of = (workload: string, count: number, first = 0): ClientPlan[] =>
    firstNumbers(count).map((number) => ({ name: `web-${first + number}`, workload }));

  // n clients of one workload on the same of P pods: (1/P)^(n−1); the level is 5 %. By chance or not, it may be on purpose.
  it.each([
    [4, 3, 'skewed'],
    [4, 4, 'unknown'],
    [5, 3, 'unknown'],
    [2, 2, 'skewed'],
  ])('%s pods, %s clients on one: possible, and the state is %s', (count, clients, state) => {
    const { causes, verdict } = statusOf(world(count, dealt([clients])));
    const cause = causes.find(({ id }) => id === 'addressed-by-name');
    expect([cause?.confidence, verdict.state]).toEqual(['possible', state]);
    expect([cause?.against.join().includes('by chance'), cause?.evidence.join().includes('by chance')]).toEqual(
      state === 'skewed' ? [true, false] : [false, true],
    );
  });

  it('is not asked of a single client, with which nobody can agree', () => {
    expect(confidenceOf('addressed-by-name', world(4, dealt([1])))).toBeUndefined();
  });

  it('is likely when two workloads sit on a pod each', () => {
    const clients = [...of('web', 3), ...of('jobs', 3, 3)];
    expect(confidenceOf('addressed-by-name', world(4, dealt([3, 3]), { clients }))).toBe('likely');
    // 1/4 each is 1/16 together.
    const two = [...of('web', 2), ...of('jobs', 2, 2)];
    expect(confidenceOf('addressed-by-name', world(4, dealt([2, 2]), { clients: two }))).toBeUndefined();
  });

  it('is not so when the clients of one workload differ, or had no choice', () => {
    const clients = of('web', 6);
    expect(confidenceOf('addressed-by-name', world(4, dealt([5, 1]), { clients }))).toBeUndefined();
    const early = clients.map((client) => ({ ...client, startedSeconds: 86_395 }));
    expect(confidenceOf('addressed-by-name', world(4, dealt([6]), { clients: early }))).toBeUndefined();
    const later = clients.map((client) => ({ ...client, startedSeconds: 86_394 }));
    expect(confidenceOf('addressed-by-name', world(4, dealt([6]), { clients: later }))).toBe('possible');
  });

  it('needs names: one StatefulSet and a headless Service', () => {
    expect(confidenceOf('addressed-by-name', world(4, dealt([6]), { service: {} }))).toBeUndefined();
    expect(confidenceOf('addressed-by-name', world(4, dealt([6]), { pods: pods(4) }))).toBeUndefined();
    const mixed = [...pods(3, { pod: { owner } }), ...pods(1, { pod: { owner: { ...owner, name: 'other' } } }, 3)];
    expect(confidenceOf('addressed-by-name', world(4, dealt([6]), { pods: mixed }))).toBeUndefined();
  });

  /** Clients that are connected to the first of four pods, which they send so much, and to one of the others in turn. */
  const leaning = (clients: number, rate: number) =>
    firstNumbers(clients).flatMap((number) => [
      ...to(`web-${number}`, [0], rate),
      ...to(`web-${number}`, [1 + (number % 3)], 1000),
    ]);

  // That the others agree with the first one has ½ for each.
  it.each<[number, Outcome]>([
    [5, undefined],
    [6, 'likely'],
  ])('%s clients agree on the heavier of two pods: %s', (clients, wanted) => {
    expect(confidenceOf('addressed-by-name', world(4, leaning(clients, 9000)))).toBe(wanted);
  });

  // It stands out from 1.5 times the fair part on: three quarters of two.
  it.each<[number, Outcome]>([
    [2999, undefined],
    [3000, 'likely'],
  ])('they send it %s against 1000: %s', (rate, wanted) => {
    expect(confidenceOf('addressed-by-name', world(4, leaning(6, rate)))).toBe(wanted);
  });
});

describe('addressed-by-name by holding the same few', () => {
  const owner = { kind: 'StatefulSet', name: 'echo' };
  const world = (connections: NonNullable<Plan['connections']>, more: Partial<Plan> = {}): Plan => ({
    pods: pods(4, { pod: { owner } }),
    service: headless,
    connections,
    ...more,
  });
  /** Two clients, the second with connections to these pods. */
  const beside = (numbers: readonly number[]) => [...to('web-0', [0, 1], 1000), ...to('web-1', numbers, 1000)];

  it('is likely, and possible where the others are the youngest', () => {
    expect(confidenceOf('addressed-by-name', world(beside([0, 1])))).toBe('likely');
    const young = [...pods(2, { pod: { owner } }), ...pods(2, { ageSeconds: 600, pod: { owner } }, 2)];
    expect(confidenceOf('addressed-by-name', world(beside([0, 1]), { pods: young }))).toBe('possible');
    const one = [...pods(3, { pod: { owner } }), ...pods(1, { ageSeconds: 600, pod: { owner } }, 3)];
    expect(confidenceOf('addressed-by-name', world(beside([0, 1]), { pods: one }))).toBe('likely');
  });

  it.each([
    ['one of them holds another pod', [0, 2]],
    ['one of them holds a pod more', [0, 1, 2]],
    ['one of them holds a pod less', [0]],
    ['one of them holds a pod twice', [0, 1, 1]],
  ])('is not so when %s', (_, numbers) => {
    expect(confidenceOf('addressed-by-name', world(beside(numbers)))).toBeUndefined();
  });

  it('is not so when they hold all pods', () => {
    const rates = [9000, 100, 100, 100];
    const all = ['web-0', 'web-1'].flatMap((name) => rates.flatMap((rate, pod) => to(name, [pod], rate)));
    expect(confidenceOf('addressed-by-name', world(all))).toBeUndefined();
  });
});

describe('node-rules-stale', () => {
  /** Three old pods, and one that has been Ready for 595 s; clients of n1 on the first, one of n2 on the youngest. */
  const world = (connections: number, startedSeconds = 500, more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(3), ...pods(1, { ageSeconds: 600 }, 3)],
    clients: [
      ...firstNumbers(connections).map((number) => ({ name: `web-${number}`, node: 'n1', startedSeconds })),
      { name: 'other', node: 'n2', startedSeconds: 500 },
    ],
    connections: [...dealt([connections], { ageSeconds: 490 }), ...to('other', [3], 1000, { ageSeconds: 490 })],
    ...more,
  });

  // ¾ⁿ, twice because of the two nodes; the level is 5 %.
  it.each<[number, Outcome]>([
    [12, undefined],
    [13, 'likely'],
  ])('%s connections from one node miss the youngest of four pods: %s', (count, wanted) => {
    expect(confidenceOf('node-rules-stale', world(count))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [595, undefined],
    [594, 'likely'],
  ])('of clients that started %s s ago, where the pod has been Ready for 595: %s', (seconds, wanted) => {
    expect(confidenceOf('node-rules-stale', world(20, seconds))).toBe(wanted);
  });

  // Pods that came within 10 s of one another have no order.
  it.each<[number, Outcome]>([
    [10, undefined],
    [11, 'likely'],
  ])('the youngest pod came %s s after the others: %s', (step, wanted) => {
    const servers = [...pods(3, { ageSeconds: 600 + step }), ...pods(1, { ageSeconds: 600 }, 3)];
    expect(confidenceOf('node-rules-stale', world(20, 500, { pods: servers }))).toBe(wanted);
  });

  it('is not so when one of them reaches it, when none of another node does, or something else leads them', () => {
    const plan = world(20);
    const reached = [...(plan.connections ?? []), ...to('web-0', [3], 1000, { ageSeconds: 490 })];
    expect(confidenceOf('node-rules-stale', { ...plan, connections: reached })).toBeUndefined();
    const alone = dealt([20], { ageSeconds: 490 });
    expect(confidenceOf('node-rules-stale', { ...plan, connections: alone })).toBeUndefined();
    expect(confidenceOf('node-rules-stale', { ...plan, service: { sessionAffinity: 'ClientIP' } })).toBeUndefined();
    expect(confidenceOf('node-rules-stale', { ...plan, service: headless })).toBeUndefined();
    expect(confidenceOf('node-rules-stale', { ...plan, connections: meshed(4, 4) })).toBeUndefined();
  });
});

/** The numbers in the confidence rules of causes that tell by the age of clients, pods and connections: a world on either side of each. */
import { describe, expect, it } from 'vitest';
import { dealt, headless, meshed, type Plan, pods } from '../diagnose/build.ts';
import { statusOf } from '../diagnose/report.ts';
import { confidenceOf, type Outcome, startedAgo, to } from './worlds.ts';

describe('too-soon', () => {
  it.each<[number, Outcome]>([
    [59, 'likely'],
    [60, undefined],
  ])('the idle pod has been Ready for %s s: %s', (readySeconds, wanted) => {
    const plan = { pods: [...pods(2), ...pods(1, { ageSeconds: 100, readySeconds }, 2)], connections: dealt([3, 3]) };
    expect(confidenceOf('too-soon', plan)).toBe(wanted);
    expect(statusOf(plan).verdict.state === 'unknown').toBe(wanted === 'likely');
  });

  it('is not so when one of the idle pods is older', () => {
    const young = { ageSeconds: 100, readySeconds: 50 };
    const plan = { pods: [...pods(3), ...pods(1, young, 3)], connections: dealt([3, 3]) };
    expect(confidenceOf('too-soon', plan)).toBeUndefined();
  });
});

describe('new-pods-idle', () => {
  /** Pods that are created 600 s ago are Ready 5 s later: their age as endpoints is 595 s. */
  const world = (ageSeconds: number, more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)],
    connections: dealt([2, 1, 1], { ageSeconds }),
    ...more,
  });

  it.each<[number, Outcome]>([
    [595, 'likely'],
    [596, 'certain'],
  ])('the connections have lived %s s, the idle pods 595: %s', (age, wanted) => {
    expect(confidenceOf('new-pods-idle', world(age))).toBe(wanted);
  });

  // One of two pods is young: ½ⁿ by accident; the level is 5 %.
  it.each<[number, Outcome]>([
    [4, 'possible'],
    [5, 'likely'],
  ])('%s connections in one sample: %s', (count, wanted) => {
    const plan = {
      pods: [...pods(1), ...pods(1, { ageSeconds: 600 }, 1)],
      connections: dealt([count]),
      windowSeconds: 0,
    };
    expect(confidenceOf('new-pods-idle', plan)).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [594, undefined],
    [595, 'likely'],
  ])('all clients started %s s ago: %s', (seconds, wanted) => {
    const plan = world(590, { clients: startedAgo(4, seconds) });
    expect(confidenceOf('new-pods-idle', plan)).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [594, undefined],
    [595, 'possible'],
  ])('beside an old pod that is empty, too, with clients that started %s s ago: %s', (seconds, wanted) => {
    const plan = world(590, { connections: dealt([2, 2], { ageSeconds: 590 }), clients: startedAgo(4, seconds) });
    expect(confidenceOf('new-pods-idle', plan)).toBe(wanted);
  });

  it('is the restart, not the age, of pods that have restarted', () => {
    const restarted = { ageSeconds: 600, restarts: 1, runningSeconds: 300 };
    const plan = world(40_000, { pods: [...pods(3), ...pods(7, restarted, 3)] });
    expect(confidenceOf('new-pods-idle', plan)).toBeUndefined();
  });
});

describe('restarted-pod', () => {
  /** The container of echo-2 has run for 600 s and its pod has been Ready for 595. */
  const world = (ageSeconds: number, more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(2), ...pods(1, { restarts: 1, runningSeconds: 600 }, 2)],
    connections: dealt([4, 4], { ageSeconds }),
    ...more,
  });

  it.each<[number, Outcome]>([
    [595, 'likely'],
    [596, 'certain'],
  ])('the connections have lived %s s, the container has served for 595: %s', (age, wanted) => {
    expect(confidenceOf('restarted-pod', world(age))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [594, undefined],
    [595, 'likely'],
  ])('all clients started %s s ago: %s', (seconds, wanted) => {
    expect(confidenceOf('restarted-pod', world(590, { clients: startedAgo(8, seconds) }))).toBe(wanted);
  });

  it('is possible when another pod is idle, too, or another has restarted and works', () => {
    const restarted = { restarts: 1, runningSeconds: 600 };
    const idle = { pods: [...pods(3), ...pods(1, restarted, 3)], connections: dealt([4, 4, 0, 0]) };
    expect(confidenceOf('restarted-pod', idle)).toBe('possible');
    const works = { pods: [...pods(2), ...pods(2, restarted, 2)], connections: dealt([6, 2, 4, 0]) };
    expect(confidenceOf('restarted-pod', works)).toBe('possible');
  });
});

describe('pick-first', () => {
  /** Two pods have been Ready for 1000 s, a third for 100. */
  const ready = [...pods(2, { readySeconds: 1000 }), ...pods(1, { readySeconds: 100 }, 2)];
  const world = (more: Partial<Plan> = {}): Plan => ({
    pods: ready,
    service: headless,
    connections: dealt([2, 2], { ageSeconds: 90 }),
    ...more,
  });

  it.each<[number, Outcome]>([
    [999, 'likely'],
    [1000, undefined],
  ])('two pods were Ready 1000 s ago, the clients started %s s ago: %s', (seconds, wanted) => {
    expect(confidenceOf('pick-first', world({ clients: startedAgo(4, seconds) }))).toBe(wanted);
  });

  it('is possible when the start of one client is not known', () => {
    const clients = [...startedAgo(3, 500), { name: 'web-3', startedSeconds: null }];
    expect(confidenceOf('pick-first', world({ clients }))).toBe('possible');
  });

  it.each<[number, Outcome]>([
    [1, 'likely'],
    [2, 'possible'],
  ])('%s of four clients, alike in load, have sidecars: %s', (count, wanted) => {
    const clients = startedAgo(4, 500).map((client, index) =>
      index < count ? { ...client, meshProxies: ['istio-proxy'] } : client,
    );
    expect(confidenceOf('pick-first', world({ clients }))).toBe(wanted);
  });

  it('is not so when one client has a second connection', () => {
    const connections = [...dealt([2, 2], { ageSeconds: 90 }), ...to('web-0', [1], 1000, { ageSeconds: 90 })];
    expect(confidenceOf('pick-first', world({ clients: startedAgo(4, 500), connections }))).toBeUndefined();
  });
});

describe('no-re-resolution', () => {
  /** Two clients that are connected to both old pods; the third pod has been Ready for 595 s. */
  const world = (more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(2), ...pods(1, { ageSeconds: 600 }, 2)],
    service: headless,
    connections: meshed(2, 2),
    ...more,
  });

  it.each<[number, Outcome]>([
    [595, 'likely'],
    [596, 'certain'],
  ])('the connections have lived %s s, the idle pod 595: %s', (ageSeconds, wanted) => {
    expect(confidenceOf('no-re-resolution', world({ connections: meshed(2, 2, { ageSeconds }) }))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [595, undefined],
    [596, 'likely'],
  ])('the clients started %s s ago: %s', (seconds, wanted) => {
    const connections = meshed(2, 2, { ageSeconds: 590 });
    expect(confidenceOf('no-re-resolution', world({ clients: startedAgo(2, seconds), connections }))).toBe(wanted);
  });

  it('is likely when one client knows both old pods and another only one', () => {
    const connections = [...meshed(1, 2), ...to('web-1', [0], 1000)];
    expect(confidenceOf('no-re-resolution', world({ connections }))).toBe('likely');
  });

  it('is not so when each client holds one connection, and there were two pods to choose from', () => {
    expect(confidenceOf('no-re-resolution', world({ connections: dealt([1, 1]) }))).toBeUndefined();
  });

  it('is possible with one connection each, where there was one pod only', () => {
    const one = { pods: [...pods(1), ...pods(2, { ageSeconds: 600 }, 1)], connections: dealt([3]) };
    expect(confidenceOf('no-re-resolution', world(one))).toBe('possible');
  });

  it('is no matter of names with a virtual address', () => {
    expect(confidenceOf('no-re-resolution', world({ service: {} }))).toBeUndefined();
  });
});

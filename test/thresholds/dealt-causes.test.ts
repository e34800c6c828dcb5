/** Causes that lie in how the connections came to be where they are: each clause with a world on either side of it. */
import { describe, expect, it } from 'vitest';
import { type ClientPlan, dealt, headless, type Plan, pods } from '../diagnose/build.ts';
import type { ConnectionPlan } from '../diagnose/build-looks.ts';
import { confidenceOf, firstNumbers, type Outcome, startedAgo, to } from './worlds.ts';

describe('few-connections by what they carry', () => {
  // 30 of 1000 bytes a second and ten of r: (30 + 10r)² ÷ (30 + 10r²) is 4(P−1) = 36 at r = 0.3544.
  it.each<[number, Outcome]>([
    [354, 'likely'],
    [355, undefined],
  ])('thirty of 1000 and ten of %s bytes a second on ten pods: %s', (rate, wanted) => {
    const connections = [...dealt([10, 10, 10]), ...firstNumbers(10).flatMap((n) => to(`low-${n}`, [n % 3], rate))];
    expect(confidenceOf('few-connections', { pods: pods(10), connections })).toBe(wanted);
  });

  // One of 9000 beside 39 of 1000: 48² ÷ 120 count as 19. That is one hot client, and no lack of connections.
  it('is not so where only one is hot, or what they carry is not known', () => {
    const connections = [...dealt([13, 13, 13]), ...to('hot-0', [0], 9000)];
    expect(confidenceOf('few-connections', { pods: pods(10), connections })).toBeUndefined();
    const unknown = [...dealt([10, 10, 10]), ...firstNumbers(10).flatMap((n) => to(`low-${n}`, [n % 3], 100))];
    expect(confidenceOf('few-connections', { pods: pods(10), connections: unknown })).toBe('likely');
    expect(confidenceOf('few-connections', { pods: pods(10), connections: unknown, way: 'netstat' })).toBeUndefined();
  });
});

describe('re-dealt', () => {
  interface Deal {
    readonly kept?: number;
    readonly ended: number;
    readonly replaced?: number;
    /** That each of those that ended had carried. */
    readonly segments?: number;
  }
  /** Four pods of which one has most of the load, and of the CPU, since connections that come and go are no load. */
  const world = ({ kept = 30, ended, replaced = ended, segments = 500 }: Deal): Plan => ({
    pods: [...pods(1, { cpuMillicores: 600 }), ...pods(3, { cpuMillicores: 100 }, 1)],
    connections: [
      ...firstNumbers(kept).flatMap((number) => to(`web-${number}`, [0], 1000)),
      ...firstNumbers(ended).flatMap((number): ConnectionPlan[] => [
        // It was seen 1 s after its start.
        ...to(`moved-${number}`, [1], 1000, { gone: true, ageSeconds: 11, segmentsPerSecond: segments }),
        ...(number < replaced ? to(`moved-${number}`, [0], 1000, { ageSeconds: 5, peerPort: 50_000 }) : []),
      ]),
    ],
  });

  it.each<[number, Outcome]>([
    [1, undefined],
    [2, 'likely'],
  ])('%s connections ended: %s', (ended, wanted) => {
    expect(confidenceOf('re-dealt', world({ ended }))).toBe(wanted);
  });

  // Eight segments are a handshake and one call.
  it.each<[number, Outcome]>([
    [8, undefined],
    [9, 'likely'],
  ])('they had carried %s segments: %s', (segments, wanted) => {
    expect(confidenceOf('re-dealt', world({ ended: 4, segments }))).toBe(wanted);
  });

  // Nearly all are 80 %.
  it.each<[number, Outcome]>([
    [15, undefined],
    [16, 'likely'],
  ])('of twenty that ended %s came back: %s', (replaced, wanted) => {
    expect(confidenceOf('re-dealt', world({ ended: 20, replaced }))).toBe(wanted);
  });

  // Half of them had carried many calls.
  it.each<[number, Outcome]>([
    [5, 'likely'],
    [6, undefined],
  ])('of ten that ended %s had carried two segments: %s', (count, wanted) => {
    const short = firstNumbers(count).flatMap((number) => [
      ...to(`short-${number}`, [1], 1000, { gone: true, ageSeconds: 11, segmentsPerSecond: 2 }),
      ...to(`short-${number}`, [0], 1000, { ageSeconds: 5, peerPort: 50_000 }),
    ]);
    const plan = world({ ended: 10 - count });
    expect(confidenceOf('re-dealt', { ...plan, connections: [...(plan.connections ?? []), ...short] })).toBe(wanted);
  });

  it('is no matter of connections behind a proxy', () => {
    const clients = [{ name: 'web-0', meshProxies: ['istio-proxy'] }];
    expect(confidenceOf('re-dealt', { ...world({ ended: 4 }), clients })).toBeUndefined();
  });

  it('counts those that came back for the client that lost some', () => {
    const plan = world({ ended: 4, replaced: 0 });
    const others = firstNumbers(4).flatMap((number) => to(`new-${number}`, [0], 1000, { ageSeconds: 5 }));
    expect(
      confidenceOf('re-dealt', { ...plan, connections: [...(plan.connections ?? []), ...others] }),
    ).toBeUndefined();
  });

  // All at once is a break of the network: a quarter of them at least stays beside an age that the server sets.
  it.each<[number, Outcome]>([
    [8, 'likely'],
    [9, undefined],
  ])('two stayed while %s ended: %s', (ended, wanted) => {
    expect(confidenceOf('re-dealt', world({ kept: 2, ended }))).toBe(wanted);
  });
});

describe('new-pods-idle after some clients have come', () => {
  interface Scene {
    readonly older?: number;
    /** Bytes a second of each of the clients that came later. */
    readonly rate?: number;
    readonly readySeconds?: number;
    /** Since when the first of those that reach the young pods runs. */
    readonly firstStarted?: number;
  }
  /** Three old pods and three young ones; clients of before are all on the first, and each young pod has one that came since. */
  const world = ({ older = 5, rate = 300, readySeconds = 595, firstStarted = 50 }: Scene): Plan => {
    const later = startedAgo(3, 50, 100).map(
      (client, index): ClientPlan => (index === 0 ? { ...client, startedSeconds: firstStarted } : client),
    );
    return {
      pods: [...pods(3), ...pods(3, { ageSeconds: readySeconds + 5, readySeconds }, 3)],
      clients: later,
      connections: [
        ...dealt([older]),
        ...later.flatMap(({ name }, index) => to(name, [3 + index], rate, { ageSeconds: 40 })),
      ],
    };
  };

  // All of n on the older half: ½ⁿ; the level is 5 %.
  it.each<[number, Outcome]>([
    [4, undefined],
    [5, 'likely'],
  ])('%s connections are older than the young pods: %s', (older, wanted) => {
    expect(confidenceOf('new-pods-idle', world({ older }))).toBe(wanted);
  });

  // Less than 0.6 of the half that is theirs: 3r ÷ (5000 + 3r) is 0.3 at r = 714.3.
  it.each<[number, Outcome]>([
    [714, 'likely'],
    [715, undefined],
  ])('the young pods have three connections of %s bytes a second: %s', (rate, wanted) => {
    expect(confidenceOf('new-pods-idle', world({ rate }))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [59, undefined],
    [60, 'likely'],
  ])('the young pods have been Ready for %s s: %s', (readySeconds, wanted) => {
    expect(confidenceOf('new-pods-idle', world({ readySeconds }))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [595, 'likely'],
    [596, undefined],
  ])('one that reaches a young pod started %s s ago, when that was Ready for 595: %s', (firstStarted, wanted) => {
    expect(confidenceOf('new-pods-idle', world({ firstStarted }))).toBe(wanted);
  });

  it('is not so where a pod was not seen, or the Service chooses by client', () => {
    const unseen = { ...world({}), failures: [{ pod: 'echo-2', reason: 'timeout' as const }] };
    expect(confidenceOf('new-pods-idle', unseen)).toBeUndefined();
    const pinned = { ...world({}), service: { sessionAffinity: 'ClientIP' as const } };
    expect(confidenceOf('new-pods-idle', pinned)).toBeUndefined();
  });
});

describe('pick-first with several connections of one client', () => {
  const world = (numbers: readonly number[], more: Partial<Plan> = {}): Plan => ({
    pods: pods(3),
    service: headless,
    connections: to('web-0', numbers, 1000),
    ...more,
  });

  it.each<[string, readonly number[], Outcome]>([
    ['two to one pod and none to another', [0, 0, 1], 'likely'],
    ['one to each of two', [0, 1], undefined],
    ['two to one pod, and one to each of the others', [0, 0, 0, 0, 1, 2], undefined],
  ])('%s', (_, numbers, wanted) => {
    expect(confidenceOf('pick-first', world(numbers))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [499, 'likely'],
    [500, undefined],
  ])('of 1000 parts %s are of a client with a sidecar: %s', (parts, wanted) => {
    const clients = [{ name: 'web-0' }, { name: 'web-1', meshProxies: ['istio-proxy'] }];
    const connections = [...to('web-0', [0, 0], 5 * (1000 - parts)), ...to('web-1', [1], 10 * parts)];
    expect(confidenceOf('pick-first', world([], { clients, connections }))).toBe(wanted);
  });
});

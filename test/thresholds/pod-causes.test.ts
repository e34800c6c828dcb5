/** The numbers in the confidence rules of causes about calls and the health of pods: a world on either side of each. */
import { describe, expect, it } from 'vitest';
import { dealt, meshed, type Plan, pods } from '../diagnose/build.ts';
import { ago, type CallsPlan } from '../diagnose/build-looks.ts';
import { confidenceOf, firstNumbers, type Outcome, to } from './worlds.ts';

describe('long-streams', () => {
  /** Two pods with streams; the first carries nine of ten messages. A window of 10 s. */
  const world = (calls: readonly CallsPlan[], more: Partial<Plan> = {}): Plan => ({
    pods: pods(2),
    connections: dealt([1, 1]),
    calls,
    ...more,
  });
  const streams = (inFlight: number, ended: number, messages: readonly [number, number]): CallsPlan[] => [
    { pod: 'echo-0', inFlight, perSecond: ended / 10, messagesPerSecond: messages[0] },
    { pod: 'echo-1', inFlight: 0, perSecond: 0, messagesPerSecond: messages[1] },
  ];

  // In flight ÷ (those that ended + one) × 10 s: a minute is 6.
  it.each<[number, number, Outcome]>([
    [5, 0, 'likely'],
    [6, 0, 'certain'],
    [11, 1, 'likely'],
    [12, 1, 'certain'],
  ])('%s streams in flight, %s ended within 10 s: %s', (inFlight, ended, wanted) => {
    expect(confidenceOf('long-streams', world(streams(inFlight, ended, [900, 100])))).toBe(wanted);
  });

  it.each<[number, number, Outcome]>([
    [10, 10, undefined],
    [11, 10, 'likely'],
  ])('%s in flight against %s that ended: %s', (inFlight, ended, wanted) => {
    expect(confidenceOf('long-streams', world(streams(inFlight, ended, [900, 100])))).toBe(wanted);
  });

  // A call has two messages at least: of 1000 messages in the window 251 calls that ended have more than half.
  it.each<[number, Outcome]>([
    [250, 'likely'],
    [251, undefined],
  ])('%s calls ended beside 300 streams, of 1000 messages: %s', (ended, wanted) => {
    expect(confidenceOf('long-streams', world(streams(300, ended, [90, 10])))).toBe(wanted);
  });

  const uncounted = (ended: number): CallsPlan[] => [
    { pod: 'echo-0', inFlight: 20, perSecond: ended / 10 },
    { pod: 'echo-1', inFlight: 0, perSecond: 0 },
  ];

  it.each<[number, Outcome]>([
    [0, 'likely'],
    [1, 'possible'],
  ])('messages are not counted, and %s calls ended: %s', (ended, wanted) => {
    const connections = [...to('web-0', [0], 9000), ...to('web-1', [1], 1000)];
    expect(confidenceOf('long-streams', world(uncounted(ended), { connections }))).toBe(wanted);
  });
});

describe('stream-limit', () => {
  const world = (inFlight: number, more: Partial<CallsPlan> = {}, plan: Partial<Plan> = {}): Plan => ({
    pods: pods(2),
    connections: dealt([1, 1]),
    calls: [0, 1].map((number) => ({ pod: `echo-${number}`, perSecond: 50, inFlight, ...more })),
    ...plan,
  });

  // Usual limits are 100, 128, 200 and 250; full from 95 % on.
  it.each<[number, Outcome]>([
    [94, undefined],
    [95, 'likely'],
    [100, 'likely'],
    [101, undefined],
    [121, undefined],
    [122, 'likely'],
    [128, 'likely'],
    [129, undefined],
    [189, undefined],
    [190, 'likely'],
    [200, 'likely'],
    [201, undefined],
    [237, undefined],
    [238, 'likely'],
    [250, 'likely'],
    [251, undefined],
  ])('%s calls in flight on one connection: %s', (inFlight, wanted) => {
    expect(confidenceOf('stream-limit', world(inFlight))).toBe(wanted);
  });

  it('counts them for each connection', () => {
    expect(confidenceOf('stream-limit', world(200, {}, { connections: dealt([2, 2]) }))).toBe('likely');
    expect(confidenceOf('stream-limit', world(150, {}, { connections: dealt([2, 2]) }))).toBeUndefined();
  });

  it.each<[number, Outcome]>([
    [799, 'likely'],
    [800, undefined],
  ])('the pods use %s of 1000 millicores: %s', (cpuMillicores, wanted) => {
    expect(confidenceOf('stream-limit', world(100, {}, { pods: pods(2, { cpuMillicores }) }))).toBe(wanted);
  });

  it('is possible when the number was another one before, or a connection has opened', () => {
    expect(confidenceOf('stream-limit', world(100, { inFlightBefore: 95 }))).toBe('likely');
    expect(confidenceOf('stream-limit', world(100, { inFlightBefore: 94 }))).toBe('possible');
    const opened = [...dealt([1, 1]), ...to('web-8', [0, 1], 1000, { ageSeconds: 5 })];
    expect(confidenceOf('stream-limit', world(200, {}, { connections: opened }))).toBe('possible');
  });

  it('is possible where it was seen once, or the limit of CPU is not known', () => {
    expect(confidenceOf('stream-limit', world(100, {}, { windowSeconds: 0 }))).toBe('possible');
    const unlimited = pods(2, { cpuLimitMillicores: null });
    expect(confidenceOf('stream-limit', world(100, {}, { pods: unlimited }))).toBe('possible');
  });
});

describe('draining', () => {
  const leaving = { deletedAt: '2026-03-01T12:00:20Z', ready: false };
  /** Three ready pods with a connection each, and one that leaves with one. */
  const world = (begun: number, more: Partial<CallsPlan> = {}, pod: PodMore = leaving): Plan => ({
    pods: [...pods(3), ...pods(1, { pod }, 3)],
    connections: meshed(1, 4),
    calls: [
      { pod: 'echo-0', perSecond: begun / 10 },
      ...[1, 2].map((number) => ({ pod: `echo-${number}`, perSecond: 0 })),
      { pod: 'echo-3', perSecond: 0, inFlight: 6, ...more },
    ],
  });
  type PodMore = NonNullable<Plan['pods'][number]['pod']>;

  // The ready pods have three connections: at 15 calls five would have begun on the one of the leaving pod.
  it.each<[number, Outcome]>([
    [14, 'likely'],
    [15, 'certain'],
  ])('%s calls began at the ready pods: %s', (begun, wanted) => {
    expect(confidenceOf('draining', world(begun))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [14, undefined],
    [15, 'certain'],
  ])('at a pod that is not Ready, where %s began at the others: %s', (begun, wanted) => {
    expect(confidenceOf('draining', world(begun, {}, { ready: false }))).toBe(wanted);
  });

  it('is not so when nothing is in flight, a call begins, or a connection comes', () => {
    expect(confidenceOf('draining', world(15, { inFlight: 0 }))).toBeUndefined();
    expect(confidenceOf('draining', world(15, { inFlight: 1 }))).toBe('certain');
    expect(confidenceOf('draining', world(15, { perSecond: 0.1 }))).toBeUndefined();
    const plan = world(15);
    const came = [...(plan.connections ?? []), ...to('web-8', [3], 1000, { ageSeconds: 5 })];
    expect(confidenceOf('draining', { ...plan, connections: came })).toBeUndefined();
  });
});

describe('unready-but-connected', () => {
  const world = (rate: number, more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(2), ...pods(1, { pod: { ready: false } }, 2)],
    connections: [...to('web-0', [0, 1], 1000), ...to('web-0', [2], rate)],
    ...more,
  });

  // Less than 5 % of what a replica carries is nothing: 50 of 1000 bytes a second.
  it.each<[number, Outcome]>([
    [49.9, undefined],
    [50, 'certain'],
  ])('a pod that is not Ready carries %s bytes a second, the others 1000: %s', (rate, wanted) => {
    expect(confidenceOf('unready-but-connected', world(rate))).toBe(wanted);
  });

  it('is likely when only the number of connections is known', () => {
    expect(confidenceOf('unready-but-connected', world(1000, { way: 'netstat' }))).toBe('likely');
  });

  it('is possible at a Terminating pod whose calls are not counted, certain when calls begin there', () => {
    const terminating = { pods: [...pods(2), ...pods(1, { pod: { deletedAt: ago(5), ready: false } }, 2)] };
    expect(confidenceOf('unready-but-connected', world(1000, terminating))).toBe('possible');
    const calls = firstNumbers(3).map((number) => ({ pod: `echo-${number}`, perSecond: 5 }));
    expect(confidenceOf('unready-but-connected', world(1000, { ...terminating, calls }))).toBe('certain');
  });
});

describe('stuck-pod', () => {
  /** What clients send to echo-0 waits; a window of 3 s, so that the wait can be shorter than 10 s. */
  const world = (unreadSeconds: number, more: Partial<Plan> = {}): Plan => ({
    pods: pods(2),
    connections: [...to('web-0', [0], 1000, { unreadSeconds }), ...to('web-1', [1], 1000)],
    windowSeconds: 3,
    ...more,
  });

  it.each<[number, Outcome]>([
    [9.9, 'likely'],
    [10, 'certain'],
  ])('it has read nothing for %s s: %s', (seconds, wanted) => {
    expect(confidenceOf('stuck-pod', world(seconds))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [9.8, undefined],
    [10, 'possible'],
  ])('in one sample, after %s s without an answer: %s', (seconds, wanted) => {
    expect(confidenceOf('stuck-pod', world(seconds, { windowSeconds: 0 }))).toBe(wanted);
  });

  it('is not so when another connection of the pod is read, or a call ended there', () => {
    const other = [...(world(20).connections ?? []), ...to('web-2', [0], 1000)];
    expect(confidenceOf('stuck-pod', world(20, { connections: other }))).toBeUndefined();
    expect(confidenceOf('stuck-pod', world(20, { calls: [{ pod: 'echo-0', perSecond: 1 }] }))).toBeUndefined();
  });

  it('is not so when what waits has only just come', () => {
    // In the first of two samples nothing waited: it came within the 3 s of the window.
    expect(confidenceOf('stuck-pod', world(2.9))).toBeUndefined();
    expect(confidenceOf('stuck-pod', world(3.2))).toBe('likely');
  });

  it('is possible where bytes are not known, and all that waits was there before', () => {
    const queued = to('web-0', [0], 1000, { receiveQueueBytes: 100 });
    const world2: Plan = { pods: pods(2), connections: [...queued, ...to('web-1', [1], 1000)], way: 'netstat' };
    expect(confidenceOf('stuck-pod', world2)).toBe('possible');
  });
});

describe('unequal-pods', () => {
  /** The load is even; echo-0 has a limit of its own and uses 200 millicores, as the others do. */
  const world = (own: number, largest: number, more: Partial<Plan> = {}): Plan => ({
    pods: [
      ...pods(1, { cpuMillicores: 200, cpuLimitMillicores: own }),
      ...pods(1, { cpuMillicores: 200, cpuLimitMillicores: largest }, 1),
    ],
    connections: dealt([4, 4]),
    ...more,
  });

  // 80 % of its own limit: 200 of 250. Below half of the largest: 200 of 401.
  it.each<[number, number, Outcome]>([
    [250, 1000, 'certain'],
    [251, 1000, undefined],
    [250, 401, 'certain'],
    [250, 400, undefined],
  ])('a limit of %s where the largest is %s: %s', (own, largest, wanted) => {
    expect(confidenceOf('unequal-pods', world(own, largest))).toBe(wanted);
  });

  it('is not so while the load itself is uneven', () => {
    expect(confidenceOf('unequal-pods', world(250, 1000, { connections: dealt([8, 2]) }))).toBeUndefined();
  });

  /** Two types of nodes; within a group pods may differ by a quarter of their mean. */
  const byNode = (first: readonly number[], second: readonly number[], more: Partial<Plan> = {}): Plan => {
    const on = (node: string, millicores: readonly number[], from: number) =>
      millicores.map((cpuMillicores, index) => ({ name: `echo-${from + index}`, node, cpuMillicores }));
    const nodes = ['n1', 'n2'].map((name, index) => ({
      name,
      addresses: [`192.168.0.${index + 1}`],
      podCIDRs: [],
      zone: null,
      instanceType: `type-${index}`,
      ready: true,
    }));
    const servers = [...on('n1', first, 0), ...on('n2', second, first.length)];
    return { pods: servers, nodes, connections: dealt(servers.map(() => 2)), ...more };
  };

  it('is likely between groups of two pods, possible when one has a single pod', () => {
    expect(confidenceOf('unequal-pods', byNode([100, 100], [400, 400]))).toBe('likely');
    expect(confidenceOf('unequal-pods', byNode([100, 100], [400]))).toBe('possible');
  });

  it('is possible when the load is not known', () => {
    expect(confidenceOf('unequal-pods', byNode([100, 100], [400, 400], { exec: false }))).toBe('possible');
  });

  // 75 and 125 around 100 are a quarter away; 74 and 126 are more, and more than 5 millicores.
  it.each<[number, number, Outcome]>([
    [75, 125, 'likely'],
    [74, 126, undefined],
  ])('%s and %s millicores in one group: %s', (low, high, wanted) => {
    expect(confidenceOf('unequal-pods', byNode([low, high], [800, 800]))).toBe(wanted);
  });

  // A quarter of 10 millicores is 2.5, but 5 are the cost of looking.
  it.each<[number, number, Outcome]>([
    [5, 15, 'likely'],
    [4, 16, undefined],
  ])('%s and %s millicores, little in all: %s', (low, high, wanted) => {
    expect(confidenceOf('unequal-pods', byNode([low, high], [800, 800]))).toBe(wanted);
  });
});

describe('uneven-work', () => {
  const hot = [...pods(1, { cpuMillicores: 700 }), ...pods(3, { cpuMillicores: 100 }, 1)];
  const world = (more: Partial<Plan> = {}): Plan => ({ pods: hot, connections: dealt([4, 4, 4, 4]), ...more });

  it('is likely with even bytes, possible with even connections alone, not found with uneven ones', () => {
    expect(confidenceOf('uneven-work', world())).toBe('likely');
    expect(confidenceOf('uneven-work', world({ way: 'netstat' }))).toBe('possible');
    expect(confidenceOf('uneven-work', world({ connections: dealt([8, 4, 4, 0]) }))).toBeUndefined();
    const uneven = [...dealt([4, 4, 4, 4]).slice(1), ...to('web-0', [0], 90_000)];
    expect(confidenceOf('uneven-work', world({ connections: uneven }))).toBeUndefined();
  });
});

describe('CPU held against the load', () => {
  /** Four connections a pod, those of the first so many times as busy as the others; its CPU is so much of 1000. */
  const world = (rate: number, first: number, more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(1, { cpuMillicores: first }), ...pods(3, { cpuMillicores: (1000 - first) / 3 }, 1)],
    connections: [
      ...to('web-0', [0, 0, 0, 0], rate),
      ...firstNumbers(3).flatMap((number) => to(`web-${number + 1}`, Array(4).fill(number + 1), 220)),
    ],
    ...more,
  });

  // With the part l of the load and u of the CPU there are 4 ÷ (u² ÷ l + (1 − u)² ÷ (1 − l)) effective pods: 80 % of them
  // at u = l + ½√(l(1 − l)), which is 0.4665 of an even load, and 0.5769 where the pod has 34 of 100 parts.
  it.each<[number, number, Outcome]>([
    [220, 466, undefined],
    [220, 467, 'likely'],
    [340, 576, undefined],
    [340, 577, 'likely'],
  ])('a load of %s beside 220, %s millicores: uneven-work %s', (rate, first, wanted) => {
    expect(confidenceOf('uneven-work', world(rate, first))).toBe(wanted);
  });

  it('is not asked where the load is not known', () => {
    expect(confidenceOf('uneven-work', world(340, 576, { way: 'netstat' }))).toBe('possible');
  });
});

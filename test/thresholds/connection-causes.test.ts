/**
 * The numbers in the confidence rules of causes about connections: each world stands just on one side of one of them, all
 * else being the same. Bytes are told as rates over the window of 10 s.
 */
import { describe, expect, it } from 'vitest';
import { dealt, type Plan, pods } from '../diagnose/build.ts';
import type { ConnectionPlan } from '../diagnose/build-looks.ts';
import { confidenceOf, firstNumbers, type Outcome, startedAgo, to } from './worlds.ts';

describe('few-connections on ten pods', () => {
  // Fewer than pods is certain; 4(P−1) is 36.
  it.each<[number, Outcome]>([
    [9, 'certain'],
    [10, 'likely'],
    [35, 'likely'],
    [36, undefined],
  ])('%s connections: %s', (count, wanted) => {
    expect(confidenceOf('few-connections', { pods: pods(10), connections: dealt([count - 4, 4]) })).toBe(wanted);
  });

  it('counts connections only where those of every pod were seen', () => {
    const plan: Plan = { pods: pods(4), connections: dealt([5, 0, 0, 0]) };
    expect(confidenceOf('few-connections', plan)).toBe('likely');
    const unseen = { ...plan, failures: [{ pod: 'echo-3', reason: 'no-tool' as const }] };
    expect(confidenceOf('few-connections', unseen)).toBeUndefined();
  });
});

describe('hot-client', () => {
  /** web-0 with one connection, ten other clients of 1000 bytes a second, one on each pod. */
  const alone = (rate: number, more: Partial<Plan> = {}): Plan => ({
    pods: pods(10),
    connections: [
      ...to('web-0', [0], rate),
      ...firstNumbers(10).flatMap((number) => to(`web-${number + 1}`, [number], 1000)),
    ],
    ...more,
  });

  it.each<[number, Outcome]>([
    [2999, undefined],
    [3000, 'likely'],
  ])('is hot from three times the others on: %s against 1000: %s', (rate, wanted) => {
    expect(confidenceOf('hot-client', alone(rate))).toBe(wanted);
  });

  // Surely more than half, by 2200 calls: half a call of two is 3.0902 deviations of 1 ÷ 2√2200 away at 0.53294, which is
  // a rate of 11,410.6.
  it.each<[number, Outcome]>([
    [11_410, 'likely'],
    [11_411, 'certain'],
  ])('is certain with surely more than half of all: %s beside 10,000: %s', (rate, wanted) => {
    expect(confidenceOf('hot-client', alone(rate))).toBe(wanted);
  });

  /** Four pods; web-0 sends 99 of 100 parts in so many calls of the window of 10 s, web-1 the rest in two. */
  const inCalls = (calls: number, more: Partial<Plan> = {}): Plan => ({
    pods: pods(4),
    connections: [
      ...to('web-0', [0], 990, { segmentsPerSecond: calls / 10 }),
      ...to('web-1', [1], 10, { segmentsPerSecond: 0.2 }),
    ],
    ...more,
  });

  it.each<[number, Outcome]>([
    [17, 'likely'],
    [18, 'certain'],
  ])('is certain from twenty calls on: %s and 2: %s', (calls, wanted) => {
    expect(confidenceOf('hot-client', inCalls(calls))).toBe(wanted);
  });

  it('is certain only where every pod was seen', () => {
    const unseen = { failures: [{ pod: 'echo-3', reason: 'no-tool' as const }] };
    expect(confidenceOf('hot-client', inCalls(100))).toBe('certain');
    expect(confidenceOf('hot-client', inCalls(100, unseen))).toBe('likely');
  });

  it('is likely by counts of the lifetime, however much it carries', () => {
    expect(confidenceOf('hot-client', alone(20_000, { windowSeconds: 0 }))).toBe('likely');
  });

  // Four connections of web-0 alike, eight others of 500: r ÷ (4r + 4000) is 1.25 times a tenth at r = 1000.
  it.each<[number, Outcome]>([
    [999, undefined],
    [1000, 'likely'],
  ])('needs one connection of 1.25 times the fair part of a pod: %s: %s', (rate, wanted) => {
    const connections = [
      ...to('web-0', [0, 1, 2, 3], rate),
      ...firstNumbers(8).flatMap((number) => to(`web-${number + 1}`, [number % 4], 500)),
    ];
    expect(confidenceOf('hot-client', { pods: pods(10), connections })).toBe(wanted);
  });

  it('needs a second client, since one alone is no more than the others', () => {
    expect(confidenceOf('hot-client', { pods: pods(4), connections: to('web-0', [0, 1], 5000) })).toBeUndefined();
    const connections = [...to('web-0', [0], 5000), ...to('web-1', [1], 1000)];
    expect(confidenceOf('hot-client', { pods: pods(4), connections })).toBe('certain');
  });
});

describe('hot-connection', () => {
  /** Pod 9 stays empty, so that the load is uneven whatever one connection carries. */
  const world = (connections: readonly ConnectionPlan[], more: Partial<Plan> = {}): Plan => ({
    pods: pods(10),
    connections,
    ...more,
  });
  const eight = [1, 2, 3, 4, 5, 6, 7, 8];

  it.each<[number, Outcome]>([
    [5999, undefined],
    [6000, 'likely'],
  ])('carries three times the other connection of its client: %s against 2000: %s', (rate, wanted) => {
    const connections = [...to('web-0', [0], rate), ...to('web-0', [1], 2000), ...to('web-1', eight, 1000)];
    expect(confidenceOf('hot-connection', world(connections))).toBe(wanted);
  });

  // Ten others: 100 and 9 × 1000, 910 on average, of which three times are 2730; a fifth of all would be 2275.
  it.each<[number, Outcome]>([
    [2729, undefined],
    [2730, 'likely'],
  ])('carries three times the average of all others: %s: %s', (rate, wanted) => {
    const connections = [...to('web-0', [0], rate), ...to('web-0', [1], 100), ...to('web-1', [...eight, 1], 1000)];
    expect(confidenceOf('hot-connection', world(connections))).toBe(wanted);
  });

  // 29 × 1000 and 100 beside it: an eighth of all at r = 29,100 ÷ 7 = 4157.1.
  it.each<[number, Outcome]>([
    [4157, undefined],
    [4158, 'likely'],
  ])('carries 1.25 times the fair part of a pod: %s: %s', (rate, wanted) => {
    const many = firstNumbers(29).map((number) => 1 + (number % 4));
    const connections = [...to('web-0', [0], rate), ...to('web-0', [1], 100), ...to('web-1', many, 1000)];
    expect(confidenceOf('hot-connection', world(connections))).toBe(wanted);
  });

  // As for hot-client: 2200 calls.
  it.each<[number, Outcome]>([
    [11_410, 'likely'],
    [11_411, 'certain'],
  ])('is certain with surely more than half of all: %s beside 10,000: %s', (rate, wanted) => {
    const connections = [...to('web-0', [0], rate), ...to('web-0', [1], 1000), ...to('web-1', [...eight, 2], 1000)];
    expect(confidenceOf('hot-connection', world(connections))).toBe(wanted);
  });

  it('is likely by counts of the lifetime, however much it carries', () => {
    const connections = [...to('web-0', [0], 20_000), ...to('web-0', [1], 1000), ...to('web-1', [...eight, 2], 1000)];
    expect(confidenceOf('hot-connection', world(connections, { windowSeconds: 0 }))).toBe('likely');
  });

  it('is no matter of one connection while there are fewer than pods', () => {
    const nine = [...to('web-0', [0], 9000), ...to('web-0', [1], 1000), ...to('web-1', eight.slice(1), 1000)];
    expect(confidenceOf('hot-connection', world(nine))).toBeUndefined();
    // 9000 of 18,000 is half, and not more.
    expect(confidenceOf('hot-connection', world([...nine, ...to('web-1', [2], 1000)]))).toBe('likely');
  });

  it('is not the only connection of a client that can be told', () => {
    const connections = [...to('web-0', [0], 9000), ...to('web-1', [...eight, 1], 1000)];
    expect(confidenceOf('hot-connection', world(connections))).toBeUndefined();
  });
});

describe('connection-churn', () => {
  /** Two pods that differ in CPU, since uneven connections alone would not be judged. */
  const world = (connections: readonly ConnectionPlan[], more: Partial<Plan> = {}): Plan => ({
    pods: [...pods(1, { cpuMillicores: 600 }), ...pods(1, { cpuMillicores: 100 }, 1)],
    connections,
    ...more,
  });
  const kept = (count: number) => dealt([count]);
  const opened = (count: number, first = 100) =>
    firstNumbers(count).flatMap((number) => to(`web-${first + number}`, [1], 1000, { ageSeconds: 5 }));
  /** They had carried so many segments a second after their start, when they were seen. */
  const closed = (count: number, segmentsPerSecond = 3, first = 200) =>
    firstNumbers(count).flatMap((number) =>
      to(`web-${first + number}`, [1], 1000, { gone: true, ageSeconds: 11, segmentsPerSecond }),
    );

  it.each<[number, number, number, Outcome]>([
    [3, 2, 1, undefined],
    [3, 2, 2, 'likely'],
    [3, 1, 4, 'likely'],
    [3, 1, 5, 'certain'],
    [3, 4, 0, 'likely'],
    [3, 0, 4, 'likely'],
    [3, 0, 5, 'likely'],
    [3, 3, 0, undefined],
    [0, 1, 0, 'likely'],
  ])('%s stayed, %s opened, %s closed: %s', (stayed, came, went, wanted) => {
    const connections = [...kept(stayed), ...opened(came), ...closed(went)];
    expect(confidenceOf('connection-churn', world(connections))).toBe(wanted);
  });

  // A handshake and one call are eight segments at most.
  it.each<[number, Outcome]>([
    [8, 'certain'],
    [9, undefined],
  ])('those that closed had carried %s segments each: %s', (segments, wanted) => {
    const connections = [...kept(3), ...opened(1), ...closed(5, segments)];
    expect(confidenceOf('connection-churn', world(connections))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [2, 'certain'],
    [3, undefined],
  ])('of five that closed %s had carried much: %s', (count, wanted) => {
    const connections = [...kept(3), ...opened(1), ...closed(5 - count), ...closed(count, 500, 300)];
    expect(confidenceOf('connection-churn', world(connections))).toBe(wanted);
  });

  // Four opened: most are three.
  it.each<[number, number, Outcome]>([
    [3, 59, 'possible'],
    [2, 59, 'likely'],
    [3, 60, 'likely'],
  ])('of four that opened %s are of clients that started %s s ago: %s', (count, seconds, wanted) => {
    const plan = world([...kept(3), ...opened(4)], { clients: startedAgo(count, seconds, 100) });
    expect(confidenceOf('connection-churn', plan)).toBe(wanted);
  });

  // Nothing is open; two sockets in TIME-WAIT a pod are ordinary.
  it.each<[number, Outcome]>([
    [2, undefined],
    [3, 'likely'],
  ])('%s sockets in TIME-WAIT a pod, and no connection: %s', (timeWait, wanted) => {
    expect(confidenceOf('connection-churn', world([], { timeWait }))).toBe(wanted);
  });

  it('is no churn while a single connection stays, whatever waits in TIME-WAIT', () => {
    expect(confidenceOf('connection-churn', world(kept(1), { timeWait: 50 }))).toBeUndefined();
  });
});

describe('connection-leak', () => {
  /** One client: connections that carry next to nothing, some that are used, and one that opened between the looks. */
  const leak = (unused: number, used: number, more: { readonly opens?: Partial<ConnectionPlan> | null } = {}): Plan => {
    const opens = more.opens === undefined ? {} : more.opens;
    const old = opens === null ? unused : unused - 1;
    return {
      pods: pods(2),
      connections: [
        ...firstNumbers(old).flatMap((number) => to('web-0', [number % 2], 0)),
        ...firstNumbers(used).flatMap((number) => to('web-0', [number % 2], 1000)),
        ...(opens === null ? [] : to('web-0', [0], 0, { ageSeconds: 5, lifetimeBytes: 500, ...opens })),
      ],
    };
  };

  it.each<[number, Outcome]>([
    [99, undefined],
    [100, 'possible'],
    [999, 'possible'],
    [1000, 'likely'],
  ])('%s that grow in number: %s', (count, wanted) => {
    expect(confidenceOf('connection-leak', leak(count, 0))).toBe(wanted);
  });

  it.each<[number, Outcome]>([
    [999, undefined],
    [1000, 'possible'],
  ])('%s that do not grow: %s', (count, wanted) => {
    expect(confidenceOf('connection-leak', leak(count, 0, { opens: null }))).toBe(wanted);
  });

  it('is likely only when none closes meanwhile', () => {
    const plan = leak(1000, 0);
    const closing = [...(plan.connections ?? []), ...to('web-0', [1], 0, { gone: true })];
    expect(confidenceOf('connection-leak', { ...plan, connections: closing })).toBe('possible');
  });

  it.each<[number, number, Outcome]>([
    [89, 11, undefined],
    [90, 10, 'possible'],
  ])('%s of a hundred unused, %s used: %s', (unused, used, wanted) => {
    expect(confidenceOf('connection-leak', leak(unused, used))).toBe(wanted);
  });

  // A connection that is new has had to begin: up to 8 KiB.
  it.each<[number, Outcome]>([
    [8191, 'possible'],
    [8192, undefined],
  ])('one that opened has carried %s bytes, with 89 others unused: %s', (lifetimeBytes, wanted) => {
    expect(confidenceOf('connection-leak', leak(90, 10, { opens: { lifetimeBytes } }))).toBe(wanted);
  });

  // What keeps a connection alive: below 256 bytes in the window.
  it.each<[number, Outcome]>([
    [25.5, 'possible'],
    [25.6, undefined],
  ])('ninety of a hundred carry %s bytes a second: %s', (rate, wanted) => {
    const connections = [
      ...firstNumbers(89).flatMap((number) => to('web-0', [number % 2], rate)),
      ...firstNumbers(10).flatMap((number) => to('web-0', [number % 2], 1000)),
      ...to('web-0', [0], 0, { ageSeconds: 5, lifetimeBytes: 500 }),
    ];
    expect(confidenceOf('connection-leak', { pods: pods(2), connections })).toBe(wanted);
  });
});

describe('chance', () => {
  // All on one of two pods: 2 × ½ⁿ. The level is 5 %. Below 4(P−1) = 4 few connections are the likely cause.
  it.each<[number, Outcome]>([
    [1, undefined],
    [3, undefined],
    [4, 'possible'],
    [5, 'possible'],
    [6, undefined],
  ])('%s connections on the same of two pods: %s', (count, wanted) => {
    expect(confidenceOf('chance', { pods: pods(2), connections: dealt([count]) })).toBe(wanted);
  });

  // Young connections, so that only their number tells: ½⁴ is no reason to believe in age, ½⁵ is one.
  it.each<[number, Outcome]>([
    [4, 'possible'],
    [5, undefined],
  ])('%s connections that leave the youngest pod empty: %s', (count, wanted) => {
    const young = [...pods(1), ...pods(1, { ageSeconds: 3600 }, 1)];
    expect(confidenceOf('chance', { pods: young, connections: dealt([count], { ageSeconds: 300 }) })).toBe(wanted);
  });
});

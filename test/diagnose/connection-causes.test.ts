/** Causes that lie in single connections and streams, not in where connections were placed. */
import { describe, expect, it } from 'vitest';
import { dealt, meshed, type Plan, pods } from './build.ts';
import type { CallsPlan, ConnectionPlan } from './build-looks.ts';
import { causesOf, statusOf } from './report.ts';

const causeOf = (plan: Plan, id: string) => statusOf(plan).causes.find((cause) => cause.id === id);
const one = (from: string, to: number, more: Partial<ConnectionPlan> = {}): ConnectionPlan => ({
  from,
  to: `echo-${to}`,
  ...more,
});

/** So few connections, dealt without any other reason: what random placement gives. */
const dealtFew = { causes: ['few-connections', 'chance'] };

describe('connection-churn', () => {
  /** A connection per call: one has just come, five of the first look are gone after a call each. No CPU, so nothing tells the load. */
  const moving = [
    ...dealt([1, 0, 0, 0], { ageSeconds: 2 }),
    ...dealt([0, 2, 3, 0], { gone: true, ageSeconds: 12, segmentsPerSecond: 0.3 }).map((entry) => ({
      ...entry,
      from: `gone-${entry.from}`,
    })),
  ];
  const plan: Plan = {
    truth: { causes: ['connection-churn'] },
    pods: pods(4),
    connections: moving,
    usage: false,
  };

  it('is certain when connections were seen to open and to close', () => {
    const status = statusOf(plan);
    expect(status.verdict.state).toBe('unknown');
    expect(causesOf(status)).toEqual({ 'connection-churn': 'certain' });
    expect(status.causes[0]?.evidence).toEqual(['within 10s 1 opened and 5 closed, 0 were there in both looks']);
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
  });

  it('is likely when only TIME-WAIT tells of them', () => {
    const status = statusOf({ pods: pods(4), timeWait: 30, way: 'proc', usage: false });
    expect(causesOf(status)).toEqual({ 'connection-churn': 'likely' });
    expect(status.causes[0]?.evidence).toEqual(['120 sockets in TIME-WAIT at the port']);
  });

  it('is possible when the new connections are of clients that have just started', () => {
    const clients = [{ name: 'web-0', startedSeconds: 20 }];
    expect(causeOf({ ...plan, clients }, 'connection-churn')?.confidence).toBe('possible');
  });

  it('changes no strategy where the load is uneven all the same: the connections of one moment do not explain it', () => {
    const calls = [40, 2, 2, 2].map((perSecond, index) => ({ pod: `echo-${index}`, perSecond }));
    const status = statusOf({ ...plan, calls });
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'calls' });
    expect(causesOf(status)).toEqual({ 'connection-churn': 'certain' });
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
  });

  it('twin: not when the same connections are there in both looks', () => {
    const staying = dealt([1, 1, 2, 0]);
    expect(causesOf(statusOf({ ...plan, connections: staying, truth: dealtFew }))).not.toHaveProperty(
      'connection-churn',
    );
  });

  it('trap: silent about the probes of kubelet, which open one each time', () => {
    const probes = pods(4).map(({ name }) => ({ from: '10.244.0.1', to: name, ageSeconds: 4 }));
    const status = statusOf({ ...plan, connections: [...dealt([1, 1, 1, 1]), ...probes] });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });
});

describe('hot-connection', () => {
  /** One client with a pool of eight, of which it uses one; nobody else. */
  const pool = (hot: number): ConnectionPlan[] =>
    Array.from({ length: 8 }, (_, index) => one('web-0', index % 4, { bytesPerSecond: index === 0 ? hot : 100 }));
  const plan: Plan = {
    truth: { causes: ['hot-connection'] },
    pods: pods(4),
    connections: pool(5000),
  };

  it('is certain when one connection of a pool carries more than half, as measured in a window', () => {
    // 5000 of 5700 are 88 %, 3.5 times the quarter of a pod.
    const cause = causeOf(plan, 'hot-connection');
    expect(cause).toMatchObject({
      confidence: 'certain',
      text: 'one of 8 connections carries 88 % of the load: web-0 to echo-0',
    });
    expect(cause?.evidence).toEqual([
      'it carries 3.5 × the fair part of a pod',
      'web-0 holds 7 other connections, which carry 12 % in all',
    ]);
  });

  it('is likely by lifetime counters alone', () => {
    expect(causeOf({ ...plan, windowSeconds: 0 }, 'hot-connection')?.confidence).toBe('likely');
  });

  it('is found behind a node, where no client can be told', () => {
    const connections = [
      ...dealt([8, 8, 8, 8], { bytesPerSecond: 20 }),
      one('192.168.0.2', 1, { bytesPerSecond: 5000 }),
    ];
    const status = statusOf({ pods: pods(4), connections });
    expect(causesOf(status)).toEqual({ 'hot-connection': 'certain' });
    expect(status.causes[0]?.evidence[1]).toBe(
      'node/n2 stands for many clients: whose connection it is cannot be told',
    );
  });

  it('is no more than likely where more connections came and went than stayed: what those carried is not known', () => {
    const broken = (count: number) =>
      dealt([8, 8, 8, 8], { bytesPerSecond: 20 }).map((entry, index) => ({
        ...entry,
        ...(index < count && { gone: true, peerPort: 50_000 + index }),
      }));
    const worlds = [8, 24].map((gone) => [...broken(gone), one('192.168.0.2', 1, { bytesPerSecond: 5000 })]);
    const said = worlds.map((connections) => causesOf(statusOf({ pods: pods(4), connections }))['hot-connection']);
    expect(said).toEqual(['certain', 'likely']);
  });

  it('bars a connection age, which takes the heavy connection along', () => {
    expect(statusOf(plan).recommendation.strategy).not.toBe('max-connection-age');
  });

  it('twin: not when the pool is used evenly', () => {
    expect(causesOf(statusOf({ ...plan, connections: pool(100) }))).toEqual({});
  });

  it('trap: silent about the only connection of a hot client: that is the client', () => {
    const connections = [...dealt([8, 8, 8, 8], { bytesPerSecond: 20 }), one('hot', 1, { bytesPerSecond: 5000 })];
    expect(causesOf(statusOf({ pods: pods(4), connections }))).toEqual({ 'hot-client': 'certain' });
  });

  it('trap: silent with fewer connections than pods: no placement of those is even', () => {
    const connections = [one('web-0', 0, { bytesPerSecond: 9000 }), one('web-0', 1), one('web-0', 2)];
    expect(causesOf(statusOf({ pods: pods(4), connections }))).not.toHaveProperty('hot-connection');
  });

  it('trap: silent behind a sidecar, which chooses a pod for each call', () => {
    const clients = [{ name: 'web-0', meshProxies: ['istio-proxy'] }];
    expect(causesOf(statusOf({ ...plan, clients }))).not.toHaveProperty('hot-connection');
  });
});

describe('long-streams', () => {
  const counters = (
    streams: readonly number[],
    messages: readonly number[],
    more: Partial<CallsPlan> = {},
  ): CallsPlan[] =>
    streams.map((inFlight, index) => ({
      pod: `echo-${index}`,
      perSecond: 0,
      inFlight,
      messagesPerSecond: messages[index] ?? 0,
      ...more,
    }));
  /** Ten clients with ten streams each on four pods, 1 5 3 1: each stream is 25 messages a second. */
  const plan: Plan = {
    // Ten connections are few for four pods, and fell as luck would have it; the streams make it stay.
    truth: { causes: ['long-streams', ...dealtFew.causes] },

    pods: pods(4),
    connections: dealt([1, 5, 3, 1]),
    calls: counters([10, 50, 30, 10], [250, 1250, 750, 250]),
  };

  it('is certain when the messages are of calls that do not end, and those last for minutes', () => {
    // 100 streams in a window of 10 s of which none ended: at least 100 × 10 s ÷ 1 on average.
    const status = statusOf(plan);
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'messages' });
    const cause = status.causes.find(({ id }) => id === 'long-streams');
    expect(cause).toMatchObject({
      confidence: 'certain',
      text: '100 streams stay where they began: echo-1 has 50 % of the load',
    });
    expect(cause?.evidence).toEqual([
      '100 calls in flight, 0 ended within 10 s',
      '100 % of the messages are of calls that do not end',
      'streams per pod: echo-1 50, echo-2 30, echo-0 10, echo-3 10',
    ]);
    expect(causesOf(status)).toMatchObject({ 'few-connections': 'likely' });
    expect(cause?.settledBy).toEqual([]);
  });

  it('is likely when the window is too short to say how long calls last', () => {
    // 4 streams for 10 s, none ended: 40 s at least, which is no minute.
    const few = { pods: pods(4), connections: dealt([3, 1]), calls: counters([3, 1, 0, 0], [90, 30, 0, 0]) };
    expect(causeOf(few, 'long-streams')?.confidence).toBe('likely');
  });

  it('is likely without counters of messages when no call ended, and possible when some did', () => {
    const uncounted = (ending: number) =>
      [10, 50, 30, 10].map((inFlight, index) => ({ pod: `echo-${index}`, perSecond: ending * inFlight, inFlight }));
    expect(causeOf({ ...plan, calls: uncounted(0) }, 'long-streams')?.confidence).toBe('likely');
    // One in twenty ends each second: 50 of 100 in the window.
    expect(causeOf({ ...plan, calls: uncounted(0.05) }, 'long-streams')?.confidence).toBe('possible');
  });

  it('says that the number of streams is even where what they carry is not', () => {
    const heavy = {
      ...plan,
      connections: dealt([2, 2, 2, 2]),
      calls: counters([5, 5, 5, 5], [900, 50, 50, 50]),
      truth: { causes: ['long-streams'] },
    };
    expect(causeOf(heavy, 'long-streams')?.evidence).toContain('their number is about even, what they carry is not');
  });

  it('twin: not when as many calls end', () => {
    // The same messages, of 1,250 calls a second that last for 20 ms.
    const calls = counters([3, 13, 8, 3], [250, 1250, 750, 250]).map((entry) => ({
      ...entry,
      perSecond: (entry.messagesPerSecond ?? 0) / 2,
    }));
    const status = statusOf({ ...plan, calls });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('long-streams');
  });

  it('twin: not without counters: the bytes of a stream look like those of many calls', () => {
    const { calls: _, ...uncounted } = plan;
    expect(causesOf(statusOf(uncounted))).not.toHaveProperty('long-streams');
  });

  it('trap: silent about streams that are open and carry next to nothing, beside many calls', () => {
    // 100 watches; 20 calls of 10 messages each end in the window, that is all the messages there are.
    const calls = counters([40, 30, 20, 10], [3, 0.5, 0.3, 0.2]).map((entry) => ({
      ...entry,
      perSecond: (entry.messagesPerSecond ?? 0) / 2,
    }));
    const status = statusOf({ pods: pods(4), connections: dealt([6, 1, 1, 0]), calls });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('long-streams');
  });

  it('trap: silent where the streams are even', () => {
    const even = { ...plan, connections: dealt([2, 2, 2, 2]), calls: counters([5, 5, 5, 5], [100, 100, 100, 100]) };
    const status = statusOf(even);
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });
});

describe('stream-limit', () => {
  const full = (inFlight: number, more: Partial<CallsPlan> = {}): CallsPlan[] =>
    [0, 1].map((index) => ({ pod: `echo-${index}`, perSecond: 50, inFlight, ...more }));
  /** Two clients with one connection each, and 98 calls in flight on it at any time. */
  const plan: Plan = {
    truth: { causes: ['stream-limit'] },
    pods: pods(2),
    connections: dealt([1, 1]),
    calls: full(98),
  };

  it('is likely when the number in flight stands at a usual limit while calls go on ending', () => {
    const status = statusOf(plan);
    expect(status.verdict.state).toBe('balanced');
    expect(causesOf(status)).toEqual({ 'stream-limit': 'likely' });
    expect(status.causes[0]?.text).toBe(
      'echo-0 has 98 calls in flight on 1 connection: the usual limit of 100 streams',
    );
    expect(status.causes[0]?.evidence).toEqual([
      '98 calls in flight per connection, in both samples',
      'meanwhile 500 calls ended',
      'it uses 10 % of its CPU limit',
      '2 of 2 pods are the same',
    ]);
  });

  it('is possible when it was another number before, when hardly a call ends, or without a CPU limit', () => {
    expect(causeOf({ ...plan, calls: full(98, { inFlightBefore: 60 }) }, 'stream-limit')?.confidence).toBe('possible');
    expect(causeOf({ ...plan, calls: full(98, { perSecond: 5 }) }, 'stream-limit')?.confidence).toBe('possible');
    const unlimited = pods(2, { cpuLimitMillicores: null });
    expect(causeOf({ ...plan, pods: unlimited }, 'stream-limit')?.confidence).toBe('possible');
  });

  it('twin: not with fewer calls in flight', () => {
    expect(causesOf(statusOf({ ...plan, calls: full(60) }))).toEqual({});
  });

  it('twin: not when the same number is spread over two connections a pod', () => {
    expect(causesOf(statusOf({ ...plan, connections: dealt([2, 2]) }))).toEqual({});
  });

  it('trap: silent about a pod that is at its CPU limit: the server itself is slow', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(2, { cpuMillicores: 950 }) }))).toEqual({});
  });

  it('trap: silent behind a proxy, which opens another connection when one is full', () => {
    const clients = [0, 1].map((index) => ({ name: `web-${index}`, meshProxies: ['istio-proxy'] }));
    expect(causesOf(statusOf({ ...plan, clients }))).toEqual({});
  });
});

describe('connection-leak', () => {
  /** Beside even load, `count` connections of one client that carry nothing; `opened` of them came between the looks. */
  const leak = (count: number, opened: number, more: Partial<ConnectionPlan> = {}): ConnectionPlan[] =>
    Array.from({ length: count }, (_, index) =>
      one('leaky', index % 4, {
        bytesPerSecond: 0,
        segmentsPerSecond: 0,
        peerPort: 20_000 + index,
        ...(index < opened ? { ageSeconds: 5 } : { lifetimeBytes: 400 }),
        ...more,
      }),
    );
  const plan = (connections: ConnectionPlan[], more: Partial<Plan> = {}): Plan => ({
    truth: { causes: ['connection-leak'] },

    pods: pods(4),
    connections: [...meshed(3, 4), ...connections],
    ...more,
  });

  it('is likely with a thousand unused connections that grow in number', () => {
    const status = statusOf(plan(leak(1200, 8)));
    expect(status.verdict.state).toBe('balanced');
    expect(causesOf(status)).toEqual({ 'connection-leak': 'likely' });
    expect(status.causes[0]?.text).toBe('leaky holds 1200 connections, all of them unused');
    expect(status.causes[0]?.evidence).toEqual(['between the samples it opened 8 more and closed none']);
  });

  it('is possible with a hundred that grow, or a thousand that do not', () => {
    expect(causesOf(statusOf(plan(leak(100, 3))))).toEqual({ 'connection-leak': 'possible' });
    expect(causesOf(statusOf(plan(leak(1200, 0))))).toEqual({ 'connection-leak': 'possible' });
  });

  it('is possible when what they carry is not known', () => {
    expect(causeOf(plan(leak(1200, 0), { way: 'proc' }), 'connection-leak')?.confidence).toBe('possible');
  });

  it('twin: not when the connections are used', () => {
    expect(causesOf(statusOf(plan(leak(1200, 8, { bytesPerSecond: 1000 }))))).not.toHaveProperty('connection-leak');
  });

  it('twin: not when they close as they open', () => {
    const closing = [...leak(100, 3), one('leaky', 0, { gone: true, peerPort: 30_000 })];
    expect(causesOf(statusOf(plan(closing)))).toEqual({});
  });

  it('trap: silent about a thousand connections of many clients behind one node', () => {
    const behind = leak(1200, 8).map((entry) => ({ ...entry, from: '192.168.0.2', lifetimeBytes: 9000 }));
    expect(causesOf(statusOf(plan(behind)))).not.toHaveProperty('connection-leak');
  });
});

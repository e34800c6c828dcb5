/** The rows of the list that chooses a strategy: where each begins and ends. */
import { describe, expect, it } from 'vitest';
import { proposedAge } from '../../src/strategies/max-connection-age.ts';
import { type ClientPlan, dealt, headless, marks, meshed, type Plan, pods } from '../diagnose/build.ts';
import { type Status, statusOf } from '../diagnose/report.ts';
import { firstNumbers, to } from './worlds.ts';

const rowOf = (plan: Plan) => statusOf(plan).recommendation.rule;
const istio = { meshProxies: ['istio-proxy'] };
const xds: Partial<ClientPlan> = { mesh: { xds: 'bootstrap' } };

/** Of a thousand parts of the load so many come from web-0; four of six pods have nothing to do. */
const ofThousand = (parts: number, subject: Partial<ClientPlan>, more: Partial<Plan> = {}): Plan => ({
  pods: pods(6),
  clients: [{ name: 'web-0', ...subject }, { name: 'web-1' }],
  connections: [...to('web-0', [0], 10 * parts), ...to('web-1', [1], 10 * (1000 - parts))],
  ...more,
});

describe('row 8', () => {
  it.each([
    [35, 10],
    [36, 8],
  ])('%s equal connections on 10 pods: row %s', (count, row) => {
    expect(rowOf({ pods: pods(10), connections: dealt([count - 10, 10]) })).toBe(row);
  });

  // Sixteen pods, so that a connection of two sixteenths can be one of sixty effective ones. 800 others of 1000 bytes a
  // second are seven eighths at 800,000 ÷ 7 = 114,285.7.
  it.each([
    [114_285, 8],
    [114_286, 10],
  ])('one connection of %s bytes a second beside 800 of 1000: row %s', (rate, row) => {
    const others = firstNumbers(800).map((number) => 1 + (number % 3));
    expect(rowOf({ pods: pods(16), connections: [...to('web-0', [0], rate), ...to('web-1', others, 1000)] })).toBe(row);
  });
});

describe('the other rows', () => {
  it.each([
    [499, 10],
    [500, 9],
  ])('of 1000 parts %s by clients with xDS: row %s', (parts, row) => {
    expect(rowOf(ofThousand(parts, xds))).toBe(row);
  });

  it.each([
    [499, 10],
    [500, 4],
  ])('of 1000 parts %s through a gateway: row %s', (parts, row) => {
    expect(rowOf(ofThousand(parts, { role: 'gateway' }))).toBe(row);
  });

  it('row 4 for any client with a sidecar, and for an ambient mesh without a waypoint', () => {
    expect(rowOf(ofThousand(100, istio))).toBe(4);
    const ambient = pods(6, { pod: { mesh: marks({ redirected: true, dataplaneMode: 'ambient' }) } });
    const { strategy, action, rule } = statusOf(ofThousand(100, {}, { pods: ambient, path: {} })).recommendation;
    expect([rule, strategy, action]).toEqual([4, 'l7-proxy', 'complete']);
  });

  it('row 4 completes a mesh whose clients are outside, and repairs one where all are in', () => {
    const servers = { pods: pods(6, { sidecar: 'istio-proxy' }) };
    const half = statusOf(ofThousand(500, istio, { ...servers, path: {} })).recommendation;
    expect([half.rule, half.action]).toEqual([4, 'complete']);
    const clients = [0, 1].map((number) => ({ name: `web-${number}`, ...istio }));
    const all = statusOf(ofThousand(500, istio, { ...servers, path: {}, clients })).recommendation;
    expect([all.rule, all.action]).toEqual([4, 'repair']);
  });

  it('row 6 when a client of a headless Service holds two connections to one pod and none to another: it does not balance', () => {
    const one = { pods: pods(6), service: headless, connections: dealt([2, 1]) };
    expect(rowOf(one)).toBe(6);
    const workers = [0, 1, 2].map((number) => ({ name: `web-${number}`, workload: number === 0 ? 'other' : 'web' }));
    const two = (pod: number) => ({
      ...one,
      clients: workers,
      connections: [...one.connections, ...to('web-0', [pod], 1000)],
    });
    expect(rowOf(two(0))).toBe(6);
    // One to each of two pods is what a balancing client may hold, and no cause tells why it holds no other.
    expect(rowOf(two(1))).toBe(2);
  });

  it('row 2 where the pods have names of their own and the cause is no more than possible', () => {
    const owner = { kind: 'StatefulSet', name: 'echo' };
    const plan = { service: headless, connections: dealt([2, 1]) };
    expect(rowOf({ ...plan, pods: pods(6) })).toBe(6);
    expect(rowOf({ ...plan, pods: pods(6, { pod: { owner } }) })).toBe(2);
  });

  it('row 3 for a load balancer that is likely to deal by source, not for a suspicion of it', () => {
    const service = { type: 'LoadBalancer' } as const;
    // Forty of each of two addresses: without it they would lie about evenly on five pods.
    const bySource = ['8.8.8.8', '8.8.4.4'].flatMap((address, pod) => to(address, Array(40).fill(pod), 1000));
    expect(rowOf({ pods: pods(5), service, connections: bySource })).toBe(3);
    const byNode = ['192.168.0.1', '192.168.0.2'].flatMap((address, pod) => to(address, Array(40).fill(pod), 1000));
    expect(rowOf({ pods: pods(5), service, connections: byNode })).toBe(8);
  });

  it('row 11 when the clients come through a load balancer', () => {
    const connections = to('192.168.0.1', [0, 0, 1], 1000);
    expect(rowOf({ pods: pods(5), service: { type: 'LoadBalancer' }, connections })).toBe(11);
    expect(rowOf({ pods: pods(5), connections })).toBe(10);
  });

  it('row 5 when clients of a headless Service hold as many connections to each pod that they know', () => {
    // The three youngest were added later.
    const servers = [...pods(3), ...pods(3, { ageSeconds: 600, readySeconds: 590 }, 3)];
    const twice = [0, 1, 2].flatMap((client) => to(`web-${client}`, [0, 1, 2, 0, 1, 2], 1000));
    expect(rowOf({ pods: servers, service: headless, connections: meshed(3, 3) })).toBe(5);
    expect(rowOf({ pods: servers, service: headless, connections: twice })).toBe(5);
    // The others are as old: who balances would know them.
    expect(rowOf({ pods: pods(6), service: headless, connections: twice })).toBe(6);
  });

  it('row 0 for a skew whose connections come and go, after four messages each', () => {
    const opened = firstNumbers(4).flatMap((number) => to(`web-${number}`, [0], 1000, { ageSeconds: 5 }));
    const closed = firstNumbers(4).flatMap((number) =>
      to(`web-${9 + number}`, [0], 1000, { gone: true, ageSeconds: 10.2 }),
    );
    const servers = [...pods(1, { cpuMillicores: 900 }), ...pods(3, { cpuMillicores: 50 }, 1)];
    expect(rowOf({ pods: servers, connections: [...opened, ...closed] })).toBe(0);
  });
});

describe('the gain of a change', () => {
  // One pod of P with 3.01 times its part: P ÷ (1 + 2.01² ÷ (P − 1)) effective pods; with all P it is 10 % more up to P = 41.
  const world = (count: number, more: Partial<Plan> = {}): Plan => ({
    pods: pods(count),
    connections: firstNumbers(count).flatMap((number) =>
      to(`web-${number}`, [number], number === 0 ? 3010 : (1000 * (count - 3.01)) / (count - 1)),
    ),
    ...more,
  });
  const advice = (plan: Plan) => {
    const { rule, action, strategy } = statusOf(plan).recommendation;
    return [rule, action, strategy];
  };

  it('of 10 % is the least that one is advised for', () => {
    expect(advice(world(41))).toEqual([10, 'adopt', 'headless-round-robin']);
    expect(advice(world(42))).toEqual([10, 'keep', 'cluster-ip']);
  });

  it('is asked for what is to be completed, too', () => {
    expect(advice(world(41, { service: headless }))).toEqual([6, 'complete', 'headless-round-robin']);
    expect(advice(world(42, { service: headless }))).toEqual([6, 'keep', 'headless-round-robin']);
  });
});

describe('the connection age that is proposed', () => {
  // The shortest of 5, 10, 15, 30 and 60 minutes with at most one reconnect a second and pod.
  it.each([
    [300, 1, 300],
    [301, 1, 600],
    [600, 1, 600],
    [601, 1, 900],
    [900, 1, 900],
    [901, 1, 1800],
    [1800, 1, 1800],
    [1801, 1, 3600],
    [100_000, 1, 3600],
    [600, 2, 300],
    [601, 2, 600],
  ])('%s connections on %s pods: %s s', (connections, count, seconds) => {
    expect(proposedAge(connections, count)).toBe(seconds);
  });
});

describe('preconditions', () => {
  const statuses = (status: Status, id: string) =>
    status.recommendation.strategies
      .find((strategy) => strategy.id === id)
      ?.preconditions.map((entry) => [entry.text.split(/[:,(]/)[0]?.trim(), entry.status]) ?? [];
  const of = (plan: Plan, id: string, text: RegExp) =>
    statuses(statusOf(plan), id).find(([words]) => text.test(words ?? ''))?.[1];

  it.each([
    [35, 'failed'],
    [36, 'met'],
  ])('%s connections on 10 pods are enough: %s', (count, status) => {
    const plan = { pods: pods(10), connections: dealt([count - 10, 10]) };
    expect(of(plan, 'cluster-ip', /at least 4/)).toBe(status);
    expect(of(plan, 'max-connection-age', /at least 4/)).toBe(status);
  });

  it.each([
    [250, 'met'],
    [251, 'failed'],
  ])('%s clients × 200 pods: %s', (clients, status) => {
    const plan = { pods: pods(200), connections: dealt([clients - 100, 50, 50]) };
    expect(of(plan, 'headless-round-robin', /clients × pods/)).toBe(status);
  });

  // All but one part in a hundred go through it.
  it.each([
    [990, 'failed'],
    [991, 'met'],
  ])('of 1000 parts %s by clients in the mesh: the clients go through it: %s', (parts, status) => {
    expect(of(ofThousand(parts, istio, { path: {} }), 'l7-proxy', /^the clients go/)).toBe(status);
  });

  it.each([
    [990, 'unknown'],
    [991, 'met'],
  ])('of 1000 parts %s by clients in the mesh: the proxy resolves the endpoints: %s', (parts, status) => {
    expect(of(ofThousand(parts, istio, { path: {} }), 'l7-proxy', /^the proxy resolves/)).toBe(status);
  });

  it.each([
    [990, 'failed'],
    [991, 'met'],
  ])('of 1000 parts %s by clients in the mesh: a port without a name is looked at: %s', (parts, status) => {
    const ports = [{ name: 'main', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null }];
    const plan = ofThousand(parts, istio, { path: {}, service: { ports } });
    expect(of(plan, 'l7-proxy', /^the port declares/)).toBe(status);
  });

  it('without any proxy the clients do not go through one', () => {
    // The address of a node tells nothing of who stands behind it.
    const behindNode = { pods: pods(4), connections: to('192.168.0.1', [0, 0, 1], 1000) };
    expect(of(behindNode, 'l7-proxy', /^the clients go/)).toBe('failed');
    const cilium = { ...behindNode, path: { ciliumL7: true } };
    expect(of(cilium, 'l7-proxy', /^the clients go/)).toBe('unknown');
  });

  it.each([
    [989, 'unknown'],
    [991, 'met'],
  ])('of 1000 parts %s without a sidecar, the rest behind a node: %s', (parts, status) => {
    const connections = [...to('web-0', [0], 10 * parts), ...to('192.168.0.1', [1], 10 * (1000 - parts))];
    expect(of({ pods: pods(6), connections }, 'headless-round-robin', /^no sidecar/)).toBe(status);
  });

  it('a sidecar at one client bars round_robin', () => {
    expect(of(ofThousand(1, istio), 'headless-round-robin', /^no sidecar/)).toBe('failed');
    expect(of(ofThousand(1, {}), 'headless-round-robin', /^no sidecar/)).toBe('met');
  });

  it('a ClusterIP without proxies is what a connection age needs', () => {
    const text = /^kube-proxy/;
    expect(of({ pods: pods(4), connections: dealt([3]) }, 'max-connection-age', text)).toBe('met');
    expect(of({ pods: pods(4), connections: dealt([3]), service: headless }, 'max-connection-age', text)).toBe(
      'failed',
    );
    expect(of(ofThousand(1, istio), 'max-connection-age', text)).toBe('failed');
  });

  it('streams that are under way are what a connection age cuts off', () => {
    const calls = (inFlight: number) =>
      [0, 1].map((number) => ({ pod: `echo-${number}`, perSecond: 1, inFlight, messagesPerSecond: 500 }));
    const plan = { pods: pods(2), connections: meshed(1, 2) };
    // Ten calls end on each pod within the window.
    expect(of({ ...plan, calls: calls(10) }, 'max-connection-age', /^streams end/)).toBe('unknown');
    expect(of({ ...plan, calls: calls(11) }, 'max-connection-age', /^streams end/)).toBe('failed');
  });
});

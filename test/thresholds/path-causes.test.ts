/** The parts of the load at which causes of the path, of settings and of the load balancer are found, and how sure they are. */
import { describe, expect, it } from 'vitest';
import { type ClientPlan, clientsOn, dealt, headless, marks, meshed, type Plan, pods } from '../diagnose/build.ts';
import { statusOf } from '../diagnose/report.ts';
import { confidenceOf, firstNumbers, type Outcome, to } from './worlds.ts';

/**
 * Two clients on the first two of six pods: web-0 is what the case is about, and has so many of 1000 parts of the load.
 */
const ofThousand = (parts: number, subject: Partial<ClientPlan>, more: Partial<Plan> = {}): Plan => ({
  pods: pods(6),
  clients: [{ name: 'web-0', ...subject }, { name: 'web-1' }],
  connections: [...to('web-0', [0], 10 * parts), ...to('web-1', [1], 10 * (1000 - parts))],
  path: {},
  ...more,
});

const istio = { meshProxies: ['istio-proxy'] };
const withSidecars = { pods: pods(6, { sidecar: 'istio-proxy' }) };
const port = (name: string): NonNullable<Plan['service']> => ({
  ports: [{ name, port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null }],
});

describe('half of the load', () => {
  const half = (below: Outcome, from: Outcome) =>
    [
      [499, below],
      [500, from],
    ] as [number, Outcome][];

  it.each(half(undefined, 'certain'))('of 1000, %s by clients in the mesh: mesh-sees-tcp %s', (parts, wanted) => {
    const plan = ofThousand(parts, istio, { ...withSidecars, service: port('tcp') });
    expect(confidenceOf('mesh-sees-tcp', plan)).toBe(wanted);
  });

  it.each(half(undefined, 'likely'))('of 1000, %s by clients in the mesh: mesh-bypassed %s', (parts, wanted) => {
    const plan = ofThousand(parts, istio, { path: { socketLoadBalancing: 'all' } });
    expect(confidenceOf('mesh-bypassed', plan)).toBe(wanted);
  });

  it.each(half(undefined, 'likely'))('of 1000, %s by clients in the mesh: headless-with-mesh %s', (parts, wanted) => {
    expect(confidenceOf('headless-with-mesh', ofThousand(parts, istio, { service: headless }))).toBe(wanted);
  });

  const rule = { name: 'echo', consistentHash: true, subsets: [] };

  it.each(half(undefined, 'likely'))('of 1000, %s by clients in the mesh: consistent-hash %s', (parts, wanted) => {
    const plan = ofThousand(parts, istio, { path: { destinationRules: [rule] } });
    expect(confidenceOf('consistent-hash', plan)).toBe(wanted);
  });

  it.each(half(undefined, 'likely'))('of 1000, %s by clients with xDS: consistent-hash %s', (parts, wanted) => {
    const xds = { mesh: { xds: 'bootstrap' as const } };
    const plan = ofThousand(parts, xds, { path: { destinationRules: [rule] } });
    expect(confidenceOf('consistent-hash', plan)).toBe(wanted);
  });

  it.each(half(undefined, 'likely'))('of 1000, %s through a gateway: consistent-hash %s', (parts, wanted) => {
    const plan = ofThousand(parts, { role: 'gateway' }, { path: { destinationRules: [rule] } });
    expect(confidenceOf('consistent-hash', plan)).toBe(wanted);
  });

  it.each(half(undefined, 'possible'))('of 1000, %s through a gateway: proxy-to-cluster-ip %s', (parts, wanted) => {
    expect(confidenceOf('proxy-to-cluster-ip', ofThousand(parts, { role: 'gateway' }))).toBe(wanted);
  });

  it('of two kinds together is half as well', () => {
    const plan: Plan = {
      pods: pods(6),
      clients: [{ name: 'web-0', ...istio }, { name: 'web-1', role: 'gateway' }, { name: 'web-2' }],
      connections: [...to('web-0', [0], 2500), ...to('web-1', [1], 2500), ...to('web-2', [2], 5000)],
      path: { destinationRules: [rule] },
    };
    expect(confidenceOf('consistent-hash', plan)).toBe('likely');
  });

  const ambient = {
    pods: pods(6, { pod: { mesh: marks({ redirected: true, dataplaneMode: 'ambient' }) } }),
    path: { namespace: marks({ dataplaneMode: 'ambient' }) },
  };

  it.each<[string, Partial<ClientPlan>]>([
    ['a sidecar', istio],
    ['xDS', { mesh: { xds: 'bootstrap' } }],
    ['a gateway', { role: 'gateway' }],
  ])('of 1000 with %s: then no waypoint is missed', (_, subject) => {
    expect(confidenceOf('ambient-without-waypoint', ofThousand(499, subject, ambient))).toBe('certain');
    expect(confidenceOf('ambient-without-waypoint', ofThousand(500, subject, ambient))).toBeUndefined();
  });
});

describe('ambient-without-waypoint', () => {
  const pod = (redirected: boolean) => ({ pod: { mesh: marks({ redirected, dataplaneMode: 'ambient' }) } });
  const plan: Plan = { pods: pods(6, pod(true)), connections: dealt([2, 1, 1]), path: {} };

  it('is certain when the CNI has marked all pods, likely when one shows its label only', () => {
    expect(confidenceOf('ambient-without-waypoint', plan)).toBe('certain');
    const mixed = { ...plan, pods: [...pods(5, pod(true)), ...pods(1, pod(false), 5)] };
    expect(confidenceOf('ambient-without-waypoint', mixed)).toBe('likely');
  });

  it('is likely when the labels of the namespace could not be read', () => {
    expect(confidenceOf('ambient-without-waypoint', { ...plan, path: { namespace: null } })).toBe('likely');
  });

  it('is likely when the connections are even and only what they carry is not', () => {
    const uneven = meshed(1, 6).map((entry, index) => ({ ...entry, bytesPerSecond: index === 0 ? 9000 : 100 }));
    expect(confidenceOf('ambient-without-waypoint', { ...plan, connections: uneven })).toBe('likely');
  });

  it('is not so when one of the pods is not in ambient, or the Service is headless', () => {
    const one = { ...plan, pods: [...pods(5, pod(true)), ...pods(1, {}, 5)] };
    expect(confidenceOf('ambient-without-waypoint', one)).toBeUndefined();
    expect(confidenceOf('ambient-without-waypoint', { ...plan, service: headless })).toBeUndefined();
  });

  it('is certain with a waypoint that does not exist, and not so with one that does', () => {
    const named = (waypoints: string[]) => ({
      ...plan,
      path: { service: marks({ useWaypoint: 'way' }), waypoints },
    });
    expect(confidenceOf('ambient-without-waypoint', named([]))).toBe('certain');
    expect(confidenceOf('ambient-without-waypoint', named(['way']))).toBeUndefined();
  });
});

describe('client-outside-mesh', () => {
  /** web-0 has no sidecar, web-1 has one. */
  const world = (parts: number, more: Partial<Plan> = {}): Plan => ({
    ...ofThousand(parts, {}),
    ...withSidecars,
    clients: [{ name: 'web-0' }, { name: 'web-1', ...istio }],
    ...more,
  });

  it.each<[number, Outcome]>([
    [99, undefined],
    [100, 'likely'],
    [499, 'likely'],
    [500, 'certain'],
  ])('of 1000, %s without a sidecar: %s', (parts, wanted) => {
    expect(confidenceOf('client-outside-mesh', world(parts))).toBe(wanted);
  });

  it('is possible when no client is in the mesh', () => {
    expect(confidenceOf('client-outside-mesh', world(600, { clients: [] }))).toBe('possible');
  });

  it('is not so when those without a sidecar reach every pod', () => {
    const connections = [...to('web-0', firstNumbers(6), 1000), ...to('web-1', [1], 6000)];
    expect(confidenceOf('client-outside-mesh', world(0, { connections }))).toBeUndefined();
    const five = [...to('web-0', firstNumbers(5), 1200), ...to('web-1', [1], 6000)];
    expect(confidenceOf('client-outside-mesh', world(0, { connections: five }))).toBe('certain');
  });

  it('is not so when one of the pods has no sidecar, or the Service is headless', () => {
    const mixed = { pods: [...pods(5, { sidecar: 'istio-proxy' }), ...pods(1, {}, 5)] };
    expect(confidenceOf('client-outside-mesh', world(600, mixed))).toBeUndefined();
    expect(confidenceOf('client-outside-mesh', world(600, { service: headless }))).toBeUndefined();
  });
});

describe('mesh-sees-tcp', () => {
  const world = (more: Partial<Plan> = {}): Plan => ({
    ...withSidecars,
    clients: firstNumbers(4).map((number) => ({ name: `web-${number}`, ...istio })),
    connections: dealt([2, 1, 1]),
    service: port('main'),
    path: {},
    ...more,
  });

  it('is possible instead of likely when one client reaches two pods', () => {
    expect(confidenceOf('mesh-sees-tcp', world())).toBe('likely');
    const two = [...dealt([2, 1, 1]), ...to('web-0', [1], 1000)];
    expect(confidenceOf('mesh-sees-tcp', world({ connections: two }))).toBe('possible');
  });

  it('is possible when a route for the host was read, or the CNI balances at connect()', () => {
    const route = {
      kind: 'VirtualService' as const,
      name: 'echo',
      backends: [{ service: 'echo', subset: null, weight: 100 }],
    };
    expect(confidenceOf('mesh-sees-tcp', world({ path: { routes: [route] } }))).toBe('possible');
    expect(confidenceOf('mesh-sees-tcp', world({ path: { socketLoadBalancing: 'all' } }))).toBe('possible');
  });

  it.each<[number, number, Outcome]>([
    [80, 80, 'certain'],
    [50_051, 50_051, 'certain'],
    [81, 81, undefined],
  ])('the ports %s to %s are opaque to Linkerd, the Service has 80 and the pods 50051: %s', (from, last, wanted) => {
    const linkerd = world({
      pods: pods(6, { sidecar: 'linkerd-proxy' }),
      clients: firstNumbers(4).map((number) => ({ name: `web-${number}`, meshProxies: ['linkerd-proxy'] })),
      service: { ports: [{ name: 'grpc', port: 80, targetPort: 50_051, protocol: 'TCP', appProtocol: null }] },
      path: { service: marks({ opaquePorts: [{ from, to: last }] }) },
    });
    expect(confidenceOf('mesh-sees-tcp', linkerd)).toBe(wanted);
  });

  it('is not found where every client reaches every pod', () => {
    const all = firstNumbers(6).flatMap((pod) => to('web-0', [pod], pod === 0 ? 9000 : 100));
    expect(confidenceOf('mesh-sees-tcp', world({ connections: all, service: port('tcp') }))).toBeUndefined();
  });
});

describe('mesh-bypassed', () => {
  const world = (connections: NonNullable<Plan['connections']>): Plan => ({
    pods: pods(6),
    clients: [
      { name: 'web-0', ...istio },
      { name: 'web-1', ...istio },
    ],
    connections,
    path: { socketLoadBalancing: 'all' },
  });

  it('is likely when every client in the mesh sits on one pod, possible when one reaches two', () => {
    expect(confidenceOf('mesh-bypassed', world(dealt([1, 1])))).toBe('likely');
    expect(confidenceOf('mesh-bypassed', world([...dealt([1, 1]), ...to('web-0', [1], 1000)]))).toBe('possible');
  });

  it('is not so when they reach every pod', () => {
    const all = firstNumbers(6).flatMap((pod) => to('web-0', [pod], pod === 0 ? 9000 : 100));
    expect(confidenceOf('mesh-bypassed', world(all))).toBeUndefined();
  });
});

describe('session-affinity', () => {
  const pinned: Plan = { pods: pods(4), service: { sessionAffinity: 'ClientIP' } };

  it.each<[string, NonNullable<Plan['connections']>, Outcome]>([
    ['one address with two connections on one pod', to('web-0', [0, 0], 1000), 'certain'],
    ['each address with one', dealt([2]), 'possible'],
    ['one pinned and one split', [...to('web-0', [0, 0], 1000), ...to('web-1', [0, 1], 1000)], 'likely'],
    ['all split', [...to('web-0', [0, 1], 1000), ...to('web-1', [0, 1], 1000)], undefined],
    ['one split and one that has one', [...to('web-0', [0, 1], 1000), ...to('web-1', [0], 1000)], undefined],
  ])('%s', (_, connections, wanted) => {
    expect(confidenceOf('session-affinity', { ...pinned, connections })).toBe(wanted);
  });
});

describe('lb-source', () => {
  const behind: Plan = { pods: pods(4), service: { type: 'LoadBalancer' } };
  const outside = (address: string, numbers: readonly number[]) => to(address, numbers, 1000);

  // All of several connections at one of P pods by chance: (1/P)^(n−1) each; the level is 5 %.
  it.each<[string, number, number[], Outcome]>([
    ['two of one address: 1/4', 4, [2], undefined],
    ['three of one: 1/16', 4, [3], undefined],
    ['four of one: 1/64', 4, [4], 'likely'],
    ['two of each of two: 1/16', 4, [2, 2], undefined],
    ['two of each of three: 1/64', 4, [2, 2, 2], 'likely'],
    ['two of each of two, on five pods: 1/25', 5, [2, 2], 'likely'],
  ])('%s', (_, count, each, wanted) => {
    const connections = each.flatMap((several, index) =>
      outside(
        `8.8.8.${index + 1}`,
        firstNumbers(several).map(() => 0),
      ),
    );
    expect(confidenceOf('lb-source', { ...behind, pods: pods(count), connections })).toBe(wanted);
  });

  it('is not so when one address is at two pods, or the Service pins them, or takes none from outside', () => {
    const six = ['1', '2', '3', '4', '5', '6'].flatMap((last) => outside(`8.8.8.${last}`, [0, 0]));
    expect(confidenceOf('lb-source', { ...behind, connections: six })).toBe('likely');
    const split = [...six, ...outside('8.8.8.7', [0, 1])];
    expect(confidenceOf('lb-source', { ...behind, connections: split })).toBeUndefined();
    const pins = { type: 'LoadBalancer', sessionAffinity: 'ClientIP' } as const;
    expect(confidenceOf('lb-source', { ...behind, service: pins, connections: six })).toBeUndefined();
    expect(confidenceOf('lb-source', { ...behind, service: {}, connections: six })).toBeUndefined();
    expect(confidenceOf('lb-source', { ...behind, service: { type: 'NodePort' }, connections: six })).toBe('likely');
  });

  it.each<[number, Outcome]>([
    [499, undefined],
    [500, 'likely'],
  ])('of 1000 parts %s come from outside: %s', (parts, wanted) => {
    const connections = [...to('8.8.8.8', [0, 0, 0, 0], (10 * parts) / 4), ...to('web-0', [1], 10 * (1000 - parts))];
    expect(confidenceOf('lb-source', { ...behind, connections })).toBe(wanted);
  });

  // Local: of two nodes one gets nothing. 2 × ½ⁿ for n connections.
  it.each<[number, Outcome]>([
    [5, undefined],
    [6, 'likely'],
  ])('%s connections of as many addresses, all to one of two nodes: %s', (count, wanted) => {
    const servers = [...pods(2, { node: 'n1' }), ...pods(2, { node: 'n2' }, 2)];
    const service = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' } as const;
    const connections = firstNumbers(count).flatMap((number) => outside(`8.8.8.${number + 1}`, [number % 2]));
    expect(confidenceOf('lb-source', { pods: servers, service, connections })).toBe(wanted);
  });
});

describe('settings that place traffic', () => {
  const servers = [...pods(1, { node: 'n1' }), ...pods(3, { node: 'n2' }, 1)];
  const local = { internalTrafficPolicy: 'Local' } as const;
  const id = 'internal-traffic-policy-local';

  // n clients on n1 and their connections on its one pod: (1/4)ⁿ by chance. Three clients on n2 lie evenly: (3/4)³.
  it.each<[number, Outcome]>([
    [2, 'likely'],
    [3, 'certain'],
  ])('%s connections in one place of four, three in the other: %s', (count, wanted) => {
    // 1/16 × 27/64 = 0.026; 1/64 × 27/64 = 0.0066: the level is 1 %.
    const plan = {
      pods: servers,
      service: local,
      clients: clientsOn([count, 3]),
      connections: dealt([count, 1, 1, 1]),
    };
    expect(confidenceOf(id, plan)).toBe(wanted);
  });

  // A quarter elsewhere: of eight that the setting decides about, two.
  it.each<[number, number, Outcome]>([
    [6, 2, 'possible'],
    [5, 2, undefined],
  ])('%s connections lie where it leads them, %s elsewhere: %s', (kept, strayed, wanted) => {
    const clients = clientsOn([kept + strayed, 0]);
    const plan = { pods: servers, service: local, clients, connections: dealt([kept, strayed, 0, 0]) };
    expect(confidenceOf(id, plan)).toBe(wanted);
  });

  it('is not found where it gives every pod the same', () => {
    const alike = [...pods(2, { node: 'n1' }), ...pods(2, { node: 'n2' }, 2)];
    const plan = { pods: alike, service: local, clients: clientsOn([4, 4]), connections: dealt([4, 0, 4, 0]) };
    expect(confidenceOf(id, plan)).toBeUndefined();
  });

  it.each<[number, Outcome]>([
    [499, undefined],
    [500, 'possible'],
  ])('externalTrafficPolicy Local, %s of 1000 parts from outside: %s', (parts, wanted) => {
    const plan: Plan = {
      pods: servers,
      service: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
      connections: [...to('8.8.8.8', [1], 10 * parts), ...to('web-0', [1], 10 * (1000 - parts))],
    };
    expect(confidenceOf('external-traffic-policy-local', plan)).toBe(wanted);
  });
});

describe('weighted-routing', () => {
  const subset = (name: string, numbers: readonly number[]) => ({
    name,
    pods: numbers.map((number) => `echo-${number}`),
  });
  /** By the weights echo-0 should get 60 of 100 parts, four others ten each. */
  const world = (first: number): Plan => ({
    pods: pods(5),
    clients: [{ name: 'web-0', ...istio }],
    connections: [...to('web-0', [0], 100 * first), ...to('web-0', [1, 2, 3, 4], 25 * (100 - first))],
    path: {
      destinationRules: [
        { name: 'echo', consistentHash: false, subsets: [subset('a', [0]), subset('b', [1, 2, 3, 4])] },
      ],
      routes: [
        {
          kind: 'VirtualService' as const,
          name: 'echo',
          backends: [
            { service: 'echo', subset: 'a', weight: 60 },
            { service: 'echo', subset: 'b', weight: 40 },
          ],
        },
      ],
    },
  });

  // Within ten points of what the weights give is certain; beyond it the order alone is told.
  it.each<[number, Outcome]>([
    [49.9, 'likely'],
    [50.1, 'certain'],
    [69.9, 'certain'],
    [70.1, 'likely'],
  ])('the pod of 60 parts carries %s: %s', (first, wanted) => {
    expect(confidenceOf('weighted-routing', world(first))).toBe(wanted);
  });

  it('says the share that the weights give', () => {
    const found = statusOf(world(60)).causes.find(({ id }) => id === 'weighted-routing');
    expect(found?.evidence).toEqual(['by the weights the busiest pod should carry 60 %; it carries 60 %']);
  });
});

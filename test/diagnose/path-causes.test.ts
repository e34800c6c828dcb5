/** Causes at layer 7: where each appears, its twin with the decisive fact undone, and where it must stay silent. */
import { describe, expect, it } from 'vitest';
import { dealt, headless, marks, meshed, type Plan, pods } from './build.ts';
import { causesOf, statusOf } from './report.ts';

const istio = ['istio-proxy'];
const clients = (count: number, more: NonNullable<Plan['clients']>[number] | object = { meshProxies: istio }) =>
  Array.from({ length: count }, (_, index) => ({ name: `web-${index}`, ...more }));
const port = (more: {
  readonly name?: string;
  readonly appProtocol?: string | null;
}): NonNullable<Plan['service']> => ({
  ports: [{ name: 'main', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null, ...more }],
});
/** Sidecars at both ends, four connections on three of six pods. */
const bothEnds: Plan = {
  truth: { causes: ['mesh-sees-tcp'] },

  pods: pods(6, { sidecar: 'istio-proxy' }),
  clients: clients(4),
  connections: dealt([2, 1, 1]),
  service: port({}),
  path: {},
};

describe('mesh-sees-tcp', () => {
  it.each([
    ['tcp', null],
    ['tcp-grpc', null],
    ['https', null],
    ['grpc', 'tcp'],
    ['main', 'TLS'],
  ])('is certain with sidecars at both ends and the port declared as %s / %s', (name, appProtocol) => {
    const status = statusOf({ ...bothEnds, service: port({ name, appProtocol }) });
    expect(causesOf(status)).toEqual({ 'mesh-sees-tcp': 'certain' });
    expect(status.recommendation).toMatchObject({ rule: 4, strategy: 'l7-proxy', action: 'repair' });
    expect(status.recommendation.first[0]).toContain('appProtocol: grpc');
  });

  it('is likely without a declaration, when each client sits on one pod and no rule explains it', () => {
    expect(causesOf(statusOf(bothEnds))).toEqual({ 'mesh-sees-tcp': 'likely' });
  });

  it('is possible when the rules of the mesh could not be read', () => {
    const status = statusOf({ ...bothEnds, path: { destinationRules: null } });
    expect(causesOf(status)).toEqual({ 'mesh-sees-tcp': 'possible' });
  });

  it('is certain for a port that is opaque to Linkerd', () => {
    const linkerd: Plan = {
      ...bothEnds,
      pods: pods(6, { sidecar: 'linkerd-proxy' }),
      clients: clients(4, { meshProxies: ['linkerd-proxy'] }),
      service: port({ name: 'grpc' }),
    };
    const opaquePorts = [{ from: 50_000, to: 50_100 }];
    expect(causesOf(statusOf({ ...linkerd, path: { service: marks({ opaquePorts }) } }))['mesh-sees-tcp']).toBe(
      'certain',
    );
    expect(causesOf(statusOf({ ...linkerd, path: { namespace: marks({ opaquePorts }) } }))['mesh-sees-tcp']).toBe(
      'certain',
    );
    // The Service's own word counts before the namespace's; Linkerd does not read the names of ports.
    const overruled = { service: marks({ opaquePorts: [] }), namespace: marks({ opaquePorts }) };
    expect(causesOf(statusOf({ ...linkerd, path: overruled }))).not.toHaveProperty('mesh-sees-tcp');
    expect(causesOf(statusOf({ ...linkerd, service: port({ name: 'tcp' }) }))['mesh-sees-tcp']).not.toBe('certain');
  });

  it.each([
    ['grpc', null],
    ['http2-main', null],
    ['tcp', 'grpc'],
    ['main', 'kubernetes.io/h2c'],
  ])('twin: not when the port is declared as %s / %s', (name, appProtocol) => {
    const status = statusOf({ ...bothEnds, service: port({ name, appProtocol }) });
    expect(causesOf(status)).not.toHaveProperty('mesh-sees-tcp');
  });

  it('trap: silent with sidecars at both ends, an undeclared port and an even load', () => {
    const even = { ...bothEnds, connections: meshed(4, 6) };
    expect([statusOf(even).verdict.state, causesOf(statusOf(even))]).toEqual(['balanced', {}]);
    const declared = statusOf({ ...even, service: port({ name: 'tcp' }) });
    expect([declared.verdict.state, causesOf(declared)]).toEqual(['balanced', {}]);
  });

  it('trap: silent where only one end has a sidecar', () => {
    const truth = { causes: ['few-connections', 'chance'] };
    const bare = statusOf({ ...bothEnds, clients: clients(4, {}), service: port({ name: 'tcp' }), truth });
    expect(causesOf(bare)).not.toHaveProperty('mesh-sees-tcp');
    const clientsOnly = statusOf({ ...bothEnds, pods: pods(6), service: port({ name: 'tcp' }), truth });
    expect(causesOf(clientsOnly)).not.toHaveProperty('mesh-sees-tcp');
  });

  it('trap: silent when every client reaches every pod: then one stream or client is heavy', () => {
    const heavy = meshed(4, 6).map((entry, index) => (index === 0 ? { ...entry, bytesPerSecond: 60_000 } : entry));
    const truth = { causes: ['hot-client', 'hot-connection'] };
    const status = statusOf({ ...bothEnds, connections: heavy, service: port({ name: 'tcp' }), truth });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('mesh-sees-tcp');
  });
});

describe('mesh-bypassed', () => {
  const plan: Plan = {
    ...bothEnds,
    truth: { causes: ['mesh-bypassed'] },
    service: port({ name: 'grpc' }),
    path: { kubeProxyReplacement: true, socketLoadBalancing: 'all' },
  };

  it('is likely when the CNI balances at connect() and each client sits on one pod', () => {
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'mesh-bypassed': 'likely' });
    expect(status.recommendation).toMatchObject({ rule: 4, strategy: 'l7-proxy', action: 'repair' });
    expect(status.recommendation.first[0]).toContain('socketLB.hostNamespaceOnly');
  });

  it('is possible when clients reach several pods', () => {
    const connections = [...dealt([2, 1, 1]), { from: 'web-0', to: 'echo-1' }];
    expect(causesOf(statusOf({ ...plan, connections }))['mesh-bypassed']).toBe('possible');
  });

  it('stands beside an undeclared port, of which neither is certain then', () => {
    const status = statusOf({ ...plan, service: port({}) });
    expect(causesOf(status)).toEqual({ 'mesh-bypassed': 'likely', 'mesh-sees-tcp': 'possible' });
    expect(status.causes[0]?.settledBy.join()).toContain('against mesh-sees-tcp');
  });

  it.each(['host-only', 'off', null] as const)('twin: not when balancing at connect() is %s', (socketLoadBalancing) => {
    const path = { ...plan.path, socketLoadBalancing };
    expect(causesOf(statusOf({ ...plan, path }))).not.toHaveProperty('mesh-bypassed');
  });

  it('trap: silent without sidecars, for a headless Service, for a port declared as TCP, and when clients reach all', () => {
    expect(
      causesOf(statusOf({ ...plan, clients: [], truth: { causes: ['few-connections', 'chance'] } })),
    ).not.toHaveProperty('mesh-bypassed');
    expect(
      causesOf(statusOf({ ...plan, service: headless, truth: { causes: ['headless-with-mesh', 'pick-first'] } })),
    ).not.toHaveProperty('mesh-bypassed');
    expect(
      causesOf(statusOf({ ...plan, service: port({ name: 'tcp' }), truth: { causes: ['mesh-sees-tcp'] } })),
    ).not.toHaveProperty('mesh-bypassed');
    const heavy = meshed(4, 6).map((entry, index) => (index === 0 ? { ...entry, bytesPerSecond: 60_000 } : entry));
    expect(
      causesOf(statusOf({ ...plan, connections: heavy, truth: { causes: ['hot-client', 'hot-connection'] } })),
    ).not.toHaveProperty('mesh-bypassed');
  });
});

describe('client-outside-mesh', () => {
  const inside = meshed(2, 6, { bytesPerSecond: 100 });
  const outside = [0, 1].map((pod) => ({ from: `job-${pod}`, to: `echo-${pod}`, bytesPerSecond: 5000 }));
  const plan: Plan = {
    ...bothEnds,
    truth: { causes: ['client-outside-mesh'] },
    clients: clients(2),
    connections: [...inside, ...outside],
    service: port({ name: 'grpc' }),
  };

  it('is certain when clients outside carry most and sit on single pods, while others are in the mesh', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['client-outside-mesh']).toBe('certain');
    expect(status.recommendation).toMatchObject({ rule: 4, strategy: 'l7-proxy', action: 'complete' });
    expect(status.recommendation.first.join()).toContain('sidecar');
  });

  it('is certain for addresses outside the cluster, too', () => {
    const far = outside.map((entry, index) => ({ ...entry, from: `203.0.113.${index + 1}` }));
    expect(causesOf(statusOf({ ...plan, connections: [...inside, ...far] }))['client-outside-mesh']).toBe('certain');
  });

  it('is possible when no client is in the mesh', () => {
    const truth = { causes: ['client-outside-mesh', 'few-connections', 'chance'] };
    const status = statusOf({ ...plan, clients: [], connections: dealt([2, 1, 1]), truth });
    expect(causesOf(status)['client-outside-mesh']).toBe('possible');
    expect(status.recommendation.rule).toBe(10);
  });

  describe('of clients that cannot be named', () => {
    const addresses = ['10.250.0.1', '10.250.0.2', '10.250.0.3'];
    const unnamed = (reached: readonly number[]): Plan => ({
      ...plan,
      clients: [],
      truth: { causes: ['client-outside-mesh', 'few-connections', 'chance', 'mesh-sees-tcp', 'consistent-hash'] },
      connections: addresses.flatMap((from, at) =>
        reached.map((pod) => ({ from, to: `echo-${Math.min(at, 1) + pod}` })),
      ),
    });

    it('is possible where each address makes many calls, all to one pod, and no sidecar counts as a hop', () => {
      const status = statusOf(unnamed([0]));
      expect(causesOf(status)).toMatchObject({ 'client-outside-mesh': 'possible', 'few-connections': 'certain' });
      expect(status.recommendation.because.join()).not.toContain('istio-proxy');
    });

    it('twin: not where each address reaches several pods: a sidecar of its own may deal them out', () => {
      expect(causesOf(statusOf(unnamed([0, 1])))).toEqual({});
    });

    it.each<[string, Partial<Plan>]>([
      ['the port is taken for plain TCP', { service: port({ name: 'tcp' }) }],
      ['the proxies look at the bytes', { service: port({}) }],
      [
        'a rule may keep the calls of a client together',
        { path: { destinationRules: [{ name: 'echo', consistentHash: true, subsets: [] }] } },
      ],
      ['the rules could not be read', { path: { destinationRules: null } }],
    ])('trap: silent where %s', (_, more) => {
      expect(causesOf(statusOf({ ...unnamed([0]), ...more }))).not.toHaveProperty('client-outside-mesh');
    });

    it('trap: silent where an address has made few calls', () => {
      const few = addresses.map((from) => ({ from, to: 'echo-0', ageSeconds: 15, segmentsPerSecond: 1 }));
      expect(causesOf(statusOf({ ...unnamed([0]), connections: few }))).not.toHaveProperty('client-outside-mesh');
    });
  });

  it('twin: not when those clients have the sidecar, too', () => {
    const all = [...clients(2), ...outside.map(({ from }) => ({ name: from, meshProxies: istio }))];
    expect(causesOf(statusOf({ ...plan, clients: all }))).not.toHaveProperty('client-outside-mesh');
  });

  it('trap: silent when the pods have no sidecar, or the load is even', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(6) }))).not.toHaveProperty('client-outside-mesh');
    const even = { ...plan, clients: clients(2, {}), connections: meshed(4, 6) };
    expect(causesOf(statusOf(even))).toEqual({});
  });

  it('trap: silent about a node, behind which it is not known who calls', () => {
    const node = [0, 1].map((pod) => ({ from: '192.168.0.2', to: `echo-${pod}`, bytesPerSecond: 5000 }));
    expect(causesOf(statusOf({ ...plan, connections: [...inside, ...node] }))).not.toHaveProperty(
      'client-outside-mesh',
    );
  });
});

describe('ambient-without-waypoint', () => {
  const ambient = pods(6, { pod: { mesh: marks({ redirected: true }) } });
  const plan: Plan = {
    // ztunnel deals connections at random, and these are few.
    truth: { causes: ['ambient-without-waypoint', 'few-connections', 'chance'] },
    pods: ambient,
    connections: dealt([2, 1, 1]),
    path: { groups: ['networking.istio.io'] },
  };

  it('is certain for redirected pods when nothing names a waypoint', () => {
    const status = statusOf(plan);
    expect(status.causes[0]).toMatchObject({ id: 'ambient-without-waypoint', confidence: 'certain' });
    expect(status.recommendation).toMatchObject({ rule: 4, strategy: 'l7-proxy', action: 'complete' });
  });

  it('is certain when the waypoint that is named does not exist', () => {
    const status = statusOf({ ...plan, path: { namespace: marks({ useWaypoint: 'waypoint' }), waypoints: ['other'] } });
    expect(status.causes[0]).toMatchObject({ id: 'ambient-without-waypoint', confidence: 'certain' });
    expect(status.causes[0]?.text).toContain('waypoint waypoint does not exist');
  });

  it('is likely by the label of the namespace alone', () => {
    const labelled = { ...plan, pods: pods(6), path: { namespace: marks({ dataplaneMode: 'ambient' }) } };
    expect(causesOf(statusOf(labelled))['ambient-without-waypoint']).toBe('likely');
  });

  it.each([
    ['Service', { service: marks({ useWaypoint: 'waypoint' }), waypoints: ['waypoint'] }],
    ['namespace', { namespace: marks({ useWaypoint: 'waypoint' }), waypoints: null }],
  ])('twin: not when the %s names a waypoint', (_, path) => {
    expect(causesOf(statusOf({ ...plan, path }))).not.toHaveProperty('ambient-without-waypoint');
  });

  it('trap: silent when a pod has a sidecar or has opted out, and when the load is even', () => {
    const withSidecar = { ...plan, pods: [...ambient.slice(1), ...pods(1, { sidecar: 'istio-proxy' })] };
    expect(causesOf(statusOf(withSidecar))).not.toHaveProperty('ambient-without-waypoint');
    const out = { ...plan, pods: pods(6, { pod: { mesh: marks({ dataplaneMode: 'none' }) } }) };
    expect(causesOf(statusOf({ ...out, path: { namespace: marks({ dataplaneMode: 'ambient' }) } }))).not.toHaveProperty(
      'ambient-without-waypoint',
    );
    expect(causesOf(statusOf({ ...plan, connections: meshed(4, 6) }))).toEqual({});
  });
});

describe('headless-with-mesh', () => {
  const plan: Plan = {
    ...bothEnds,
    truth: { causes: ['headless-with-mesh'] },
    service: { ...port({ name: 'grpc' }), ...headless },
  };

  it('is likely for a headless Service behind the sidecars of its clients', () => {
    const status = statusOf(plan);
    // One connection each is what the sidecars hold: of the clients' own policy it says little.
    expect(causesOf(status)).toEqual({ 'headless-with-mesh': 'likely', 'pick-first': 'possible' });
    expect(status.recommendation.rule).toBe(4);
  });

  it('twin: not without sidecars, nor for a ClusterIP', () => {
    expect(causesOf(statusOf({ ...plan, clients: [], truth: { causes: ['pick-first'] } }))).not.toHaveProperty(
      'headless-with-mesh',
    );
    expect(causesOf(statusOf(bothEnds))).not.toHaveProperty('headless-with-mesh');
  });

  it('trap: silent when the load is even', () => {
    expect(causesOf(statusOf({ ...plan, connections: meshed(4, 6) }))).toEqual({});
  });
});

describe('consistent-hash', () => {
  const rule = { name: 'echo', consistentHash: true, subsets: [] };
  const uneven = meshed(4, 6).map((entry) => (entry.to === 'echo-0' ? { ...entry, bytesPerSecond: 9000 } : entry));
  const plan: Plan = {
    ...bothEnds,
    truth: { causes: ['consistent-hash'] },
    connections: uneven,
    path: { destinationRules: [rule] },
  };

  it('is likely where a rule hashes and the clients go through proxies', () => {
    expect(causesOf(statusOf(plan))).toEqual({ 'consistent-hash': 'likely' });
  });

  it('is likely where the clients speak xDS themselves, and their rule is what to repair', () => {
    const status = statusOf({ ...plan, pods: pods(6), clients: clients(4, { mesh: { xds: 'bootstrap' } }) });
    expect(causesOf(status)).toEqual({ 'consistent-hash': 'likely' });
    expect(status.recommendation).toMatchObject({ rule: 9, strategy: 'proxyless-xds', action: 'repair' });
    expect(status.recommendation.first[0]).toContain('hash');
  });

  it('twin: not without the hash, nor for clients that go past the proxies', () => {
    const plain = { destinationRules: [{ ...rule, consistentHash: false }] };
    expect(causesOf(statusOf({ ...plan, path: plain }))).not.toHaveProperty('consistent-hash');
    expect(causesOf(statusOf({ ...plan, clients: clients(4, {}) }))).not.toHaveProperty('consistent-hash');
  });

  it('trap: silent when the load is even', () => {
    expect(causesOf(statusOf({ ...plan, connections: meshed(4, 6) }))).toEqual({});
  });
});

describe('weighted-routing', () => {
  const subsets = [
    { name: 'v1', pods: ['echo-0', 'echo-1', 'echo-2', 'echo-3', 'echo-4'] },
    { name: 'v2', pods: ['echo-5'] },
  ];
  const backends = [
    { service: 'echo', weight: 50, subset: 'v1' },
    { service: 'echo', weight: 50, subset: 'v2' },
  ];
  const route = { kind: 'VirtualService' as const, name: 'echo', backends };
  const path = { routes: [route], destinationRules: [{ name: 'echo', consistentHash: false, subsets }] };
  /** 10 % on each of five pods, the other half on the sixth. */
  const half = meshed(4, 6).map((entry) => (entry.to === 'echo-5' ? { ...entry, bytesPerSecond: 5000 } : entry));
  const plan: Plan = {
    ...bothEnds,
    truth: { causes: ['weighted-routing'] },
    connections: half,
    path,
    service: port({ name: 'grpc' }),
  };

  it('is certain when the load of every pod is what the weights give it', () => {
    expect(causesOf(statusOf(plan))).toEqual({ 'weighted-routing': 'certain' });
  });

  it('explains the load, too, where a window has few calls: what is since the start of the pods agrees', () => {
    // 60 calls in 3 s on six pods, too few to call them even: 6 on each of five, 30 on the sixth, as the weights give them.
    const calls = [2, 2, 2, 2, 2, 10].map((perSecond, index) => ({
      pod: `echo-${index}`,
      perSecond,
      total: 10_000 * perSecond,
    }));
    const status = statusOf({ ...plan, way: 'proc', calls, windowSeconds: 3 });
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(status.verdict.summary).toBe('6 pods share the load as VirtualService echo deals it: one carries 50 %');
  });

  it('explains the load, too, where the few calls of a window leave open whether they lie just so', () => {
    // Four pods, 70 of 100 calls to one of them. In 3 s 40 calls, 28, 4, 4 and 4: no even traffic, and too few to say that
    // they lie just as the weights give them.
    const calls = [28, 4, 4, 4].map((inWindow, index) => ({
      pod: `echo-${index}`,
      perSecond: inWindow / 3,
      total: inWindow * 1000,
    }));
    const weights = [
      { service: 'echo', weight: 70, subset: 'v1' },
      { service: 'echo', weight: 30, subset: 'v2' },
    ];
    const tracks = [
      { name: 'v1', pods: ['echo-0'] },
      { name: 'v2', pods: ['echo-1', 'echo-2', 'echo-3'] },
    ];
    const four: Plan = {
      ...plan,
      pods: plan.pods.slice(0, 4),
      connections: meshed(4, 4),
      way: 'proc',
      windowSeconds: 3,
      path: {
        routes: [{ ...route, backends: weights }],
        destinationRules: [{ name: 'echo', consistentHash: false, subsets: tracks }],
      },
    };
    const { verdict } = statusOf({ ...four, calls });
    expect([verdict.state, verdict.span]).toEqual(['not-load-balancing', 'lifetime']);
    // Where what was before lay otherwise, nothing agrees.
    const before = calls.map((entry) => ({ ...entry, total: 50_000 }));
    expect(statusOf({ ...four, calls: before }).verdict.state).toBe('skewed');
  });

  it('is likely when the pod with most weight carries most, but not just that', () => {
    const more = half.map((entry) => (entry.to === 'echo-5' ? { ...entry, bytesPerSecond: 20_000 } : entry));
    expect(causesOf(statusOf({ ...plan, connections: more }))).toEqual({ 'weighted-routing': 'likely' });
  });

  it('twin: not when the weights fit the pods of the subsets', () => {
    const fitting = backends.map((backend) => ({ ...backend, weight: backend.subset === 'v1' ? 83 : 17 }));
    const other = { ...path, routes: [{ ...route, backends: fitting }] };
    expect(causesOf(statusOf({ ...plan, path: other }))).not.toHaveProperty('weighted-routing');
  });

  it('trap: silent when the load does not follow the weights, or is even', () => {
    const wrong = meshed(4, 6).map((entry) => (entry.to === 'echo-0' ? { ...entry, bytesPerSecond: 5000 } : entry));
    expect(causesOf(statusOf({ ...plan, connections: wrong }))).not.toHaveProperty('weighted-routing');
    expect(causesOf(statusOf({ ...plan, connections: meshed(4, 6) }))).toEqual({});
  });
});

describe('proxy-to-cluster-ip', () => {
  const gateway = [{ name: 'web-0', workload: 'ingress', role: 'gateway' as const }];
  const connections = [0, 1].map((pod) => ({ from: 'web-0', to: `echo-${pod}` }));
  const plan: Plan = {
    truth: { causes: ['proxy-to-cluster-ip'] },
    pods: pods(6),
    clients: gateway,
    connections,
    path: {},
  };
  const ingress = { name: 'echo', controller: 'nginx' as const, grpc: true, virtualAddress: true };

  it('is likely when its configuration says so, possible when it only reaches a part of the pods', () => {
    expect(causesOf(statusOf({ ...plan, path: { ingresses: [ingress] } }))).toEqual({
      'proxy-to-cluster-ip': 'likely',
    });
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'proxy-to-cluster-ip': 'possible' });
    expect(status.recommendation).toMatchObject({ rule: 4, strategy: 'l7-proxy', action: 'repair' });
  });

  it('twin: not for an application that does the same', () => {
    expect(causesOf(statusOf({ ...plan, clients: [], truth: { causes: ['few-connections'] } }))).not.toHaveProperty(
      'proxy-to-cluster-ip',
    );
  });

  it('trap: silent when the proxy reaches every pod, and for a headless Service', () => {
    const all = Array.from({ length: 6 }, (_, pod) => ({
      from: 'web-0',
      to: `echo-${pod}`,
      bytesPerSecond: pod === 0 ? 9000 : 100,
    }));
    expect(causesOf(statusOf({ ...plan, connections: all }))).not.toHaveProperty('proxy-to-cluster-ip');
    expect(causesOf(statusOf({ ...plan, service: headless }))).not.toHaveProperty('proxy-to-cluster-ip');
  });
});

describe('chance', () => {
  it('does not apply where kube-proxy deals connections in turn', () => {
    const plan: Plan = { pods: pods(4), connections: dealt([5, 3, 2, 0]) };
    expect(statusOf({ ...plan, path: { kubeProxyMode: 'iptables' } }).skew?.chance.method).not.toBe('not-applicable');
    const { chance } = statusOf({ ...plan, path: { kubeProxyMode: 'ipvs' } }).skew ?? {};
    expect(chance).toMatchObject({ method: 'not-applicable', probability: null });
    expect(chance?.reason).toContain('ipvs');
  });
});

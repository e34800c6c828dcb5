/** Causes in what the pods are and speak: ports, names, protocol, unlike pods. Each with its twin and its traps. */
import { describe, expect, it } from 'vitest';
import { buildEvidence, dealt, grpcReadiness, headless, healthyNodes, meshed, type Plan, pods } from './build.ts';
import { causesOf, expectNear, reportOf, statusOf } from './report.ts';

describe('port-not-served', () => {
  const open = [{ port: 50_051, loopback: false }];
  const listening = { 'echo-0': open, 'echo-1': open, 'echo-2': open };
  /** Four Ready pods of which the last has no listener. */
  const plan: Plan = { pods: pods(4), connections: dealt([3, 3, 3, 0]), listening };

  it('is certain when the same look shows the listener in the other pods', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['port-not-served']).toBe('certain');
    expect(status.causes[0]).toMatchObject({
      id: 'port-not-served',
      text: '1 ready pod does not listen on port 50051: connections there are refused',
    });
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      confidence: 'certain',
      summary: '1 ready pod does not listen on the port; the other 3 share the load',
    });
    expect(status.recommendation).toMatchObject({ rule: 2, action: 'keep' });
    expect(status.recommendation.first[0]).toContain('listen on the target port');
  });

  it('is certain for a listener on the loopback address alone, which nobody outside reaches', () => {
    const status = statusOf({ ...plan, listening: { ...listening, 'echo-3': [{ port: 50_051, loopback: true }] } });
    expect(causesOf(status)['port-not-served']).toBe('certain');
    expect(status.causes[0]?.evidence.join()).toContain('loopback');
  });

  it('stays a skew when the other pods differ besides', () => {
    const status = statusOf({ ...plan, connections: dealt([9, 1, 1, 0]) });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)['port-not-served']).toBe('certain');
  });

  it('is possible when an idle pod declares other ports only', () => {
    const other = { container: { ports: [{ name: 'grpc', port: 50_052, protocol: 'TCP' }] } };
    const status = statusOf({ pods: [...pods(3), ...pods(1, other, 3)], connections: dealt([3, 3, 3, 0]) });
    expect(causesOf(status)['port-not-served']).toBe('possible');
  });

  it('twin: not when a process listens there', () => {
    const status = statusOf({ ...plan, listening: { ...listening, 'echo-3': open } });
    expect(causesOf(status)).not.toHaveProperty('port-not-served');
  });

  it('trap: silent where no listener was shown anywhere: the look may leave them out', () => {
    expect(causesOf(statusOf({ ...plan, listening: {} }))).not.toHaveProperty('port-not-served');
    const { listening: _, ...unseen } = plan;
    expect(causesOf(statusOf(unseen))).not.toHaveProperty('port-not-served');
  });

  it('trap: silent when declarations are worth nothing: pods that are called declare no port either', () => {
    const bare = { container: { ports: [{ name: 'web', port: 8080, protocol: 'TCP' }] } };
    expect(causesOf(statusOf({ pods: pods(4, bare), connections: dealt([3, 3, 3, 0]) }))).not.toHaveProperty(
      'port-not-served',
    );
  });

  it('trap: silent behind a sidecar, which hands connections on inside the pod', () => {
    const inside = Object.fromEntries(
      [0, 1, 2, 3].map((index) => [`echo-${index}`, [{ port: 50_051, loopback: true }]]),
    );
    const status = statusOf({
      pods: pods(4, { sidecar: 'istio-proxy' }),
      connections: dealt([3, 3, 3, 0]),
      listening: inside,
    });
    expect(causesOf(status)).not.toHaveProperty('port-not-served');
  });
});

describe('addressed-by-name', () => {
  const ofSet = { pod: { owner: { kind: 'StatefulSet', name: 'echo' } } };
  const named = (workload: string, ...numbers: readonly number[]) =>
    numbers.map((number) => ({ name: `web-${number}`, workload, startedSeconds: 3600 }));
  /** Six clients of two workloads, all older pods: those of each on one pod. (1/4)^4 by chance. */
  const plan: Plan = {
    pods: pods(4, ofSet),
    service: headless,
    clients: [...named('orders', 0, 1, 2), ...named('stock', 3, 4, 5)],
    connections: [0, 0, 0, 2, 2, 2].map((pod, client) => ({ from: `web-${client}`, to: `echo-${pod}` })),
  };

  it('is likely when each workload sits on a pod of its own: then it is no skew', () => {
    const status = statusOf(plan);
    expect(status.causes[0]).toMatchObject({ id: 'addressed-by-name', confidence: 'likely' });
    expect(status.verdict).toMatchObject({ state: 'not-load-balancing', kind: 'by-setting' });
    expect(status.recommendation).toMatchObject({ rule: 2, strategy: 'headless-round-robin', action: 'keep' });
  });

  it('is likely when all clients send most to the same ordinal, though connected to all', () => {
    const connections = meshed(4, 4).map((entry) =>
      entry.to === 'echo-1' ? { ...entry, bytesPerSecond: 9000 } : entry,
    );
    const clients = named('web', 0, 1, 2, 3);
    const status = statusOf({ ...plan, clients, connections });
    // 9/12 of each client's load; that three more agree: (1/4)^3.
    expect(causesOf(status)['addressed-by-name']).toBe('likely');
    expect(status.verdict.state).toBe('not-load-balancing');
    const cause = status.causes.find(({ id }) => id === 'addressed-by-name');
    expect(cause?.evidence.join()).toContain('75 %');
  });

  it('is possible when all sit on one pod: a constant order of DNS answers looks the same', () => {
    const connections = [0, 1, 2, 3, 4, 5].map((client) => ({ from: `web-${client}`, to: 'echo-0' }));
    const status = statusOf({ ...plan, connections });
    expect(causesOf(status)['addressed-by-name']).toBe('possible');
    // Not called skewed: whether the clients chose that pod is what settles it.
    expect(status.verdict.state).toBe('unknown');
    expect(status.verdict.settledBy).toContain('NAME-0.SERVICE');
  });

  it('twin: not for pods of a Deployment, which have no names', () => {
    const status = statusOf({ ...plan, pods: pods(4) });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('addressed-by-name');
  });

  it('trap: silent when the clients of a workload sit on different pods: chosen at random', () => {
    const connections = [0, 1, 0, 2, 0, 2].map((pod, client) => ({ from: `web-${client}`, to: `echo-${pod}` }));
    expect(causesOf(statusOf({ ...plan, connections }))).not.toHaveProperty('addressed-by-name');
  });

  it('trap: silent when the clients had no choice: the other pods are younger than they', () => {
    const servers = [...pods(1, ofSet), ...pods(3, { ...ofSet, ageSeconds: 600 }, 1)];
    const connections = [0, 1, 2, 3, 4, 5].map((client) => ({ from: `web-${client}`, to: 'echo-0' }));
    expect(causesOf(statusOf({ ...plan, pods: servers, connections }))).not.toHaveProperty('addressed-by-name');
  });

  it('trap: silent without a headless Service: then the pods have no names to dial', () => {
    expect(causesOf(statusOf({ ...plan, service: {} }))).not.toHaveProperty('addressed-by-name');
  });
});

describe('not-grpc', () => {
  const byHttp = { container: { probes: [{ ...grpcReadiness(), kind: 'httpGet' as const, service: null }] } };
  const port = (name: string, appProtocol: string | null = null): NonNullable<Plan['service']> => ({
    ports: [{ name, port: 8000, targetPort: 50_051, protocol: 'TCP', appProtocol }],
  });
  /** https://github.com/triton-inference-server/server/issues/6177: a pool of kept HTTP/1.1 connections. */
  const plan: Plan = { pods: pods(4, byHttp), connections: dealt([3, 1, 0, 0]), service: port('main') };

  it.each([
    ['the port is declared as HTTP', { ...plan, service: port('http'), pods: pods(4, { container: { probes: [] } }) }],
    [
      'the port is declared as Redis',
      { ...plan, service: port('main', 'redis'), pods: pods(4, { container: { probes: [] } }) },
    ],
    ['an httpGet probe on the target port succeeds', plan],
  ])('is likely when %s and nothing says gRPC', (_, given) => {
    const status = statusOf(given);
    expect(causesOf(status)['not-grpc']).toBe('likely');
    expect(status.verdict.state).toBe('skewed');
    expect(status.recommendation).toMatchObject({ rule: 2, strategy: 'cluster-ip', action: 'keep' });
    expect(status.recommendation.first.join()).toContain('keep-alive');
  });

  it('twin: not with a grpc probe, a declaration of gRPC, or counters of gRPC', () => {
    const none = (more: Plan) => expect(causesOf(statusOf(more))).not.toHaveProperty('not-grpc');
    none({ ...plan, pods: pods(4) });
    none({ ...plan, service: port('http', 'grpc') });
    none({ ...plan, calls: [0, 1, 2, 3].map((pod) => ({ pod: `echo-${pod}`, perSecond: pod === 0 ? 30 : 1 })) });
  });

  it('trap: silent on the number of a port, for plain tcp, and for a probe of another port', () => {
    const none = (more: Plan) => expect(causesOf(statusOf(more))).not.toHaveProperty('not-grpc');
    const unprobed = pods(4, { container: { probes: [] } });
    none({ ...plan, pods: unprobed });
    none({ ...plan, pods: unprobed, service: port('tcp') });
    none({
      ...plan,
      pods: pods(4, { container: { probes: [{ ...grpcReadiness(8080), kind: 'httpGet', service: null }] } }),
    });
  });

  it('trap: silent when the load is even', () => {
    expect(causesOf(statusOf({ ...plan, connections: dealt([1, 1, 1, 1]) }))).toEqual({});
  });
});

describe('unequal-pods', () => {
  const busy = (millicores: number, more: object = {}) => ({ cpuMillicores: millicores, ...more });
  const canary = {
    pod: { owner: { kind: 'ReplicaSet', name: 'canary-ccc' }, labels: { app: 'echo', 'pod-template-hash': 'ccc' } },
  };
  const even = { connections: dealt([5, 5, 5, 5]) };

  it('is likely when CPU follows the workload and the load is even', () => {
    const status = statusOf({ ...even, pods: [...pods(3, busy(100)), ...pods(1, busy(700, canary), 3)] });
    expect(causesOf(status)).toEqual({ 'unequal-pods': 'likely' });
    expect(status.verdict).toMatchObject({ state: 'not-load-balancing', confidence: 'likely' });
    expect(status.causes[0]?.evidence).toEqual([
      'deployment/canary: 700m in each of 1',
      'deployment/echo: 100m in each of 3',
    ]);
  });

  it('is likely when CPU follows the type of the nodes', () => {
    const nodes = healthyNodes.map((node) => ({ ...node, instanceType: node.name === 'n1' ? 'c5' : 'c6' }));
    const servers = [...pods(2, busy(900, { node: 'n1' })), ...pods(4, busy(100, { node: 'n2' }), 2)];
    const status = statusOf({ nodes, pods: servers, connections: dealt([5, 5, 5, 5, 5, 5]) });
    expect(causesOf(status)).toEqual({ 'unequal-pods': 'likely' });
    expect(status.causes[0]?.text).toContain('type of their nodes');
  });

  it('is certain for a pod near a limit that is smaller than that of the others', () => {
    const servers = [...pods(3, busy(180)), ...pods(1, busy(180, { ...canary, cpuLimitMillicores: 200 }), 3)];
    const status = statusOf({ ...even, pods: servers });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', { 'unequal-pods': 'certain' }]);
    expect(status.causes[0]?.text).toBe('echo-3: near the own CPU limit of 200m, other pods may use 1000m');
  });

  it('is possible, and nothing is settled, by CPU alone', () => {
    const servers = [...pods(3, busy(100)), ...pods(1, busy(700, canary), 3)];
    const status = statusOf({ pods: servers, exec: false });
    expect([status.verdict.state, causesOf(status)['unequal-pods']]).toEqual(['unknown', 'possible']);
  });

  it('twin: not when all pods are of one workload, alike nodes and limits: then the work is uneven', () => {
    const status = statusOf({ ...even, pods: [...pods(3, busy(100)), ...pods(1, busy(700), 3)] });
    expect(causesOf(status)).toEqual({ 'uneven-work': 'likely' });
  });

  it('trap: silent when CPU differs within a group, too, or the load is uneven', () => {
    const within = [...pods(2, busy(100)), ...pods(1, busy(900), 2), ...pods(1, busy(700, canary), 3)];
    expect(causesOf(statusOf({ ...even, pods: within }))).not.toHaveProperty('unequal-pods');
    const two = [...pods(3, busy(100)), ...pods(1, busy(700, canary), 3)];
    expect(causesOf(statusOf({ pods: two, connections: dealt([1, 1, 1, 9]) }))).not.toHaveProperty('unequal-pods');
  });
});

describe('what is no skew, and no fault of gRPC', () => {
  const grpcWords = /round_robin|MaxConnectionAge|pick_first/;
  const noSkew = (plan: Plan) => {
    const status = statusOf(plan);
    expect(status.verdict.state).not.toBe('skewed');
    expect(status.recommendation.action).toBe('keep');
    expect([status.headline.why, ...status.recommendation.first].join()).not.toMatch(grpcWords);
    return status;
  };

  it('the port of a sidecar that takes two ports of the application: connections there are an upper bound', () => {
    // Port 15006 of echo-0 holds the clients of its admin port as well; the calls are even.
    const connections = dealt([30, 4, 4, 4], { localPort: 15_006, bytesPerSecond: 100 });
    const status = noSkew({
      pods: pods(4, { sidecar: 'istio-proxy' }),
      connections,
      clients: connections.map(({ from }) => ({ name: from, meshProxies: ['istio-proxy'] })),
      calls: [0, 1, 2, 3].map((pod) => ({ pod: `echo-${pod}`, perSecond: 100 })),
    });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'calls' });
    expect(status.warnings.map(({ id }) => id)).toContain('sidecar-port');
  });

  it('a canary of two workloads with different limits', () => {
    const canary = {
      owner: { kind: 'ReplicaSet', name: 'canary-ccc' },
      labels: { app: 'echo', 'pod-template-hash': 'ccc' },
    };
    const servers = [
      ...pods(3, { cpuMillicores: 400 }),
      ...pods(1, { cpuMillicores: 190, cpuLimitMillicores: 200, pod: canary }, 3),
    ];
    const status = noSkew({ pods: servers, connections: meshed(4, 4) });
    expect(causesOf(status)).toEqual({ 'unequal-pods': 'certain' });
  });

  it('a busy leader whose calls are even', () => {
    const ofSet = { pod: { owner: { kind: 'StatefulSet', name: 'echo' } } };
    const servers = [...pods(1, { ...ofSet, cpuMillicores: 900 }), ...pods(2, { ...ofSet, cpuMillicores: 150 }, 1)];
    const calls = [0, 1, 2].map((pod) => ({ pod: `echo-${pod}`, perSecond: 50 }));
    const status = noSkew({ pods: servers, connections: meshed(4, 3), service: headless, calls });
    expect(causesOf(status)).not.toHaveProperty('addressed-by-name');
  });
});

describe('a cluster that chooses the pod at connect(), with --inspect-clients', () => {
  const clients = [0, 1, 2, 3].map((number) => `web-${number}`);
  const sibling = {
    ...(buildEvidence({ pods: [] }).service as NonNullable<ReturnType<typeof buildEvidence>['service']>),
    name: 'echo-headless',
    clusterIP: 'None',
    clusterIPs: ['None'],
  };
  /** A ClusterIP Service: the clients dial its name, and their sockets show pods all the same. */
  const inspected = (path: NonNullable<Plan['path']>, what: 'pod' | 'virtual-address' = 'pod') => ({
    ...buildEvidence({ pods: pods(10), connections: dealt([2, 1, 1]), path }),
    siblings: [sibling],
    clientLooks: {
      looks: clients.map((pod) => ({
        pod,
        namespace: 'shop',
        container: 'web',
        lookedAt: '2026-03-01T12:00:00.000Z',
        dialled: [{ what, service: what === 'pod' ? null : 'echo', connections: 1 }],
        runtime: null,
      })),
      failures: [],
    },
  });

  it.each([
    ['by its configuration', { kubeProxyReplacement: true, socketLoadBalancing: 'all' as const }],
    ['perhaps: its configuration could not be read', { groups: ['cilium.io'], kubeProxyMode: null }],
  ])('proves nothing about what is dialled: %s', (_, path) => {
    const { status } = reportOf(inspected(path));
    expect(status.clients[0]?.dials).toEqual([{ what: 'not-known', service: null, connections: 4 }]);
    expect(JSON.stringify([status.warnings, status.causes])).not.toContain('dials echo-headless');
    // What the servers hold decides, as without the look.
    expect(causesOf(status)['few-connections']).toBe('certain');
    expect(causesOf(status)).not.toHaveProperty('pick-first');
    expect(status.recommendation).toMatchObject({ current: 'cluster-ip', rule: 10 });
    expectNear(status.skew?.effectivePods, 2.67, 0.01);
  });

  it.each([
    ['kube-proxy deals', { kubeProxyMode: 'iptables' as const }],
    ['only the sockets of nodes are rewritten', { groups: ['cilium.io'], socketLoadBalancing: 'host-only' as const }],
  ])('twin: the address of a pod proves the headless name where %s', (_, path) => {
    const { status } = reportOf(inspected(path));
    expect(status.clients[0]?.dials).toEqual([{ what: 'pod', service: 'echo-headless', connections: 4 }]);
  });

  it('twin: a virtual address in a socket shows that nothing is rewritten', () => {
    const { status } = reportOf(inspected({ groups: ['cilium.io'] }, 'virtual-address'));
    expect(status.clients[0]?.dials).toEqual([{ what: 'virtual-address', service: 'echo', connections: 4 }]);
  });
});

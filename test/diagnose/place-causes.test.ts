/** Causes by the place of clients and pods: load balancers, nodes, other clusters. Each with its twin and its traps. */
import { describe, expect, it } from 'vitest';
import { buildEvidence, clientsOn, dealt, headless, type Plan, pods } from './build.ts';
import type { ConnectionPlan } from './build-looks.ts';
import { causesOf, reportOf, statusOf } from './report.ts';

const balancer = { type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' };
/** `counts[i]` connections of the address 203.0.113.(i+1), all at pod `to[i]`. */
const fromAddresses = (counts: readonly number[], to: readonly number[]): ConnectionPlan[] =>
  counts.flatMap((count, index) =>
    Array.from({ length: count }, () => ({ from: `203.0.113.${index + 1}`, to: `echo-${to[index]}` })),
  );

describe('lb-source', () => {
  /** Three addresses with three connections each, every address on one pod of five: (1/5)^6 by chance. */
  const plan: Plan = { pods: pods(5), connections: fromAddresses([3, 3, 3], [0, 0, 1]), service: balancer };

  it('is likely when each source address with several connections has them on one pod', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['lb-source']).toBe('likely');
    const cause = status.causes.find(({ id }) => id === 'lb-source');
    expect(cause?.text).toBe('the load balancer keeps each source address on one pod: 3 addresses call');
    expect(cause?.evidence[0]).toContain('6.4e-5');
    expect(status.recommendation.first.join()).toContain('IP targets');
  });

  it('is likely when, with the policy Local, each has them on the pods of one node', () => {
    const servers = [...pods(2, { node: 'n1' }), ...pods(2, { node: 'n2' }, 2)];
    // Four on n1 and four on n2, but three quarters of the load come from the first: (1/2)^6 by chance.
    const connections = [0, 1].flatMap((address) =>
      Array.from({ length: 4 }, (_, index) => ({
        from: `203.0.113.${address + 1}`,
        to: `echo-${2 * address + (index % 2)}`,
        bytesPerSecond: address === 0 ? 9000 : 1000,
      })),
    );
    const status = statusOf({ pods: servers, connections, service: { ...balancer, externalTrafficPolicy: 'Local' } });
    expect(causesOf(status)['lb-source']).toBe('likely');
    expect(status.causes[0]?.text).toContain('on one node');
  });

  it('is likely when, with the policy Local, a node with pods gets nothing', () => {
    // A layer-2 announcement: one node has the address. Twelve sources, (1/2)^12 twice.
    const servers = [...pods(2, { node: 'n1' }), ...pods(2, { node: 'n2' }, 2)];
    const connections = fromAddresses(Array(12).fill(1), [...Array(6).fill(0), ...Array(6).fill(1)]);
    const status = statusOf({ pods: servers, connections, service: { ...balancer, externalTrafficPolicy: 'Local' } });
    expect(causesOf(status)['lb-source']).toBe('likely');
    expect(status.causes[0]?.text).toBe('the load balancer sends to 1 of the 2 nodes with pods');
  });

  // https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/1418: nodes for targets.
  it('is possible when the load comes over connections from the nodes; nobody there can take round_robin', () => {
    const connections = [
      { from: '192.168.0.1', to: 'echo-0', bytesPerSecond: 40_000 },
      { from: '192.168.0.2', to: 'echo-0', bytesPerSecond: 30_000 },
      { from: '192.168.0.2', to: 'echo-2', bytesPerSecond: 8000 },
    ];
    const status = statusOf({ pods: pods(4), connections, service: balancer });
    expect(causesOf(status)['lb-source']).toBe('possible');
    expect(status.recommendation).toMatchObject({ rule: 11, strategy: 'l7-proxy' });
    expect(status.recommendation.because).toContain('the clients come through a load balancer');
  });

  it('twin: not when one address is on two pods, nor without a load balancer', () => {
    const split = [...fromAddresses([3, 3, 2], [0, 0, 1]), { from: '203.0.113.3', to: 'echo-0' }];
    expect(causesOf(statusOf({ ...plan, connections: split }))).not.toHaveProperty('lb-source');
    expect(causesOf(statusOf({ ...plan, service: {} }))).not.toHaveProperty('lb-source');
  });

  it('trap: silent for sessionAffinity, which explains the same', () => {
    const status = statusOf({ ...plan, service: { ...balancer, sessionAffinity: 'ClientIP' } });
    expect(causesOf(status)).toMatchObject({ 'session-affinity': 'certain' });
    expect(causesOf(status)).not.toHaveProperty('lb-source');
  });

  it('trap: silent for pods of the cluster behind the same Service, and for an even load', () => {
    const inside = dealt([6, 3, 0, 0, 0]);
    expect(causesOf(statusOf({ ...plan, connections: inside }))).not.toHaveProperty('lb-source');
    const even = fromAddresses([3, 3, 3, 3, 3], [0, 1, 2, 3, 4]);
    expect(causesOf(statusOf({ ...plan, connections: even }))).toEqual({});
  });
});

describe('node-rules-stale', () => {
  /** Two old pods, four that became Ready 2000 s ago; all clients started 1000 s ago, ten on each of two nodes. */
  const servers = [...pods(2), ...pods(4, { ageSeconds: 2000 }, 2)];
  const started = (counts: readonly number[], seconds = 1000) =>
    clientsOn(counts).map((client) => ({ ...client, startedSeconds: seconds }));
  const lying = (where: readonly number[]) =>
    where.map((pod, client) => ({ from: `web-${client}`, to: `echo-${pod}`, ageSeconds: 900 }));
  const missing = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
  const plan: Plan = {
    pods: servers,
    clients: started([10, 10]),
    connections: lying([...missing, 2, 3, 4, 5, 2, 3, 4, 5, 0, 1]),
  };

  it('is likely when new connections of one node miss the new pods and those of others do not', () => {
    const status = statusOf(plan);
    // (1/3)^10 over two nodes and one boundary of ages: 3.4e-5.
    expect(causesOf(status)['node-rules-stale']).toBe('likely');
    const cause = status.causes.find(({ id }) => id === 'node-rules-stale');
    expect(cause?.text).toBe('new connections from node n1 miss the 4 youngest pods: are its kube-proxy rules stale?');
    expect(cause?.evidence[0]).toContain('probability 3.4e-5');
    expect(status.recommendation.first.join()).toContain('kube-proxy');
  });

  it('twin: not when one of them reaches a new pod', () => {
    const one = lying([...missing.slice(1), 2, 2, 3, 4, 5, 2, 3, 4, 5, 0, 1]);
    expect(causesOf(statusOf({ ...plan, connections: one }))).not.toHaveProperty('node-rules-stale');
  });

  it('trap: silent when the clients are older than the pods: then all connections may be, too', () => {
    const status = statusOf({ ...plan, clients: started([10, 10], 5000) });
    expect(causesOf(status)).not.toHaveProperty('node-rules-stale');
  });

  it('trap: silent when no node reaches the new pods, and for so few that it may be luck', () => {
    const none = lying([...missing, ...missing]);
    expect(causesOf(statusOf({ ...plan, connections: none }))).not.toHaveProperty('node-rules-stale');
    // (1/3)^2 · 2.
    const two = { ...plan, clients: started([2, 4]), connections: lying([0, 0, 2, 3, 4, 0]) };
    expect(causesOf(statusOf(two))).not.toHaveProperty('node-rules-stale');
  });

  it('trap: silent where a setting leads traffic by its place, and on a headless Service', () => {
    const local = { internalTrafficPolicy: 'Local' };
    expect(causesOf(statusOf({ ...plan, service: local }))).not.toHaveProperty('node-rules-stale');
    expect(causesOf(statusOf({ ...plan, service: headless }))).not.toHaveProperty('node-rules-stale');
  });
});

describe('remote-endpoints', () => {
  const remote = (address: string) => ({
    addresses: [address],
    ready: true,
    serving: true,
    terminating: false,
    pod: null,
    nodeName: null,
    zone: null,
    hintZones: [],
    hintNodes: [],
  });
  /** The slice of the cluster, and one of another cluster. */
  const withRemote = (plan: Plan, managedBy: 'cilium-mesh' | 'mirroring', ...addresses: readonly string[]) => {
    const evidence = buildEvidence(plan);
    const slices = evidence.endpointSlices ?? [];
    const ports = [{ name: 'grpc', port: 50_051, protocol: 'TCP', appProtocol: null }];
    const added = { name: 'echo-far', addressType: 'IPv4', managedBy, ports, endpoints: addresses.map(remote) };
    return { ...evidence, endpointSlices: [...slices, added] };
  };

  it('is certain when no pod of this cluster stands behind the port', () => {
    const { status } = reportOf(withRemote({ pods: [] }, 'cilium-mesh', '10.40.0.7', '10.40.0.8'));
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      kind: 'by-setting',
      summary: 'no ready pod of this cluster stands behind this port',
    });
    expect(causesOf(status)).toEqual({ 'remote-endpoints': 'certain' });
    expect(status.causes[0]?.evidence.join()).toContain('ClusterMesh');
  });

  it('is possible beside an uneven load: what goes there is not seen', () => {
    const { status } = reportOf(
      withRemote({ pods: pods(4), connections: dealt([3, 1, 0, 0]) }, 'cilium-mesh', '10.40.0.7'),
    );
    expect(causesOf(status)['remote-endpoints']).toBe('possible');
    expect(status.causes.find(({ id }) => id === 'remote-endpoints')?.text).toContain('(1 of 5)');
    // The figures are of the pods that were seen.
    expect(status.skew?.pods).toBe(4);
  });

  it('says that an address is of a pod here, written by hand', () => {
    const { status } = reportOf(withRemote({ pods: pods(1, { endpoint: false }) }, 'mirroring', '10.244.0.10'));
    const cause = status.causes.find(({ id }) => id === 'remote-endpoints');
    expect(cause?.confidence).toBe('possible');
    expect(cause?.evidence.join()).toContain('1 has the address of 1 pod of this cluster');
  });

  it('twin: not when every endpoint names a pod', () => {
    expect(causesOf(statusOf({ pods: pods(4), connections: dealt([3, 1, 0, 0]) }))).not.toHaveProperty(
      'remote-endpoints',
    );
  });

  it('trap: silent while the pods of this cluster share the load evenly', () => {
    const { status } = reportOf(
      withRemote({ pods: pods(4), connections: dealt([3, 3, 3, 3]) }, 'cilium-mesh', '10.40.0.7'),
    );
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });
});

describe('hints that were asked for and are absent', () => {
  // https://github.com/kubernetes/kubernetes/issues/122437
  it('are told as a warning, since nothing keeps traffic in its zone now', () => {
    const plan: Plan = { pods: pods(4), connections: dealt([1, 1, 1, 1]), service: { topologyMode: 'Auto' } };
    const ids = (more: Plan) => statusOf(more).warnings.map(({ id }) => id);
    expect(ids(plan)).toContain('hints-absent');
    expect(ids({ ...plan, service: {} })).not.toContain('hints-absent');
    expect(ids({ ...plan, pods: pods(4, { endpoint: { hintZones: ['zone-a'] } }) })).not.toContain('hints-absent');
  });
});

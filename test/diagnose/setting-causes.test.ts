/** Settings that place traffic: what they should give each pod, held against what was measured. */
import { describe, expect, it } from 'vitest';
import { clientsOn, dealt, meshed, type Plan, pods } from './build.ts';
import { causesOf, expectNear, statusOf } from './report.ts';

/** One pod on n1 in zone-a, three on n2 in zone-b; six clients on n1, two on n2. */
const zone = (name: string, node: string) => ({ node, zone: name, endpoint: { hintZones: [name] } });
const hinted = [...pods(1, zone('zone-a', 'n1')), ...pods(3, zone('zone-b', 'n2'), 1)];
const onNodes = [...pods(1, { node: 'n1' }), ...pods(3, { node: 'n2' }, 1)];
const sixAndTwo = { clients: clientsOn([6, 2]), connections: dealt([6, 1, 1, 0]) };
/** Six and three: then each pod of n2 has one, and all lies as it should. */
const sixAndThree = { clients: clientsOn([6, 3]), connections: dealt([6, 1, 1, 1]) };
const shares = (status: ReturnType<typeof statusOf>) =>
  status.pods.map((pod) => [pod.name, pod.load, pod.expectedShare] as const);

describe.each([
  ['traffic-distribution', { trafficDistribution: 'PreferSameZone' }, 'trafficDistribution PreferSameZone', hinted],
  ['topology-hints', { topologyMode: 'Auto' }, 'topology-mode Auto', hinted],
  ['internal-traffic-policy-local', { internalTrafficPolicy: 'Local' }, 'internalTrafficPolicy Local', onNodes],
] as const)('%s', (id, service, words, servers) => {
  const plan: Plan = { pods: servers, ...sixAndThree, service };

  it('is certain when every connection lies in its place and the pods carry what that gives', () => {
    const status = statusOf(plan);
    // Six of nine parts on the one pod of n1, the other three on three pods: 2/3 and 1/9 each.
    expect(shares(status)[0]).toEqual(['echo-0', 0.6667, 0.6667]);
    expect(shares(status)[3]?.[2]).toBe(0.1111);
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      kind: 'by-setting',
      confidence: 'certain',
      summary: `4 pods share the load as ${words} deals it: one carries 67 %`,
    });
    expect(causesOf(status)).toEqual({ [id]: 'certain' });
    // Against what they should carry: all four, and no peak.
    expect(status.skew?.against).toBe(words);
    expectNear(status.skew?.effectivePods, 4, 0.01);
    expectNear(status.skew?.peakToMean, 1, 0.01);
    expect(status.causes[0]?.evidence).toContain('it gives echo-0 67 % of the load, and that carries 67 %');
    // (1/4)^6 · (3/4)^3.
    expect(status.causes[0]?.evidence.join()).toContain('9 of 9 connections lie where it leads them');
    expect(status.relief).toEqual([]);
  });

  it('is likely when the places fit and the pods of one place differ besides: the figures stay against 1/P', () => {
    const status = statusOf({ ...plan, ...sixAndTwo });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).toEqual({ [id]: 'likely' });
    // 1 / (0.75² + 2 · 0.125²) of four, and echo-3 idle.
    expectNear(status.skew?.effectivePods, 1.68, 0.01);
    expect(status.skew?.against).toBeNull();
    expect(shares(status)[0]).toEqual(['echo-0', 0.75, 0.75]);
    expect(shares(status)[3]).toEqual(['echo-3', 0, 0.0833]);
  });

  it('is possible when it is not known where the clients are', () => {
    const unnamed = (plan.connections ?? []).map((entry, index) => ({ ...entry, from: `10.99.0.${index + 1}` }));
    const status = statusOf({ ...plan, connections: unnamed, clients: [] });
    expect([status.verdict.state, causesOf(status)[id]]).toEqual(['skewed', 'possible']);
    expect(shares(status)[0]?.[2]).toBe(0.25);
    expect(status.causes.find((cause) => cause.id === id)?.settledBy).toHaveLength(1);
  });

  it('twin: not without the setting', () => {
    const bare = servers.map((pod) => ({ ...pod, endpoint: {} }));
    const status = statusOf({ ...plan, pods: bare, service: {} });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty(id);
  });

  it('trap: silent when most connections lie elsewhere: then it is not what leads them', () => {
    // The six of n1 lie on a pod of n2.
    const status = statusOf({ ...plan, connections: dealt([0, 6, 0, 0]), clients: clientsOn([6]) });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty(id);
  });

  it('trap: silent when it gives every pod the same', () => {
    // Two clients on n1 for its one pod, six on n2 for its three; one of the six carries nearly everything.
    const connections = dealt([2, 2, 2, 2]).map((entry, index) =>
      index === 3 ? { ...entry, bytesPerSecond: 1 } : entry,
    );
    const level = statusOf({ ...plan, clients: clientsOn([2, 6]), connections });
    expect(level.verdict.state).not.toBe('skewed');
    const lone = dealt([1, 3, 0, 0]);
    const uneven = statusOf({ ...plan, clients: clientsOn([1, 3]), connections: lone });
    expect(uneven.verdict.state).toBe('skewed');
    expect(causesOf(uneven)).not.toHaveProperty(id);
  });

  it('trap: silent on a headless Service, where no kube-proxy applies it', () => {
    const status = statusOf({ ...plan, service: { ...service, clusterIP: 'None' } });
    expect(causesOf(status)).not.toHaveProperty(id);
  });

  it('trap: silent when the load is even', () => {
    expect(causesOf(statusOf({ ...plan, clients: clientsOn([1, 3]), connections: dealt([1, 1, 1, 1]) }))).toEqual({});
  });
});

describe('hints', () => {
  const service = { trafficDistribution: 'PreferSameZone' };
  const plan: Plan = { pods: hinted, ...sixAndThree, service };

  it('are ignored by kube-proxy where one endpoint has none', () => {
    const mixed = [...hinted.slice(0, 3), ...pods(1, { node: 'n2', zone: 'zone-b' }, 3)];
    expect(causesOf(statusOf({ ...plan, pods: mixed }))).not.toHaveProperty('traffic-distribution');
  });

  it('are not what leads the traffic when all are of one zone', () => {
    const alike = pods(4, zone('zone-a', 'n1'));
    expect(causesOf(statusOf({ ...plan, pods: alike }))).not.toHaveProperty('traffic-distribution');
  });

  it('for nodes go before those for zones', () => {
    const near = (name: string, node: string) => ({
      ...zone(name, node),
      endpoint: { hintZones: [name], hintNodes: [node] },
    });
    const servers = [...pods(1, near('zone-a', 'n1')), ...pods(3, near('zone-a', 'n2'), 1)];
    const status = statusOf({ ...plan, pods: servers, service: { trafficDistribution: 'PreferSameNode' } });
    expect(causesOf(status)).toEqual({ 'traffic-distribution': 'certain' });
    expect(status.causes[0]?.text).toContain('n1 has 1 pod');
  });

  it('of a zone without pods let its clients go everywhere', () => {
    const nodes = ['zone-a', 'zone-b', 'zone-c'].map((name, index) => ({
      name: `n${index + 1}`,
      addresses: [`192.168.0.${index + 1}`],
      podCIDRs: [],
      zone: name,
      instanceType: null,
      ready: true,
    }));
    // Four of zone-c on four pods, six of zone-a on their one: 7/10 there.
    const connections = dealt([6, 0, 0, 0]).concat(
      [0, 1, 2, 3].map((pod) => ({ from: `web-${6 + pod}`, to: `echo-${pod}` })),
    );
    const status = statusOf({ ...plan, nodes, clients: clientsOn([6, 0, 4]), connections });
    expect(causesOf(status)).toEqual({ 'traffic-distribution': 'certain' });
    expect(shares(status)[0]).toEqual(['echo-0', 0.7, 0.7]);
  });

  it('say what topology-mode says, which goes before trafficDistribution', () => {
    const both = { ...service, topologyMode: 'Auto' };
    expect(causesOf(statusOf({ ...plan, service: both }))).toEqual({ 'topology-hints': 'certain' });
  });
});

describe('a pod that should get nothing', () => {
  it('is left out of the figures, and its share is 0 of 0', () => {
    // All four clients on n1: internalTrafficPolicy Local gives the pods of n2 nothing.
    const status = statusOf({
      pods: [...pods(2, { node: 'n1' }), ...pods(2, { node: 'n2' }, 2)],
      clients: clientsOn([4]),
      connections: dealt([2, 2, 0, 0]),
      service: { internalTrafficPolicy: 'Local' },
    });
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(shares(status)[3]).toEqual(['echo-3', 0, 0]);
    expectNear(status.skew?.effectivePods, 2, 0.01);
  });
});

describe('external-traffic-policy-local', () => {
  const service = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
  const from = (counts: readonly number[]) =>
    dealt(counts).map((entry, index) => ({ ...entry, from: `203.0.113.${index + 1}` }));

  it.each([
    // https://github.com/kubernetes/kubernetes/issues/97147: 1 + 2 pods on two nodes, the lone one gets half.
    ['half for the lone pod', [...pods(1), ...pods(2, { node: 'n2' }, 1)], [20, 10, 10], 0.5],
    // 1 + 3 pods: half and a sixth each.
    ['half and three sixths', onNodes, [18, 6, 6, 6], 0.5],
  ])('is likely when the load is 1/nodes ÷ pods on the node: %s', (_, servers, counts, most) => {
    const status = statusOf({ pods: servers, connections: from(counts), service });
    expect(status.verdict).toMatchObject({ state: 'not-load-balancing', confidence: 'likely' });
    expect(causesOf(status)).toEqual({ 'external-traffic-policy-local': 'likely' });
    expect(shares(status)[0]).toEqual(['echo-0', most, most]);
    expect(status.recommendation).toMatchObject({ rule: 3, strategy: 'cluster-ip', action: 'keep' });
    expect(status.recommendation.first[0]).toContain('spread the pods evenly over the nodes');
  });

  it('is possible when the load is not what the nodes would give', () => {
    const status = statusOf({ pods: onNodes, connections: from([2, 30, 2, 2]), service });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)['external-traffic-policy-local']).toBe('possible');
    expect(shares(status)[0]?.[2]).toBe(0.25);
  });

  it('twin: not with the policy Cluster', () => {
    const cluster = { ...service, externalTrafficPolicy: 'Cluster' };
    const status = statusOf({ pods: onNodes, connections: from([18, 6, 6, 6]), service: cluster });
    expect(causesOf(status)).not.toHaveProperty('external-traffic-policy-local');
  });

  it('trap: silent when every node has as many pods', () => {
    const spread = [...pods(2, { node: 'n1' }), ...pods(2, { node: 'n2' }, 2)];
    const status = statusOf({ pods: spread, connections: from([18, 6, 6, 6]), service });
    expect(causesOf(status)).not.toHaveProperty('external-traffic-policy-local');
  });

  it('trap: silent when the load comes from inside: the policy has no say in it', () => {
    const status = statusOf({ pods: onNodes, connections: dealt([18, 6, 6, 6]), service });
    expect(causesOf(status)).not.toHaveProperty('external-traffic-policy-local');
  });
});

describe('the advice', () => {
  it('goes on when these connections would be uneven without the setting, too', () => {
    const status = statusOf({ pods: hinted, ...sixAndThree, service: { trafficDistribution: 'PreferClose' } });
    expect(status.recommendation).toMatchObject({ rule: 10, strategy: 'headless-round-robin', action: 'adopt' });
    expect(status.recommendation.first[0]).toContain('spread the pods over the zones');
  });

  it('keeps the Service when they would not', () => {
    const connections = dealt([60, 10, 10, 10]);
    const status = statusOf({
      pods: hinted,
      clients: clientsOn([60, 30]),
      connections,
      service: { trafficDistribution: 'PreferClose' },
    });
    expect(status.recommendation).toMatchObject({ rule: 3, strategy: 'cluster-ip', action: 'keep' });
  });
});

describe('weights of a route', () => {
  it('that the load follows are no fault of balancing: every pod carries what it should', () => {
    const subsets = [
      { name: 'v1', pods: ['echo-0', 'echo-1', 'echo-2'] },
      { name: 'v2', pods: ['echo-3'] },
    ];
    const backends = subsets.map(({ name }) => ({ service: 'echo', weight: 50, subset: name }));
    const path = {
      routes: [{ kind: 'VirtualService' as const, name: 'echo', backends }],
      destinationRules: [{ name: 'echo', consistentHash: false, subsets }],
    };
    const clients = [0, 1, 2, 3].map((index) => ({ name: `web-${index}`, meshProxies: ['istio-proxy'] }));
    // A sixth on each of three pods, half on the fourth.
    const connections = meshed(4, 4).map((entry) =>
      entry.to === 'echo-3' ? { ...entry, bytesPerSecond: 3000 } : entry,
    );
    const status = statusOf({ pods: pods(4, { sidecar: 'istio-proxy' }), clients, connections, path });
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      summary: '4 pods share the load as VirtualService echo deals it: one carries 50 %',
    });
    expect(shares(status)[0]).toEqual(['echo-3', 0.5, 0.5]);
    expect(status.recommendation).toMatchObject({ rule: 2, strategy: 'l7-proxy', action: 'keep' });
  });
});

/** The Service says where its connections go. */
import { callsPerPod, clients, nodes, plan, pods, rhythm, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import type { NodePlan, Plan, PodPlan, ServicePlan } from '../plan.ts';
import type { Random } from '../random.ts';

const withService =
  (service: Partial<ServicePlan>) =>
  (before: Plan): Plan => ({
    ...before,
    service: { ...before.service, ...service },
  });

/** Clients with several connections each, so that few addresses hold many. */
function pooled(
  random: Random,
  hardness: number,
  where: readonly NodePlan[],
  all: readonly PodPlan[],
  count: number,
  options = {},
) {
  const total = callsPerPod(random, hardness) * all.length;
  const channels = random.integer(2, 10);
  const parts = Array.from({ length: channels }, () => 1 / channels);
  const how = { ...rhythm(random, hardness, total), parts, ...options };
  return withRates(clients(count, where, random, how), total);
}

const sessionAffinity: Family = {
  id: 'session-affinity',
  words:
    'sessionAffinity: ClientIP leads every connection of one address to the pod of its first: pools of several connections sit on one pod each. True: session-affinity, where a client holds several connections; without it they would spread. A connection age changes nothing under it.',
  causes: ['session-affinity'],
  defensible: { 'few-connections': 'likely' },
  alsoStates: ['not-load-balancing'],
  lever: 'setting',
  without: withService({ affinity: false }),
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const all = pods(random.integer(3, 8), where, random);
    const callers = pooled(random, hardness, where, all, random.integer(1, 1 + all.length));
    return plan(random, hardness, { nodes: where, pods: all, clients: callers, service: { affinity: true } });
  },
};

const affinityLeft: Family = {
  id: 'affinity-left-behind',
  words:
    'sessionAffinity was switched off a while ago, and the connections that it placed are still there: each address has all of its connections on one pod, which luck does not do. True: what the setting left behind (session-affinity); a restart of the clients spreads them.',
  causes: ['session-affinity'],
  defensible: { 'few-connections': 'likely', chance: 'possible' },
  without: (before) => {
    const { affinityUntil: _gone, ...service } = before.service;
    return { ...before, service };
  },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const all = pods(random.integer(3, 8), where, random);
    const callers = pooled(random, hardness, where, all, random.integer(2, 1 + all.length), { startedAt: -8000 });
    const affinityUntil = -random.between(60, 3600);
    return plan(random, hardness, { nodes: where, pods: all, clients: callers, service: { affinityUntil } });
  },
};

/** Pods and clients that lie unevenly over nodes or zones: what a rule that keeps traffic near turns into uneven load. */
function apart(
  random: Random,
  hardness: number,
  where: readonly NodePlan[],
  all: readonly PodPlan[],
  home: readonly NodePlan[],
) {
  const near = 0.6 + 0.3 * random.next();
  const count = random.integer(6, 40);
  const total = callsPerPod(random, hardness) * all.length;
  const how = rhythm(random, hardness, total);
  const most = Math.round(near * count);
  const there = where.filter((node) => !home.includes(node));
  const callers = [
    ...clients(most, home, random, how),
    ...clients(count - most, there.length > 0 ? there : where, random, { ...how, first: most }),
  ];
  return withRates(callers, total);
}

const internalLocal: Family = {
  id: 'internal-local',
  words:
    'internalTrafficPolicy: Local keeps each client on the pods of its node: nodes with many clients and few pods are hot, and clients of nodes without a pod reach nothing. Even shares within a node change nothing about that. True: internal-traffic-policy-local; few-connections within a node may be named, too.',
  causes: ['internal-traffic-policy-local'],
  defensible: { 'few-connections': 'likely' },
  alsoStates: ['not-load-balancing'],
  lever: 'setting',
  without: withService({ internalLocal: false }),
  plan(random, hardness) {
    const where = nodes(random.integer(2, 5));
    const bare = random.chance(0.4) ? where.slice(0, -1) : where;
    const all = pods(random.integer(bare.length, 2 * bare.length + 1), where, random, { on: bare });
    const callers = apart(random, hardness, where, all, where.slice(0, 1));
    return plan(random, hardness, { nodes: where, pods: all, clients: callers, service: { internalLocal: true } });
  },
};

const externalLocal: Family = {
  id: 'external-local',
  words:
    'Clients outside come through a load balancer that deals connections to nodes; externalTrafficPolicy: Local keeps them on the node. Nodes have different numbers of pods, so a pod that is alone on its node has many times the load of one among several. True: external-traffic-policy-local; that the load balancer deals by node and not by pod says the same of its part.',
  causes: ['external-traffic-policy-local'],
  defensible: { 'few-connections': 'likely', 'lb-source': 'likely' },
  alsoStates: ['not-load-balancing'],
  lever: 'setting',
  without: withService({ externalLocal: false }),
  plan(random, hardness) {
    const where = nodes(random.integer(2, 4));
    const [first, ...others] = where;
    const crowd = random.integer(2, 5);
    const lone = others.length;
    const all = [
      ...pods(crowd, where, random, { on: first === undefined ? where : [first] }),
      ...pods(lone, where, random, { on: others, first: crowd }),
    ];
    const total = callsPerPod(random, hardness) * all.length;
    const callers = clients(random.integer(20, 120), where, random, {
      ...rhythm(random, hardness, total),
      outside: true,
    });
    const service = { type: 'LoadBalancer' as const, externalLocal: true };
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), service });
  },
};

function zoned(random: Random, hardness: number, near: ServicePlan['near']): Plan {
  const where = nodes(random.integer(2, 6), random.integer(2, 3));
  const all = pods(random.integer(3, 9), where, random);
  const home = where.filter(({ zone }) => zone === 'zone-a');
  const callers = apart(random, hardness, where, all, near === 'PreferSameNode' ? where.slice(0, 1) : home);
  return plan(random, hardness, { nodes: where, pods: all, clients: callers, service: { near } });
}

const topologyHints: Family = {
  id: 'topology-hints',
  words:
    'topologyMode: Auto puts a zone on each endpoint, and kube-proxy keeps traffic in the zone: most clients are in one zone, the pods are not. True: topology-hints, where the zones differ in clients per pod.',
  causes: ['topology-hints'],
  defensible: { 'few-connections': 'likely' },
  alsoStates: ['not-load-balancing'],
  lever: 'setting',
  without: withService({ near: 'none' }),
  plan: (random, hardness) => zoned(random, hardness, 'hints'),
};

const trafficDistribution: Family = {
  id: 'traffic-distribution',
  words:
    'trafficDistribution keeps traffic in the zone or on the node, and the clients are not where the pods are. Somebody chose it: to drop it costs traffic between zones. True: traffic-distribution.',
  causes: ['traffic-distribution'],
  defensible: { 'few-connections': 'likely' },
  alsoStates: ['not-load-balancing'],
  lever: 'setting',
  without: withService({ near: 'none' }),
  plan: (random, hardness) => zoned(random, hardness, random.chance(0.7) ? 'PreferSameZone' : 'PreferSameNode'),
};

const ipvs: Family = {
  id: 'ipvs',
  words:
    'kube-proxy in IPVS mode deals connections in turn, apart on each node. With clients on one node connections are even; with one connection from each of many nodes they fall as by chance. Right: what the load says; few-connections where they are fewer than would fill the pods; the chance of random placement does not apply.',
  causes: ['few-connections'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 6));
    const all = pods(random.integer(2, 8), where, random);
    const total = callsPerPod(random, hardness) * all.length;
    const callers = clients(random.integer(2, 3 * all.length), where, random, rhythm(random, hardness, total));
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { proxy: 'ipvs-rr' },
    });
  },
};

const staleRules: Family = {
  id: 'stale-node-rules',
  words:
    'kube-proxy of one node has stopped: its rules know only the pods of then, while clients of the other nodes reach the new ones, too. All clients connected after the new pods were there. True: node-rules-stale; new-pods-idle and restarted clients are wrong, since connections are younger than the pods.',
  causes: ['node-rules-stale'],
  defensible: { 'few-connections': 'possible', chance: 'possible' },
  alsoStates: ['not-load-balancing'],
  lever: 'fault',
  without: withService({ staleNodes: {} }),
  plan(random, hardness) {
    const where = nodes(random.integer(2, 4));
    const from = random.integer(2, 3);
    const to = from * 2 + random.integer(0, 2);
    const at = -random.between(3000, 9000);
    const all = [...pods(from, where, random), ...pods(to - from, where, random, { startedAt: at, first: from })];
    const total = callsPerPod(random, hardness) * to;
    const how = { ...rhythm(random, hardness, total), startedAt: at + random.between(100, 2000) };
    const bad = random.integer(6, 20);
    const callers = [
      ...clients(bad, where, random, { ...how, node: 'n1' }),
      ...clients(random.integer(4, 10), where.slice(1), random, { ...how, first: bad }),
    ];
    const service = { staleNodes: { n1: at - 60 } };
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service,
      scalings: [{ at, from, to }],
    });
  },
};

const localScaleUp: Family = {
  id: 'local-scale-up',
  words:
    'internalTrafficPolicy: Local, and the Service was scaled up onto nodes without clients: the new pods can get nothing, however long one waits and whoever is restarted. True: internal-traffic-policy-local alone; the age of connections explains nothing.',
  causes: ['internal-traffic-policy-local'],
  defensible: { 'few-connections': 'possible' },
  alsoStates: ['not-load-balancing'],
  lever: 'setting',
  without: withService({ internalLocal: false }),
  plan(random, hardness) {
    const where = nodes(4);
    const from = random.integer(2, 4);
    const to = from + random.integer(2, 5);
    const at = -random.logBetween(200, 5000);
    const all = [
      ...pods(from, where, random, { on: where.slice(0, 2) }),
      ...pods(to - from, where, random, { on: where.slice(2), startedAt: at, first: from }),
    ];
    const total = callsPerPod(random, hardness) * to;
    const startedAt = random.chance(0.5) ? -9000 : at + 100;
    const callers = clients(random.integer(4, 40), where.slice(0, 2), random, {
      ...rhythm(random, hardness, total),
      startedAt,
    });
    const scalings = [{ at, from, to }];
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { internalLocal: true },
      scalings,
    });
  },
};

export const settings: readonly Family[] = [
  ...[sessionAffinity, affinityLeft, internalLocal, externalLocal, topologyHints],
  ...[trafficDistribution, ipvs, staleRules, localScaleUp],
];

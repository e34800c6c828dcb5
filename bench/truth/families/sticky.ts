/** Connections that stay where they were made. */
import { callsPerPod, clients, nodes, plan, pods, rhythm, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import type { PodPlan } from '../plan.ts';
import { type Random, zipf } from '../random.ts';

/** A Service of some pods, with so many more that came at a time. */
function scaledUp(random: Random, hardness: number, from: number, to: number, at: number) {
  const where = nodes(random.integer(1, 4));
  const old = pods(from, where, random);
  const young = pods(to - from, where, random, { startedAt: at, first: from });
  const total = callsPerPod(random, hardness) * to;
  return { where, all: [...old, ...young], total, scalings: [{ at, from, to }] };
}

const scaleUp: Family = {
  id: 'scale-up',
  words:
    'Few pods served long-lived connections when the Service was scaled up. No client has connected since, so the new pods get nothing: the connections are older than the idle pods. True: new-pods-idle; with few connections also few-connections, since dealing them anew would not fill the pods either.',
  causes: ['new-pods-idle'],
  plan(random, hardness) {
    const from = random.integer(1, 5);
    const to = from + random.integer(2, 4 + Math.round(10 * hardness));
    const { where, all, total, scalings } = scaledUp(random, hardness, from, to, -random.logBetween(100, 7200));
    const count = random.integer(2, 30);
    const callers = clients(count, where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -random.between(9000, 10_000),
    });
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), scalings });
  },
};

const scaleUpPartly: Family = {
  id: 'scale-up-partly',
  words:
    'As scale-up, but a part of the clients started after the new pods were there and could reach them: the new pods have some load, less than their part. True: new-pods-idle in the sense that the old connections are older than the young pods, where the difference is large enough to see.',
  causes: ['new-pods-idle'],
  plan(random, hardness) {
    const from = random.integer(2, 6);
    const at = -random.logBetween(600, 7200);
    const { where, all, total, scalings } = scaledUp(random, hardness, from, from * 2, at);
    const count = random.integer(12, 60);
    const late = Math.round(count * random.between(0.1, 0.35 + 0.15 * hardness));
    const how = rhythm(random, hardness, total);
    const callers = [
      ...clients(count - late, where, random, { ...how, startedAt: -random.between(9000, 20_000) }),
      ...clients(late, where, random, { ...how, startedAt: at + 60, first: count }),
    ];
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), scalings });
  },
};

const fewConnections: Family = {
  id: 'few-connections',
  words:
    'All pods were there before the clients; each client holds one long-lived connection, and there are too few of them to use all pods: C random connections use about P·C ÷ (C + P − 1). True: few-connections. Luck of the draw may be remarked.',
  causes: ['few-connections'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 12);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(2, 2 * count), where, random, rhythm(random, hardness, total));
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const manyConnections: Family = {
  id: 'many-connections',
  words:
    'Many clients, each with its share of few calls and a long-lived connection: random placement evens out, within the luck of the draw. Right: balanced where it did; nothing needs to be adopted.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(2, 5));
    const count = random.integer(2, 10);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const connections = count * random.integer(15, 60);
    const perClient = random.integer(1, 4);
    const parts = Array.from({ length: perClient }, () => 1 / perClient);
    const how = { ...rhythm(random, hardness, total), parts };
    const callers = clients(Math.ceil(connections / perClient), where, random, how);
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

/** Pods replaced one after the other: each old one ends when its successor is Ready. */
function replaced(
  count: number,
  where: ReturnType<typeof nodes>,
  random: Random,
  from: number,
  step: number,
): PodPlan[] {
  return Array.from({ length: count }, (_, at): PodPlan[] => {
    const [old] = pods(1, where, random, { first: at });
    const start = from + at * step;
    const [young] = pods(1, where, random, { first: count + at, startedAt: start });
    if (old === undefined || young === undefined) return [];
    const node = where[at % where.length]?.name ?? 'n1';
    return [
      { ...old, node, terminatingAt: start + 10, goneAt: start + 12 },
      { ...young, node },
    ];
  }).flat();
}

const rollingRestart: Family = {
  id: 'rolling-restart',
  words:
    'A rollout replaced the pods one by one. Each time a pod ended, its clients reconnected to those that were there: the first new pods collected most, the last one got nothing or little. True: rolling-restart-order; that the idle pods are younger than the connections is the same fact in other words.',
  causes: ['rolling-restart-order'],
  defensible: { 'new-pods-idle': 'certain', 'restarted-pod': 'possible' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = replaced(count, where, random, -random.logBetween(1200, 9000), random.between(20, 60));
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(count, 12 * count), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -random.between(20_000, 40_000),
    });
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const restartedPod: Family = {
  id: 'restarted-pod',
  words:
    'The container of one pod was started anew (a crash, out of memory): its clients went to the others and stay there. True: restarted-pod; that the pod is younger than the connections is the same fact.',
  causes: ['restarted-pod'],
  defensible: { 'new-pods-idle': 'certain', 'rolling-restart-order': 'possible' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const [first, ...others] = pods(count, where, random);
    const at = -random.logBetween(150, 7200);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(4 * count, 15 * count), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -random.between(9000, 10_000),
    });
    const again = {
      createdAt: first?.startedAt ?? -9e4,
      restarts: random.integer(1, 3),
      oomKilled: random.chance(0.5),
    };
    const both =
      first === undefined
        ? []
        : [
            { ...first, goneAt: at },
            { ...first, ...again, startedAt: at + 1, readyAt: at + random.between(4, 15) },
          ];
    return plan(random, hardness, { nodes: where, pods: [...both, ...others], clients: withRates(callers, total) });
  },
};

const zipfClients: Family = {
  id: 'zipf-clients',
  words:
    'Connections are many and spread, but a few client processes make most of the calls, each over one connection. True: hot-client where one process has far more than its part; the pod that it sits on is hot. A connection age only moves the hot spot.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(count * random.integer(3, 10), where, random, rhythm(random, hardness, total));
    const parts = zipf(callers.length, random.between(1.1, 2.2 - 0.6 * hardness));
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total, parts) });
  },
};

const hotConnection: Family = {
  id: 'hot-connection',
  words:
    'Each client process holds several channels, of which one makes nearly all of its calls; or one process has one such channel. True: hot-connection (one connection carries many times what the others do), or hot-client where it is one process.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 6);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const channels = random.integer(3, 6);
    const main = random.between(0.75, 0.95);
    const parts = Array.from({ length: channels }, (_, at) => (at === 0 ? main : (1 - main) / (channels - 1)));
    const callers = clients(random.integer(3, 8), where, random, { ...rhythm(random, hardness, total), parts });
    const shares = callers.map((_, at) => (at === 0 ? 0.7 : 0.3 / (callers.length - 1)));
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total, shares) });
  },
};

const reconnectWave: Family = {
  id: 'reconnect-wave',
  words:
    'A break of the network closed all connections once, shortly before or during the look; the clients reconnected at once and keep one connection each. It is no connection per call: each closed one had carried many calls. True: few-connections where the new placement is uneven; connection-churn is wrong.',
  causes: ['few-connections'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 10);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(3, 3 * count), where, random, rhythm(random, hardness, total));
    const breaks = [random.chance(0.6) ? random.between(0.5, 3) : -random.between(1, 60)];
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), breaks });
  },
};

const behindNodes: Family = {
  id: 'behind-nodes',
  words:
    'Clients outside come through a load balancer and externalTrafficPolicy: Cluster: any node takes a connection and sends it to any pod, and pods see the address of the node. What comes from one address is no one client. True: few-connections where they are few; hot-client is wrong unless one of them indeed calls most.',
  causes: ['few-connections'],
  defensible: { 'lb-source': 'possible' },
  plan(random, hardness) {
    const where = nodes(random.integer(2, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const how = { ...rhythm(random, hardness, total), outside: true };
    const callers = clients(random.integer(3, 6 * count), where, random, how);
    const service = { type: 'LoadBalancer' as const };
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), service });
  },
};

export const sticky: readonly Family[] = [
  ...[scaleUp, scaleUpPartly, fewConnections, manyConnections, rollingRestart],
  ...[restartedPod, zipfClients, hotConnection, reconnectWave, behindNodes],
];

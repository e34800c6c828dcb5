/** Load balancing is not, or not alone, what is wrong. */
import { callsPerPod, clients, nodes, plan, pods, rhythm, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import type { ChannelPlan, PodPlan } from '../plan.ts';
import type { Random } from '../random.ts';

const watch = { to: 'headless', order: 'shuffled', resolve: 'watch' } as const satisfies ChannelPlan['dial'];

/** An evenly served Service: by round_robin over a headless one, or by many connections. */
function evenly(random: Random, hardness: number, count: number, changed: (pod: PodPlan, at: number) => PodPlan) {
  const where = nodes(random.integer(2, 4));
  const all = pods(count, where, random).map(changed);
  const total = callsPerPod(random, hardness) * count;
  const headless = random.chance(0.6);
  const how = rhythm(random, hardness, total);
  const callers = headless
    ? clients(random.integer(2, 8), where, random, { ...how, policy: 'round_robin', dial: watch })
    : clients(count * random.integer(25, 40), where, random, how);
  return { nodes: where, pods: all, clients: withRates(callers, total), service: { headless } };
}

const unevenWork: Family = {
  id: 'uneven-work',
  words:
    'Calls are even, but those of one pod cost several times the CPU of the others’ (another role, a compaction, a cold cache): CPU per call differs. Balancing moves calls, not their cost. True: uneven-work. Right: not load balancing; that the load is balanced is right, too.',
  causes: ['uneven-work'],
  defensible: { 'unequal-pods': 'possible' },
  always: true,
  states: ['not-load-balancing', 'balanced'],
  lever: 'fault',
  plan(random, hardness) {
    const factor = random.between(3, 8);
    const hot = random.integer(1, 2);
    return plan(random, hardness, {
      ...evenly(random, hardness, random.integer(3, 8), (pod, at) => (at < hot ? { ...pod, costFactor: factor } : pod)),
      cpuMsPerCall: random.between(2, 8),
    });
  },
};

const unequalPods: Family = {
  id: 'unequal-pods',
  words:
    'Calls are even, but some pods are of another workload with a small CPU limit: the same load brings them to it. True: unequal-pods. Right: not load balancing; that the load is balanced is right, too.',
  causes: ['unequal-pods'],
  defensible: { 'uneven-work': 'possible' },
  always: true,
  states: ['not-load-balancing', 'balanced'],
  lever: 'fault',
  plan(random, hardness) {
    const small = random.integer(1, 2);
    const parts = evenly(random, hardness, random.integer(3, 8), (pod, at) =>
      at < small ? { ...pod, workload: 'echo-small', cpuLimitMillicores: 200, costFactor: 1.6 } : pod,
    );
    const each = parts.clients.reduce((sum, { rate }) => sum + rate, 0) / parts.pods.length;
    return plan(random, hardness, { ...parts, cpuMsPerCall: random.between(90, 125) / each });
  },
};

const deaf: Family = {
  id: 'deaf-pod',
  words:
    'A pod is Ready (its probe asks another port) and nothing listens at the port of the Service: connections to it are refused and tried elsewhere, so it never has any. True: port-not-served. Neither age, nor luck, nor few connections keep it idle, and no strategy fills it.',
  causes: ['port-not-served'],
  always: true,
  states: ['not-load-balancing', 'skewed'],
  defensible: { 'stuck-pod': 'possible', 'few-connections': 'likely' },
  lever: 'fault',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const at = -random.logBetween(300, 90_000);
    const all = pods(count, where, random).map((pod, index) =>
      index === 0 ? { ...pod, deaf: true, startedAt: at, readyAt: at + 5 } : pod,
    );
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(count * random.integer(2, 20), where, random, rhythm(random, hardness, total));
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const stuck: Family = {
  id: 'stuck-pod',
  words:
    'The process of one pod reads nothing any more (a deadlock): its connections stand with bytes in the receive queue, and calls sent there hang. True: stuck-pod. Right: not load balancing.',
  causes: ['stuck-pod'],
  always: true,
  states: ['not-load-balancing', 'skewed'],
  defensible: { 'uneven-work': 'possible' },
  lever: 'fault',
  plan(random, hardness) {
    const at = -random.logBetween(60, 3600);
    const parts = evenly(random, hardness, random.integer(2, 6), (pod, index) =>
      index === 0 ? { ...pod, stuckAt: at } : pod,
    );
    return plan(random, hardness, parts);
  },
};

const unready: Family = {
  id: 'unready-pods',
  words:
    'Some pods never become Ready, since their probe asks for a health service that the server does not know; those that are Ready share the load. True: pods-not-ready, and behind it probe-misconfigured. Right: not load balancing; with even load among the Ready ones balanced is right, too.',
  causes: ['pods-not-ready', 'probe-misconfigured'],
  defensible: { 'probe-failing': 'certain' },
  always: true,
  states: ['not-load-balancing', 'balanced'],
  lever: 'fault',
  plan(random, hardness) {
    const count = random.integer(3, 8);
    const bad = random.integer(1, count - 2);
    const parts = evenly(random, hardness, count, (pod, at) => (at < bad ? { ...pod, neverReady: true } : pod));
    return plan(random, hardness, parts);
  },
};

const unreadyConnected: Family = {
  id: 'unready-but-connected',
  words:
    'A pod failed its readiness probe a while ago: it is no endpoint any more, but the clients that were connected to it keep calling it. True: unready-but-connected, pods-not-ready. Right: not load balancing.',
  causes: ['unready-but-connected', 'pods-not-ready'],
  defensible: { 'probe-failing': 'certain', 'probe-misconfigured': 'possible' },
  always: true,
  states: ['not-load-balancing', 'skewed', 'balanced'],
  lever: 'fault',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const at = -random.logBetween(60, 3600);
    const all = pods(count, where, random).map((pod, index) => (index === 0 ? { ...pod, unreadyAt: at } : pod));
    const total = callsPerPod(random, hardness) * count;
    const how = { ...rhythm(random, hardness, total), startedAt: -random.between(5000, 9000) };
    const headless = random.chance(0.4);
    const dial = { to: 'headless', order: 'shuffled', resolve: 'on-break' } as const;
    const callers = headless
      ? clients(random.integer(2, 6), where, random, { ...how, policy: 'round_robin', dial })
      : clients(count * random.integer(4, 12), where, random, how);
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless },
    });
  },
};

const deadNode: Family = {
  id: 'dead-node',
  words:
    'The kubelet of a node is lost: its pods are no endpoints any more, cannot be looked at, and may still serve the connections that they hold. True: pods-not-ready; unready-but-connected holds, though nobody can see it. Right: not load balancing, or unknown.',
  causes: ['pods-not-ready'],
  defensible: { 'unready-but-connected': 'likely', 'few-connections': 'likely', chance: 'possible' },
  always: true,
  states: ['not-load-balancing', 'unknown'],
  lever: 'fault',
  plan(random, hardness) {
    const where = nodes(random.integer(2, 4)).map((node, index) => (index === 0 ? { ...node, ready: false } : node));
    const at = -random.logBetween(60, 1800);
    const count = random.integer(3, 8);
    const all = pods(count, where, random).map((pod) => (pod.node === 'n1' ? { ...pod, unreadyAt: at } : pod));
    const total = callsPerPod(random, hardness) * count;
    const how = { ...rhythm(random, hardness, total), startedAt: -random.between(5000, 9000) };
    const callers = clients(count * random.integer(2, 12), where.slice(1), random, how);
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const leak: Family = {
  id: 'connection-leak',
  words:
    'A client opens connections and forgets them: hundreds stand idle beside the few that carry its calls. Their number says nothing of the load. True: connection-leak; the state is what the load says.',
  causes: ['connection-leak'],
  always: true,
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 6);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const how = rhythm(random, hardness, total);
    const callers = clients(count * random.integer(2, 12), where, random, how).map((client, at) =>
      at === 0 ? { ...client, leaked: random.integer(120, 900) } : client,
    );
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const noTraffic: Family = {
  id: 'no-traffic',
  words:
    'Nobody calls: connections may stand, as pools keep them, and carry nothing. Right: no-traffic, or unknown where little was seen; no cause explains an unevenness that is not there.',
  causes: [],
  states: ['no-traffic', 'unknown'],
  lever: 'none',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 3));
    const all = pods(random.integer(2, 6), where, random);
    const callers = clients(random.integer(0, 8), where, random).map((client) => ({ ...client, rate: 0 }));
    return plan(random, hardness, { nodes: where, pods: all, clients: callers });
  },
};

const tooSoon: Family = {
  id: 'too-soon',
  words:
    'The Service was scaled up seconds ago: that the new pods are idle means nothing yet. True: too-soon; that the connections are older than the idle pods is a fact as well, and no client will connect anew. Right: unknown; skewed is not wrong.',
  causes: ['too-soon'],
  defensible: { 'new-pods-idle': 'certain', 'few-connections': 'likely', 'rollout-in-progress': 'possible' },
  always: true,
  states: ['unknown', 'skewed', 'not-load-balancing'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const from = random.integer(2, 4);
    const to = from + random.integer(2, 5);
    const at = -random.between(14, 45);
    const all = [...pods(from, where, random), ...pods(to - from, where, random, { startedAt: at, first: from })];
    const total = callsPerPod(random, hardness) * to;
    const callers = clients(random.integer(3, 30), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -9000,
    });
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      scalings: [{ at, from, to }],
    });
  },
};

export const faults: readonly Family[] = [
  ...[unevenWork, unequalPods, deaf, stuck, unready],
  ...[unreadyConnected, deadNode, leak, noTraffic, tooSoon],
];

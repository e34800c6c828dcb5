/** Something at layer 7 stands between clients and pods. */
import { callsPerPod, clients, nodes, plan, pods, rhythm, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import type { ChannelPlan, PodPlan } from '../plan.ts';

const watch = { to: 'headless', order: 'shuffled', resolve: 'watch' } as const satisfies ChannelPlan['dial'];

/** Envoy balances apart in each worker thread, with a connection of its own to each pod. */
const workers = [0.5, 0.5];

const gateway: Family = {
  id: 'gateway',
  words:
    'A gateway of few pods takes all calls and balances them one by one over connections to every pod. The number of clients at the pods says nothing. Right: balanced, the proxy kept.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(1, 3), where, random, {
      ...rhythm(random, hardness, total),
      ...{
        workload: 'gateway',
        namespace: 'ingress',
        role: 'gateway',
        policy: 'round_robin',
        dial: watch,
        parts: workers,
      },
    });
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const gatewayToVirtual: Family = {
  id: 'proxy-to-cluster-ip',
  words:
    'A gateway was told the virtual address of the Service as its one upstream: it holds few connections to it, each on one pod, and balances over these. True: proxy-to-cluster-ip; that connections are few, or older than the pods, is the mechanism behind it.',
  causes: ['proxy-to-cluster-ip'],
  defensible: {
    'few-connections': 'certain',
    'hot-client': 'possible',
    'hot-connection': 'possible',
    chance: 'likely',
  },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 10);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(1, 3), where, random, {
      ...rhythm(random, hardness, total),
      ...{ workload: 'gateway', namespace: 'ingress', role: 'gateway', parts: random.chance(0.5) ? [1] : workers },
    });
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const mesh: Family = {
  id: 'mesh',
  words:
    'Sidecars of a mesh on both ends balance every call at the client. Connections of the sidecars reach every pod. Right: balanced, the mesh kept.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const how = {
      ...rhythm(random, hardness, total),
      sidecar: true,
      policy: 'round_robin' as const,
      dial: watch,
      parts: workers,
    };
    const callers = clients(random.integer(2, 8), where, random, how);
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      mesh: 'istio',
      service: { appProtocol: 'grpc' },
    });
  },
};

const meshSeesTcp: Family = {
  id: 'mesh-sees-tcp',
  words:
    'Sidecars are on both ends, but the port is declared as TCP, so that they forward connections and not calls: each client sits on one pod. True: mesh-sees-tcp; that connections are few is the mechanism behind it.',
  causes: ['mesh-sees-tcp'],
  defensible: { 'few-connections': 'certain', chance: 'likely' },
  lever: 'setting',
  without: (before) => ({
    ...before,
    clients: before.clients.map((client) => ({
      ...client,
      channels: [{ policy: 'round_robin', dial: watch, part: 1 } as const],
    })),
  }),
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(2, 2 * count), where, random, {
      ...rhythm(random, hardness, total),
      sidecar: true,
    });
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      mesh: 'istio',
      service: { appProtocol: 'tcp' },
    });
  },
};

const outsideMesh: Family = {
  id: 'client-outside-mesh',
  words:
    'The pods have sidecars, their clients have none: balancing happens at the client’s proxy, so nobody balances, and each client sits on one pod. True: client-outside-mesh; that connections are few is the mechanism behind it.',
  causes: ['client-outside-mesh'],
  defensible: { 'few-connections': 'certain', chance: 'likely' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(2, 2 * count), where, random, {
      ...rhythm(random, hardness, total),
      namespace: 'batch',
    });
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      mesh: 'istio',
      service: { appProtocol: 'grpc' },
    });
  },
};

/** All sidecars send calls to pods by weight. */
function weighted(weightOf: (pod: PodPlan, at: number) => number, all: readonly PodPlan[]) {
  return Object.fromEntries(all.map((pod, at) => [pod.name, weightOf(pod, at)]));
}

const weightedRoute: Family = {
  id: 'weighted-route',
  words:
    'A route of the mesh gives one subset of the pods a small weight (a canary) or a large one: calls follow the weights, as was asked for. True: weighted-routing.',
  causes: ['weighted-routing'],
  always: true,
  alsoStates: ['not-load-balancing'],
  never: ['headless-round-robin', 'max-connection-age'],
  lever: 'setting',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const canaries = random.integer(1, Math.floor(count / 2));
    const small = random.between(0.02, 0.3);
    const weights = weighted((_, at) => (at < canaries ? small : 1), all);
    const how = { ...rhythm(random, hardness, total), sidecar: true, policy: 'weighted' as const, dial: watch };
    const callers = clients(random.integer(2, 8), where, random, how);
    const service = { appProtocol: 'grpc' };
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      mesh: 'istio',
      service,
      weights,
      weighting: 'route',
    });
  },
};

const proxyHash: Family = {
  id: 'proxy-hash',
  words:
    'A DestinationRule chooses pods by the hash of a header, and some keys are hot: connections reach every pod, calls do not come evenly, as was asked for. True: consistent-hash.',
  causes: ['consistent-hash'],
  always: true,
  alsoStates: ['not-load-balancing'],
  never: ['headless-round-robin', 'max-connection-age'],
  lever: 'setting',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const shares = weighted(() => random.logBetween(0.05, 1), all);
    const how = { ...rhythm(random, hardness, total), sidecar: true, policy: 'weighted' as const, dial: watch };
    const callers = clients(random.integer(2, 8), where, random, how);
    const service = { appProtocol: 'grpc' };
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      mesh: 'istio',
      service,
      weights: shares,
      weighting: 'proxy-hash',
    });
  },
};

export const proxies: readonly Family[] = [
  gateway,
  gatewayToVirtual,
  mesh,
  meshSeesTcp,
  outsideMesh,
  weightedRoute,
  proxyHash,
];

/** What is seen misleads: tables without rows, pages of other names, pods beyond those looked at, endpoints that are gone. */

import type { PlanParts } from '../build.ts';
import { callsPerPod, clients, nodes, plan, pods, rhythm, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import type { Plan } from '../plan.ts';
import type { Random } from '../random.ts';

const watch = { to: 'headless', order: 'shuffled', resolve: 'watch' } as const;

/** Half of them evenly served by round_robin, half with a connection of each client through the virtual address. */
function served(random: Random, hardness: number, most: number): PlanParts {
  const where = nodes(random.integer(1, 4));
  const count = random.integer(2, most);
  const all = pods(count, where, random);
  const total = callsPerPod(random, hardness) * count;
  const headless = random.chance(0.5);
  const how = rhythm(random, hardness, total);
  const callers = headless
    ? clients(random.integer(1, 6), where, random, { ...how, policy: 'round_robin', dial: watch })
    : clients(random.integer(2, 2 * count), where, random, how);
  return { nodes: where, pods: all, clients: withRates(callers, total), service: { headless } };
}

const seeing = (made: Plan, sees: Partial<Plan['sees']>): Plan => ({ ...made, sees: { ...made.sees, ...sees } });

const emptyTables: Family = {
  id: 'empty-tables',
  words:
    'Socket tables come back empty, without even the listener (a sandbox whose kernel shows none), while the pods count calls or use CPU. An empty table of a pod that serves is blindness. Right: what the counters say, or unknown; never no-traffic.',
  causes: [],
  defensible: { 'few-connections': 'likely', chance: 'possible' },
  alsoStates: ['unknown'],
  plan: (random, hardness) =>
    seeing(plan(random, hardness, served(random, hardness, 8)), {
      sockets: 'ss',
      socketsMissing: [],
      emptyTables: true,
    }),
};

const unknownSidecar: Family = {
  id: 'unknown-sidecar',
  words:
    'A proxy in each pod, of a name that nobody knows, takes the connections and dials the application from 127.0.0.1: the sockets at the port are all of loopback peers, and they carry the bytes. They are the clients of a proxy, not nobody. Right: what bytes or counters say, or unknown; never no-traffic.',
  causes: [],
  defensible: { 'few-connections': 'certain', chance: 'likely' },
  alsoStates: ['unknown'],
  plan: (random, hardness) => plan(random, hardness, { ...served(random, hardness, 8), mesh: 'unknown' }),
};

const unknownPages: Family = {
  id: 'unknown-pages',
  words:
    'Some pods run a version that counts its calls under another name, so that their calls are not known; all serve as before. Not known is not zero. Right: what bytes or the pods’ true load say, or unknown; never that those pods are idle.',
  causes: [],
  alsoStates: ['unknown'],
  plan(random, hardness) {
    const parts = served(random, hardness, 8);
    const strange = random.shuffle(parts.pods).slice(0, Math.max(1, Math.floor(parts.pods.length / 3)));
    return seeing(plan(random, hardness, parts), {
      calls: 'all',
      callsMissing: [],
      unknownPages: strange.map(({ name }) => name),
    });
  },
};

const ghost: Family = {
  id: 'stale-endpoint',
  words:
    'A slice still names, as ready, a pod that is gone (the controller lags, or a foreign one wrote it). The pods that are there serve. Right: what their load says; that an endpoint is stale is a fault, and may be said.',
  causes: [],
  defensible: {
    'endpoints-missing': 'likely',
    'pods-not-ready': 'possible',
    'few-connections': 'likely',
    chance: 'possible',
  },
  alsoStates: ['not-load-balancing', 'unknown'],
  plan: (random, hardness) =>
    plan(random, hardness, { ...served(random, hardness, 6), ghosts: ['echo-6b9cc657d4-ghost'] }),
};

/** So many pods are looked at where there are more. */
const looked = 50;

const manyPods: Family = {
  id: 'many-pods',
  words:
    'More than 50 pods, of which 50 are looked at: a part is new and idle since the connections are older, or all are evenly served. Right: what the true load says, which those looked at show. True, after a scale-up: new-pods-idle.',
  causes: ['new-pods-idle'],
  alsoStates: ['unknown'],
  plan(random, hardness) {
    const where = nodes(random.integer(4, 8));
    const count = random.integer(52, 80);
    const young = random.chance(0.6) ? random.integer(5, Math.floor(count / 2)) : 0;
    const at = -random.logBetween(300, 7200);
    const all = [...pods(count - young, where, random), ...pods(young, where, random, { startedAt: at, first: count })];
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(count * random.integer(8, 12), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -9000,
    });
    const notSampled = random
      .shuffle(all)
      .slice(looked)
      .map(({ name }) => name);
    const scalings = young > 0 ? [{ at, from: count - young, to: count }] : [];
    const made = plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), scalings });
    return seeing(made, { notSampled, callsMissing: random.chance(0.5) ? notSampled : [] });
  },
};

const someIdle: Family = {
  id: 'some-idle',
  words:
    'A Service of many pods was scaled up by a few, which get nothing since the connections are older: the old ones are only a little hotter than an even part, and the new ones are idle all the same. True: new-pods-idle. Right: skewed, or balanced with the idle pods named.',
  causes: ['new-pods-idle'],
  plan(random, hardness) {
    const where = nodes(random.integer(2, 5));
    const from = random.integer(6, 15);
    const to = from + random.integer(1, Math.floor(from / 3));
    const at = -random.logBetween(150, 7200);
    const all = [...pods(from, where, random), ...pods(to - from, where, random, { startedAt: at, first: from })];
    const total = callsPerPod(random, hardness) * to;
    const callers = clients(from * random.integer(8, 25), where, random, {
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

export const misleading: readonly Family[] = [emptyTables, unknownSidecar, unknownPages, ghost, manyPods, someIdle];

/** Clients that choose pods themselves: headless Services, names of pods, keys. */
import { callsPerPod, clients, nodes, plan, pods, rhythm, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import type { ChannelPlan, PodPlan } from '../plan.ts';
import { type Random, zipf } from '../random.ts';

const headless = (order: 'shuffled' | 'sorted', resolve: 'on-break' | 'poll' | 'watch') =>
  ({ to: 'headless', order, resolve }) as const satisfies ChannelPlan['dial'];

const pickFirst: Family = {
  id: 'headless-pick-first',
  words:
    'A headless Service, and clients without a balancing policy: each process connects to one address of many that DNS answers, the first one. Sorted answers put all on one pod, shuffled ones as by chance. True: pick-first: the policy round_robin is missing.',
  causes: ['pick-first'],
  defensible: { 'few-connections': 'certain' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 10);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const dial = headless(random.chance(0.4) ? 'sorted' : 'shuffled', 'on-break');
    const callers = clients(random.integer(2, 2 * count), where, random, { ...rhythm(random, hardness, total), dial });
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless: true },
    });
  },
};

const pickFirstPools: Family = {
  id: 'headless-pools',
  words:
    'A headless Service, and client processes with several channels, each without a balancing policy: several connections per client look like round_robin, but it never holds two to one pod while another has none. True: pick-first (round_robin is missing); adding a connection age only deals them anew.',
  causes: ['pick-first'],
  defensible: { 'few-connections': 'certain' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(4, 12);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const channels = random.integer(2, 5);
    const parts = Array.from({ length: channels }, () => 1 / channels);
    const how = { ...rhythm(random, hardness, total), dial: headless('shuffled', 'on-break'), parts };
    const callers = clients(random.integer(2, count), where, random, how);
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless: true },
    });
  },
};

const scaleUp: Family = {
  id: 'headless-scale-up',
  words:
    'A headless Service with round_robin, scaled up: clients ask DNS again only when a connection breaks, so those that were there know the old pods alone; a part started later and knows all. True: no-re-resolution: the policy is right, a connection age brings the new addresses.',
  causes: ['no-re-resolution'],
  defensible: { 'new-pods-idle': 'certain' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const from = random.integer(2, 5);
    const to = from + random.integer(2, 6);
    const at = -random.logBetween(100, 7200);
    const all = [...pods(from, where, random), ...pods(to - from, where, random, { startedAt: at, first: from })];
    const total = callsPerPod(random, hardness) * to;
    const how = {
      ...rhythm(random, hardness, total),
      policy: 'round_robin' as const,
      dial: headless('shuffled', 'on-break'),
    };
    const count = random.integer(2, 12);
    const late = at < -300 && random.chance(0.4 * hardness) ? Math.round(count / 4) : 0;
    const callers = [
      ...clients(count - late, where, random, { ...how, startedAt: -9000 }),
      ...clients(late, where, random, { ...how, startedAt: at + 100, first: count }),
    ];
    const scalings = [{ at, from, to }];
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless: true },
      scalings,
    });
  },
};

const even: Family = {
  id: 'headless-even',
  words:
    'A headless Service with round_robin whose clients follow DNS (a resolver that watches, or a connection age): every client holds one connection to every pod, pods are of different ages. Counters since the pods began differ by age alone. Right: balanced.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 10);
    const old = random.integer(1, count);
    const at = -random.logBetween(300, 20_000);
    const all = [
      ...pods(old, where, random, { startedAt: -random.between(25_000, 90_000) }),
      ...pods(count - old, where, random, { startedAt: at, first: old }),
    ];
    const total = callsPerPod(random, hardness) * count;
    const aged = random.chance(0.4);
    const dial = headless('shuffled', aged ? 'on-break' : random.pick(['poll', 'watch'] as const));
    const how = {
      ...rhythm(random, hardness, total),
      policy: 'round_robin' as const,
      dial,
      startedAt: -random.between(22_000, 24_000),
    };
    const callers = clients(random.integer(1, 10), where, random, how);
    const ages = aged ? { ageSeconds: random.between(300, 900), graceSeconds: 20 } : {};
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless: true },
      ...ages,
    });
  },
};

/** Pods of a StatefulSet: echo-0, echo-1 … */
function stateful(count: number, where: ReturnType<typeof nodes>, random: Random): PodPlan[] {
  return pods(count, where, random).map((pod, at) => ({ ...pod, name: `echo-${at}` }));
}

const shards: Family = {
  id: 'shards',
  words:
    'Pods of a StatefulSet are shards: each client holds a connection by name to each shard that it needs, and shards differ in load, or hold nothing yet. It is what was asked for. True: addressed-by-name. round_robin would call the wrong shard: it must not be adopted, nor any other way of dealing calls.',
  causes: ['addressed-by-name'],
  defensible: { 'hot-connection': 'possible' },
  always: true,
  states: ['not-load-balancing', 'skewed'],
  never: ['headless-round-robin', 'max-connection-age', 'l7-proxy', 'proxyless-xds'],
  lever: 'none',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = stateful(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const used = random.shuffle(all).slice(0, random.integer(2, count - 1));
    const parts = zipf(used.length, random.between(0.5, 1.5));
    const how = rhythm(random, hardness, total);
    const callers = clients(random.integer(2, 8), where, random, how).map((client) => ({
      ...client,
      channels: used.map(
        ({ name }, at): ChannelPlan => ({ policy: 'pick_first', dial: { to: 'pod', pod: name }, part: parts[at] ?? 0 }),
      ),
    }));
    const service = { headless: true, statefulSet: true };
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), service });
  },
};

const leader: Family = {
  id: 'leader',
  words:
    'Pods of a StatefulSet have a leader, and clients call it by name for all writes; some read from others. It is what was asked for. True: addressed-by-name; balancing calls over all pods would break it.',
  causes: ['addressed-by-name'],
  defensible: { 'pick-first': 'possible' },
  always: true,
  states: ['not-load-balancing', 'skewed'],
  never: ['headless-round-robin', 'max-connection-age', 'l7-proxy', 'proxyless-xds'],
  lever: 'none',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 5);
    const all = stateful(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const first = random.pick(all).name;
    const reads = random.chance(0.4) ? random.between(0.05, 0.3) : 0;
    const callers = clients(random.integer(2, 10), where, random, rhythm(random, hardness, total)).map((client) => ({
      ...client,
      channels: [
        { policy: 'pick_first', dial: { to: 'pod', pod: first }, part: 1 - reads } as const,
        ...(reads > 0 ? [{ policy: 'round_robin', dial: headless('shuffled', 'watch'), part: reads } as const] : []),
      ],
    }));
    const service = { headless: true, statefulSet: true };
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), service });
  },
};

const keyHash: Family = {
  id: 'key-hash',
  words:
    'Clients hold a connection to every pod and choose by the hash of a key; some keys are hot. Connections are even, the load is not, and that on purpose. True: consistent-hash in the sense of clients that choose by key, as far as it can be told from outside; uneven calls over even connections, of which those to the pods of hot keys carry most. round_robin would break what the keys are for.',
  causes: [],
  defensible: {
    'consistent-hash': 'likely',
    'addressed-by-name': 'possible',
    'hot-client': 'possible',
    'hot-connection': 'likely',
  },
  always: true,
  alsoStates: ['not-load-balancing'],
  never: ['headless-round-robin', 'max-connection-age', 'l7-proxy', 'proxyless-xds'],
  lever: 'none',
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const shares = random.shuffle(zipf(count, random.between(0.8, 1.8)));
    const weights = Object.fromEntries(all.map(({ name }, at) => [name, (shares[at] ?? 0) * count]));
    const how = {
      ...rhythm(random, hardness, total),
      policy: 'weighted' as const,
      dial: headless('shuffled', 'watch'),
    };
    const callers = clients(random.integer(2, 8), where, random, how);
    const service = { headless: true };
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service,
      weights,
      weighting: 'client-hash',
    });
  },
};

export const directed: readonly Family[] = [pickFirst, pickFirstPools, scaleUp, even, shards, leader, keyHash];

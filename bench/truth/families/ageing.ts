/** Connections that end, streams that do not, and a past that differs from the present. */
import { callsPerPod, clients, nodes, plan, pods, rhythm, virtual, withRates } from '../build.ts';
import type { Family } from '../family.ts';
import { zipf } from '../random.ts';

const connectionPerCall: Family = {
  id: 'connection-per-call',
  words:
    'Each call opens a connection and closes it: every call is placed anew, so the load is even at any number of clients; a look at sockets shows hardly any. Right: balanced. True: connection-churn, as a finding beside it.',
  causes: ['connection-churn'],
  always: true,
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(2, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const how = { ...rhythm(random, hardness, total), policy: 'per_call' as const };
    const callers = clients(random.integer(1, 12), where, random, how);
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const shortAge: Family = {
  id: 'short-age',
  words:
    'The server ends connections after 10 to 120 seconds, and there are few: at any moment only some pods are used, other ones a while later. Each closed connection had carried many calls, and one opens as one closes. True: re-dealt, few-connections; connection-churn (a connection per call) is wrong, and so is advice to adopt the age that is there.',
  causes: ['few-connections', 're-dealt'],
  defensible: { chance: 'likely' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(4, 10);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(2, 2 * count), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -random.between(1500, 4000),
    });
    const ageSeconds = random.logBetween(10, 120);
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      ageSeconds,
      graceSeconds: 30,
    });
  },
};

const longAge: Family = {
  id: 'long-age',
  words:
    'The server ends connections after minutes or hours, and clients are many; the Service was scaled up within the last ages. New pods fill as connections end: after one age they have their part. Where less than an age has passed, the connections that are older than the young pods are true (new-pods-idle).',
  causes: ['new-pods-idle'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const from = random.integer(2, 5);
    const to = from + random.integer(1, 5);
    const ageSeconds = random.logBetween(600, 7200);
    const at = -ageSeconds * random.between(0.2, 3);
    const all = [...pods(from, where, random), ...pods(to - from, where, random, { startedAt: at, first: from })];
    const total = callsPerPod(random, hardness) * to;
    const callers = clients(to * random.integer(5, 15), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: at - 2 * ageSeconds,
    });
    const scalings = [{ at, from, to }];
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      ageSeconds,
      graceSeconds: 60,
      scalings,
    });
  },
};

const longStreams: Family = {
  id: 'long-streams',
  words:
    'Few streams that hardly ever end carry all messages. A stream stays on its connection, so no balancing per call moves it. True: long-streams; few-connections where there are few connections.',
  causes: ['long-streams'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 8);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const headless = random.chance(0.4);
    const dial = { to: 'headless', order: 'shuffled', resolve: 'on-break' } as const;
    const callers = clients(random.integer(2, count), where, random, {
      ...rhythm(random, hardness, total),
      ...(headless ? { policy: 'round_robin' as const, dial } : { dial: virtual }),
      streams: {
        perChannel: random.integer(1, 2),
        meanSeconds: random.chance(0.5) ? Infinity : random.logBetween(7200, 86_400),
      },
    });
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless },
    });
  },
};

const draining: Family = {
  id: 'draining',
  words:
    'The server has a connection age and no grace, and streams last longer than the age: connections that were told to go away stay ESTABLISHED as long as a stream holds them, and still carry it. True: draining, long-streams; the age does not deal the streams anew.',
  causes: ['draining', 'long-streams'],
  always: true,
  defensible: { 'few-connections': 'likely', chance: 'likely', 're-dealt': 'possible', 'connection-leak': 'possible' },
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 6);
    const all = pods(count, where, random);
    const total = callsPerPod(random, hardness) * count;
    const ageSeconds = random.logBetween(60, 600);
    const callers = clients(random.integer(2, 8), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -8 * ageSeconds,
      streams: { perChannel: random.integer(2, 6), meanSeconds: ageSeconds * random.between(1.5, 5) },
    });
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total), ageSeconds });
  },
};

const firstSync: Family = {
  id: 'first-sync',
  words:
    'Each client loads everything when it connects and asks little afterwards; the pods were started at different times and the clients, which reach all of them by round_robin, with them. Bytes since the connections began say only who is young. Right: balanced by what is called now.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 7);
    const old = random.integer(1, count - 1);
    const at = -random.logBetween(300, 3600);
    const all = [...pods(old, where, random), ...pods(count - old, where, random, { startedAt: at, first: old })];
    const total = callsPerPod(random, hardness) * count;
    const dial = { to: 'headless', order: 'shuffled', resolve: 'watch' } as const;
    const callers = clients(random.integer(2, 10), where, random, {
      ...rhythm(random, hardness, total),
      ...{ policy: 'round_robin', dial, startedAt: at - random.between(500, 5000) },
      former: { until: at - random.between(1, 400), factor: random.between(5, 60) },
    });
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total),
      service: { headless: true },
    });
  },
};

const fallingLoad: Family = {
  id: 'falling-load',
  words:
    'The load was many times higher some time ago; then it fell, and the Service was scaled up or its clients restarted afterwards, so that connections are spread over all pods. Ages that are reckoned from lifetime over present rate come out far too long. Right: balanced, or few-connections where they are few; new-pods-idle is wrong where the clients connected after the pods were there.',
  causes: ['few-connections'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const count = random.integer(3, 7);
    const all = pods(count, where, random, { startedAt: -random.between(4000, 20_000) });
    const total = callsPerPod(random, hardness) * count;
    const callers = clients(random.integer(count, 8 * count), where, random, {
      ...rhythm(random, hardness, total),
      startedAt: -random.between(1500, 3500),
      former: { until: -random.between(60, 1200), factor: random.between(4, 40) },
    });
    return plan(random, hardness, { nodes: where, pods: all, clients: withRates(callers, total) });
  },
};

const afterTheFix: Family = {
  id: 'after-the-fix',
  words:
    'For hours few connections sat on few pods; a minute or some ago the clients were replaced by ones that balance by round_robin over a headless Service. Every pod now serves its part, while counters since the pods began still tell of the past. Right: balanced; what was is history.',
  causes: [],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 4));
    const old = random.integer(2, 4);
    const count = old + random.integer(2, 6);
    const since = -random.logBetween(30, 900);
    const early = pods(old, where, random, { startedAt: since - 12_000 });
    const all = [...early, ...pods(count - old, where, random, { startedAt: since - 2000, first: old })];
    const total = callsPerPod(random, hardness) * count;
    const how = rhythm(random, hardness, total);
    const before = clients(random.integer(2, 5), where, random, { ...how, startedAt: since - 11_000, endsAt: since });
    const dial = { to: 'headless', order: 'shuffled', resolve: 'on-break' } as const;
    const after = clients(before.length, where, random, {
      ...how,
      startedAt: since,
      first: 50,
      policy: 'round_robin',
      dial,
    });
    const callers = [...withRates(before, total), ...withRates(after, total)];
    return plan(random, hardness, { nodes: where, pods: all, clients: callers, service: { headless: true } });
  },
};

const fewCalls: Family = {
  id: 'few-calls',
  words:
    'An evenly served Service with hardly any calls: one to a dozen in the window, over connections to every pod, some of them heavy in bytes. Nobody can see that it is uneven, because it is not. Right: balanced, or unknown; never skewed, and no client is hot.',
  causes: [],
  alsoStates: ['unknown'],
  plan(random, hardness) {
    const where = nodes(random.integer(1, 3));
    const count = random.integer(2, 8);
    const all = pods(count, where, random, { startedAt: -random.logBetween(600, 90_000) });
    const total = random.logBetween(0.1, 3);
    const dial = { to: 'headless', order: 'shuffled', resolve: 'watch' } as const;
    const how = {
      ...rhythm(random, hardness, total),
      startedAt: -random.between(200, 500),
      policy: 'round_robin' as const,
      dial,
    };
    const callers = clients(random.integer(1, 6), where, random, how);
    const parts = random.chance(0.5) ? zipf(callers.length, 1) : undefined;
    return plan(random, hardness, {
      nodes: where,
      pods: all,
      clients: withRates(callers, total, parts),
      service: { headless: true },
    });
  },
};

export const ageing: readonly Family[] = [
  ...[connectionPerCall, shortAge, longAge, longStreams, draining],
  ...[firstSync, fallingLoad, afterTheFix, fewCalls],
];

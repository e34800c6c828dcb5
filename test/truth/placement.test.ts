/** The simulator's placement against closed forms and against the rules of kube-proxy, DNS and gRPC. */
import { describe, expect, it } from 'vitest';
import { clients, nodes, plan, pods } from '../../bench/truth/build.ts';
import { atRandom, effectiveWeights, loadsOf, partsAt, spreadOf } from '../../bench/truth/load.ts';
import type { ClientPlan, Plan, PodPlan, ServicePlan } from '../../bench/truth/plan.ts';
import { seeded } from '../../bench/truth/random.ts';
import { simulate } from '../../bench/truth/simulate.ts';

const random = seeded('placement');

/** Each client with one connection through the virtual address, all pods long Ready. */
function planOf(count: number, connections: number, service: Partial<ServicePlan> = {}, where = nodes(1)): Plan {
  const callers = clients(connections, where, random, { startedAt: -100 });
  return plan(random, 0, { nodes: where, pods: pods(count, where, random), clients: callers, service });
}

function countsOf(made: Plan, seed: string): number[] {
  const world = simulate(made, seed);
  world.runUntil(0);
  return made.pods.map(
    (pod) => world.channels.filter(({ connections }) => connections.some((one) => one.pod === pod)).length,
  );
}

const sumOfSquares = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count * count, 0);

/** Part of `draws` placements for which it holds. */
function frequency(made: Plan, draws: number, holds: (counts: readonly number[]) => boolean): number {
  let found = 0;
  for (let draw = 0; draw < draws; draw++) if (holds(countsOf(made, `draw-${draw}`))) found++;
  return found / draws;
}

/** Four standard errors of a frequency. */
const within = (probability: number, draws: number) => 4 * Math.sqrt((probability * (1 - probability)) / draws);

describe('random placement', () => {
  // Exact values: at least as uneven as these counts, by the sum of squares.
  it.each([
    { connections: 4, count: 10, counts: [2, 1, 1], probability: 0.496 },
    { connections: 10, count: 4, counts: [5, 3, 2, 0], probability: 0.1669 },
  ])(
    'of $connections connections on $count pods is as uneven as $counts with probability $probability',
    ({ connections, count, counts, probability }) => {
      const draws = 2000;
      const least = sumOfSquares(counts);
      const found = frequency(planOf(count, connections), draws, (placed) => sumOfSquares(placed) >= least);
      expect(Math.abs(found - probability)).toBeLessThanOrEqual(within(probability, draws) + 1e-4);
    },
  );

  it('never puts 20 connections on three of ten pods', () => {
    expect(frequency(planOf(10, 20), 1000, (counts) => sumOfSquares(counts) >= 7 * 7 + 7 * 7 + 6 * 6)).toBe(0);
  });

  it('leaves seven of ten pods without one of four connections with probability (1 − 7/10)^4', () => {
    const draws = 4000;
    const found = frequency(planOf(10, 4), draws, (counts) => counts.slice(3).every((count) => count === 0));
    expect(Math.abs(found - 0.0081)).toBeLessThanOrEqual(within(0.0081, draws));
  });

  it.each([
    [4, 10, 1],
    [40, 10, 1],
    [12, 5, 3],
  ])('of %i connections on %i pods has the mean of P·Ce ÷ (Ce + P − 1)', (connections, count, heaviest) => {
    const made = planOf(count, connections);
    const weighted = made.clients.map((client, at) => ({ ...client, rate: at === 0 ? heaviest : 1 }));
    const draws = 800;
    const squares = Array.from({ length: draws }, (_, draw) => {
      const world = simulate({ ...made, clients: weighted }, `mean-${draw}`);
      world.runUntil(0);
      return 1 / spreadOf(loadsOf(partsAt(world, 0), made.pods)).effective;
    });
    const mean = squares.reduce((sum, one) => sum + one, 0) / draws;
    const variance = squares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (draws - 1);
    // The mean of Σ share² is exactly the inverse of the closed form.
    const expected = 1 / atRandom(effectiveWeights(weighted.map(({ rate }) => rate)), count);
    expect(Math.abs(mean - expected)).toBeLessThanOrEqual(4 * Math.sqrt(variance / draws));
  });

  it('knows how many connections unequal weights are worth', () => {
    expect(effectiveWeights([1, 1, 1, 1])).toBeCloseTo(4);
    expect(effectiveWeights([3, 1])).toBeCloseTo(1.6);
    expect([4, 40, 100].map((connections) => Number(atRandom(connections, 10).toFixed(1)))).toEqual([3.1, 8.2, 9.2]);
  });
});

describe('rules of kube-proxy', () => {
  const spread = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts);

  it('in IPVS deals connections of one node in turn', () => {
    const counts = countsOf(planOf(4, 22, { proxy: 'ipvs-rr' }), 'ipvs');
    expect([spread(counts), counts.reduce((sum, count) => sum + count, 0)]).toEqual([1, 22]);
  });

  const inChannels = (made: Plan, channels: number): Plan => ({
    ...made,
    clients: made.clients.map((client): ClientPlan => {
      const [how] = client.channels;
      return how === undefined
        ? client
        : { ...client, channels: Array.from({ length: channels }, () => ({ ...how, part: 1 / channels })) };
    }),
  });
  const podsOf = (made: Plan, seed: string) => {
    const world = simulate(made, seed);
    world.runUntil(0);
    return made.clients.map((client) => {
      const own = world.channels.filter((channel) => channel.client === client);
      return new Set(own.flatMap(({ connections }) => connections.map(({ pod }) => pod))).size;
    });
  };

  it('under affinity leads all connections of an address to one pod, and without it does not', () => {
    expect(podsOf(inChannels(planOf(5, 6, { affinity: true }), 8), 'affinity')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(Math.min(...podsOf(inChannels(planOf(5, 6), 8), 'affinity'))).toBeGreaterThan(1);
  });

  it('leaves what affinity placed where it is when affinity ends', () => {
    expect(podsOf(inChannels(planOf(5, 4, { affinityUntil: -10 }), 8), 'left')).toEqual([1, 1, 1, 1]);
    expect(Math.min(...podsOf(inChannels(planOf(5, 4, { affinityUntil: -200 }), 8), 'left'))).toBeGreaterThan(1);
  });

  const reached = (made: Plan, seed: string): { client: ClientPlan; pods: readonly PodPlan[] }[] => {
    const world = simulate(made, seed);
    world.runUntil(0);
    return world.channels.map(({ client, connections }) => ({ client, pods: connections.map(({ pod }) => pod) }));
  };

  it('under internalTrafficPolicy Local keeps to the node, and reaches nothing where no pod is', () => {
    const where = nodes(3);
    const made = planOf(4, 30, { internalLocal: true }, where);
    const bare = made.pods.map((pod, at) => ({ ...pod, node: at < 3 ? 'n1' : 'n2' }));
    const found = reached({ ...made, pods: bare }, 'local');
    const lost = found.filter(({ client }) => client.node === 'n3');
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.flatMap(({ pods: all }) => all)).toEqual([]);
    const others = found.filter(({ client }) => client.node !== 'n3');
    expect(others.every(({ client, pods: all }) => all.length === 1 && all[0]?.node === client.node)).toBe(true);
  });

  it('with hints keeps to the zone where it has a pod, and goes anywhere where it has none', () => {
    const where = nodes(3, 3);
    const made = planOf(4, 60, { near: 'PreferSameZone' }, where);
    const two = made.pods.map((pod, at) => ({ ...pod, node: at < 2 ? 'n1' : 'n2' }));
    const found = reached({ ...made, pods: two }, 'zones');
    const nodesOf = (node: string) =>
      new Set(
        found.filter(({ client }) => client.node === node).flatMap(({ pods: all }) => all.map((pod) => pod.node)),
      );
    expect([nodesOf('n1'), nodesOf('n2'), nodesOf('n3')]).toEqual([
      new Set(['n1']),
      new Set(['n2']),
      new Set(['n1', 'n2']),
    ]);
  });

  it('with rules that stand still knows no later pods', () => {
    const made = planOf(4, 40, { staleNodes: { n1: -500 } });
    const late = made.pods.map((pod, at) => (at < 2 ? pod : { ...pod, startedAt: -300, readyAt: -290 }));
    const counts = countsOf({ ...made, pods: late }, 'stale');
    expect(counts.slice(2)).toEqual([0, 0]);
    expect(
      Math.min(...countsOf({ ...made, pods: late, service: { ...made.service, staleNodes: {} } }, 'stale').slice(2)),
    ).toBeGreaterThan(0);
  });

  it('of a load balancer under Local gives each node its part, however many pods it has', () => {
    const where = nodes(2);
    const all = pods(5, where, random).map((pod, at) => ({ ...pod, node: at < 4 ? 'n1' : 'n2' }));
    const callers = clients(400, where, random, { startedAt: -100, outside: true });
    const service = { type: 'LoadBalancer' as const, externalLocal: true };
    const counts = countsOf(plan(random, 0, { nodes: where, pods: all, clients: callers, service }), 'nodes');
    // Half of them on the lone pod: 200, give or take four standard deviations.
    expect(Math.abs((counts[4] ?? 0) - 200)).toBeLessThanOrEqual(40);
  });

  it('refuses a pod at which nothing listens', () => {
    const made = planOf(3, 30);
    const deaf = made.pods.map((pod, at) => (at === 0 ? { ...pod, deaf: true } : pod));
    const counts = countsOf({ ...made, pods: deaf }, 'deaf');
    expect([counts[0], counts.reduce((sum, count) => sum + count, 0)]).toEqual([0, 30]);
  });
});

describe('clients of a headless Service', () => {
  const headless = (
    policy: 'pick_first' | 'round_robin',
    dial: ClientPlan['channels'][number]['dial'],
    late: boolean,
  ): Plan => {
    const where = nodes(1);
    const old = pods(3, where, random);
    const young = pods(3, where, random, { startedAt: -200, first: 3 });
    const callers = clients(5, where, random, { startedAt: -1000, policy, dial });
    return plan(random, 0, {
      nodes: where,
      pods: late ? [...old, ...young] : old,
      clients: callers,
      service: { headless: true },
    });
  };
  const onBreak = { to: 'headless', order: 'shuffled', resolve: 'on-break' } as const;

  it('hold one connection without a policy, the nearest address first where answers are sorted', () => {
    const sorted = countsOf(headless('pick_first', { ...onBreak, order: 'sorted' }, false), 'sorted');
    expect([...sorted].sort()).toEqual([0, 0, 5]);
    expect(countsOf(headless('pick_first', onBreak, false), 'shuffled').reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  it('hold one to each pod with round_robin, to later ones only where they ask DNS again', () => {
    expect(countsOf(headless('round_robin', onBreak, true), 'break')).toEqual([5, 5, 5, 0, 0, 0]);
    for (const resolve of ['poll', 'watch'] as const) {
      expect(countsOf(headless('round_robin', { ...onBreak, resolve }, true), resolve)).toEqual([5, 5, 5, 5, 5, 5]);
    }
  });

  it('learn of later pods when a connection breaks or comes of age', () => {
    const made = headless('round_robin', onBreak, true);
    expect(countsOf({ ...made, breaks: [-100] }, 'broken')).toEqual([5, 5, 5, 5, 5, 5]);
    expect(countsOf({ ...made, ageSeconds: 60 }, 'aged')).toEqual([5, 5, 5, 5, 5, 5]);
  });
});

describe('connections that come of age', () => {
  it('are closed and opened again at the rate of connections ÷ age', () => {
    const made = { ...planOf(5, 40), ageSeconds: 20 };
    const world = simulate(
      { ...made, clients: made.clients.map((client) => ({ ...client, startedAt: -2000 })) },
      'ages',
    );
    world.runUntil(0);
    const opened = world.channels.flatMap(({ connections }) => connections.map(({ openedAt }) => openedAt));
    expect(opened.length).toBe(40);
    // All are younger than the longest age, and their ages are spread over it.
    expect(Math.min(...opened)).toBeGreaterThanOrEqual(-22);
    const mean = opened.reduce((sum, at) => sum - at, 0) / opened.length;
    expect(Math.abs(mean - 10)).toBeLessThan(4);
  });
});

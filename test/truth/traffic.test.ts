/** What the simulator counts: no call is lost or made up, and counts follow the load that is called true. */
import { describe, expect, it } from 'vitest';
import { families } from '../../bench/truth/families/all.ts';
import { loadsOf, spreadOf } from '../../bench/truth/load.ts';
import { sceneOf } from '../../bench/truth/mechanisms.ts';
import type { Plan } from '../../bench/truth/plan.ts';
import { openAgenda } from '../../bench/truth/queue.ts';
import { seeded, zipf } from '../../bench/truth/random.ts';
import { expectedCalls } from '../../bench/truth/rates.ts';
import { simulate } from '../../bench/truth/simulate.ts';

describe('draws', () => {
  it.each([0.3, 5, 11.9, 12, 40, 3000])('of a Poisson count of mean %d have that mean and variance', (mean) => {
    const random = seeded(`poisson-${mean}`);
    const draws = 20_000;
    const counts = Array.from({ length: draws }, () => random.poisson(mean));
    const found = counts.reduce((sum, count) => sum + count, 0) / draws;
    const variance = counts.reduce((sum, count) => sum + (count - found) ** 2, 0) / (draws - 1);
    expect(Math.abs(found - mean)).toBeLessThanOrEqual(4 * Math.sqrt(mean / draws));
    // The variance of a sample variance of Poisson counts is about (2m² + m) ÷ n.
    expect(Math.abs(variance - mean)).toBeLessThanOrEqual(4 * Math.sqrt((2 * mean * mean + mean) / draws));
  });

  it('are uniform, and repeat by seed alone', () => {
    const some = (seed: string) => {
      const random = seeded(seed);
      return Array.from({ length: 2000 }, () => random.integer(1, 4));
    };
    expect(some('a')).toEqual(some('a'));
    expect(some('a')).not.toEqual(some('b'));
    const counts = [1, 2, 3, 4].map((face) => some('a').filter((one) => one === face).length);
    // Chi-square of three degrees of freedom: 16.3 in one of a thousand.
    expect(counts.reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0)).toBeLessThan(16.3);
  });

  it('by rank fall as the power of the rank', () => {
    const shares = zipf(4, 1);
    for (const [at, share] of shares.entries()) expect(share).toBeCloseTo(12 / 25 / (at + 1), 10);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });
});

it('the agenda runs by time, and what is due together in the order in which it was planned', () => {
  const agenda = openAgenda();
  const random = seeded('agenda');
  const ran: number[] = [];
  const times = Array.from({ length: 500 }, () => random.integer(0, 50));
  for (const [at, time] of times.entries()) agenda.add(time, () => ran.push(time * 1000 + at));
  agenda.add(51, () => agenda.add(10, (now) => ran.push(now * 1e6)));
  agenda.runUntil(60);
  expect(ran.slice(0, -1)).toEqual([...ran.slice(0, -1)].sort((a, b) => a - b));
  expect([ran.length, ran.at(-1)]).toEqual([501, 10e6]);
});

it('bursts keep the rate, and a former rate ends when it should', () => {
  const [client] = simulate(families[0]?.plan(seeded('rates'), 0) as Plan, 'rates').plan.clients;
  if (client === undefined) throw new Error('no client');
  const plain = { ...client, rate: 3 };
  const burst = { ...plain, burst: { periodSeconds: 7, duty: 0.3 } };
  expect(expectedCalls(burst, 0.4, -7000, 0)).toBeCloseTo(21_000, 6);
  // Of each period 0.3 are busy: one second of 7 lies in or out.
  expect(expectedCalls(burst, 0, 0, 1)).toBeCloseTo(10, 6);
  expect(expectedCalls(burst, 0, 3, 4)).toBeCloseTo(0, 6);
  expect(expectedCalls({ ...plain, former: { until: -10, factor: 5 } }, 0, -20, 10)).toBeCloseTo(3 * (50 + 20), 6);
});

const one = (id: string, hardness: number): Plan => {
  const family = families.find((entry) => entry.id === id);
  if (family === undefined) throw new Error(`no family ${id}`);
  return family.plan(seeded(`traffic/${id}`), hardness);
};

it.each(families.map(({ id }) => id))('%s: every call that was made is counted by one pod, or was lost', (id) => {
  const made = one(id, 0.6);
  const world = simulate(made, `conservation/${id}`);
  world.runUntil(5);
  world.settleAll(5);
  const called = world.channels.reduce((sum, channel) => sum + channel.made - channel.lost, 0);
  const hasStreams = made.clients.some(({ streams }) => streams !== undefined);
  const served = [...world.traffic.work.values()].reduce(
    (sum, work) => sum + (hasStreams ? work.messages : work.calls),
    0,
  );
  expect(served).toBe(called);
  // Those of connections that are open are a part of it.
  const open = world.channels.flatMap(({ connections }) => connections);
  expect(open.reduce((sum, { calls }) => sum + calls, 0)).toBeLessThanOrEqual(served);
  expect(open.every(({ calls, bytesIn, segmentsIn }) => bytesIn >= calls && segmentsIn > 0)).toBe(true);
});

it.each([
  'few-connections',
  'zipf-clients',
  'session-affinity',
  'internal-local',
  'headless-scale-up',
  'shards',
  'weighted-route',
  'key-hash',
  'connection-per-call',
  'long-streams',
])('%s: what pods count over an hour comes to the load that is called true', (id) => {
  const made = one(id, 0.3);
  const clients = made.clients.map(({ streams, ...client }) => ({
    ...client,
    ...(streams === undefined ? {} : { streams: { ...streams, meanSeconds: Infinity } }),
  }));
  const world = simulate({ ...made, clients }, `load/${id}`);
  world.runUntil(0);
  world.settleAll(0);
  const { pods, shares } = sceneOf(world, 0);
  const count = () =>
    pods.map((pod) => (world.traffic.work.get(pod)?.calls ?? 0) + (world.traffic.work.get(pod)?.messages ?? 0));
  const before = count();
  world.runUntil(3600);
  world.settleAll(3600);
  const counted = spreadOf(count().map((total, at) => total - (before[at] ?? 0)));
  expect(counted.total).toBeGreaterThan(5000);
  for (const [at, share] of counted.shares.entries()) expect(Math.abs(share - (shares[at] ?? 0))).toBeLessThan(0.03);
});

it('figures of a load are those of the definitions', () => {
  const { effective, peak, idle, total } = spreadOf([2, 1, 1, 0]);
  expect([effective, peak, idle, total]).toEqual([1 / (0.25 + 0.0625 + 0.0625), 2, [3], 4]);
  // One of four is idle below a part in 80: 1 of 91 is, 1 of 61 is not.
  expect([spreadOf([30, 30, 30, 1]).idle, spreadOf([20, 20, 20, 1]).idle]).toEqual([[3], []]);
  const world = simulate(one('no-traffic', 0), 'none');
  world.runUntil(0);
  expect(loadsOf(sceneOf(world, 0).parts, world.placement.ready(0)).every((load) => load === 0)).toBe(true);
});

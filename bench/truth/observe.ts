/** The looks at a world: who is asked when, and the counters as they stand at that moment. */

import { type Scene, sceneOf } from './mechanisms.ts';
import { accepts } from './placement.ts';
import type { Plan, PodPlan } from './plan.ts';
import { type Random, seeded } from './random.ts';
import { simulate, type World } from './simulate.ts';
import type { Connection, Work } from './traffic.ts';

/** A connection as a socket table shows it. */
export type SeenSocket = Omit<Connection, 'channel' | 'pod' | 'streams' | 'draining' | 'leaked' | 'closedAt'>;

export interface PodLook {
  readonly pod: PodPlan;
  readonly sample: 1 | 2;
  readonly at: number;
  readonly sockets: readonly SeenSocket[];
  readonly work: Work;
  readonly openStreams: number;
  /** Of calls that open a connection each: how many end at the server a second. */
  readonly opensPerSecond: number;
}

export interface Observation {
  readonly world: World;
  readonly plan: Plan;
  readonly looks: readonly PodLook[];
  /** CPU that each pod used in the window of the metrics API, in millicores; absent where it did not live through it. */
  readonly cpu: ReadonlyMap<PodPlan, number>;
  /** When somebody began to look. */
  readonly begins: number;
  /** The last look. */
  readonly endsAt: number;
  /** Who is connected to whom at the beginning, in the middle and at the end of the window. */
  readonly scenes: readonly Scene[];
}

/** Runs a plan up to a look at it, which begins at that time: 0, or a while later for another look at the same world. */
export function observe(plan: Plan, seed: string, begins = 0): Observation {
  const world = simulate(plan, seed);
  const random = seeded(`${seed}/look-${begins}`);
  const { sees } = plan;
  const alive = plan.pods.filter((pod) => pod.startedAt <= 0 && (pod.goneAt ?? Infinity) > 0);
  const cpu = lookAtUsage(world, alive, seed, begins);
  const spread = Math.min(0.4 + 0.02 * alive.length, 2.5);
  const moments = alive
    .flatMap((pod) => {
      const first = begins + random.between(0.2, spread);
      const second = first + sees.windowSeconds * random.between(1, 1.06) + random.between(0, 0.2);
      return [
        { pod, sample: 1 as const, at: first },
        { pod, sample: 2 as const, at: second },
      ];
    })
    .sort((a, b) => a.at - b.at);
  const ends = moments.at(-1)?.at ?? 0;
  const scenes: Scene[] = [];
  const looks = moments.flatMap(({ pod, sample, at }, index): PodLook[] => {
    const due = [begins + 0.3, (begins + ends) / 2].filter((moment) => moment <= at);
    for (const moment of due.slice(scenes.length)) {
      world.runUntil(moment);
      scenes.push(sceneOf(world, moment));
    }
    world.runUntil(at);
    if (index === moments.length - 1) scenes.push(sceneOf(world, at));
    if ((pod.goneAt ?? Infinity) <= at) return [];
    world.settleAll(at);
    const perCall = opensPerSecond(world, pod, at);
    const held = world.channels.flatMap((channel) => channel.connections.filter((one) => one.pod === pod));
    const openStreams = held.reduce((sum, { streams }) => sum + streams, 0);
    const sockets = held.map(
      ({ channel: _channel, pod: _pod, streams: _s, draining: _d, leaked: _l, closedAt: _c, ...seen }) => seen,
    );
    const work = world.traffic.work.get(pod) ?? { calls: 0, messages: 0, cpuMs: 0 };
    const own = random.child(`${pod.name}-${sample}`);
    const brief = [...briefSockets(world, pod, at, perCall, own), ...probeSockets(world, pod, at, own)];
    return [
      { pod, sample, at, sockets: [...sockets, ...brief], work: { ...work }, openStreams, opensPerSecond: perCall },
    ];
  });
  return { world, plan, looks, cpu, begins, endsAt: ends, scenes };
}

function lookAtUsage(world: World, pods: readonly PodPlan[], seed: string, begins: number): Map<PodPlan, number> {
  const { plan } = world;
  const used = new Map<PodPlan, number>();
  if (plan.sees.usage === null) return used;
  const { ageSeconds, windowSeconds } = plan.sees.usage;
  const random = seeded(`${seed}/usage-${begins}`);
  const read = (at: number) => {
    world.runUntil(at);
    world.settleAll(at);
    return new Map(pods.map((pod) => [pod, world.traffic.work.get(pod)?.cpuMs ?? 0]));
  };
  const before = read(begins - ageSeconds - windowSeconds);
  const after = read(begins - ageSeconds);
  for (const pod of pods) {
    // The metrics API leaves out pods that are too young for a whole window.
    if (pod.startedAt > begins - ageSeconds - windowSeconds - 5 || plan.sees.usageMissing.includes(pod.name)) continue;
    const millicores = ((after.get(pod) ?? 0) - (before.get(pod) ?? 0)) / windowSeconds;
    const base = pod.baseMillicores ?? 2;
    const limit = pod.cpuLimitMillicores ?? Infinity;
    used.set(pod, Math.min(limit, base * random.between(0.7, 1.3) + millicores * Math.exp(0.04 * random.normal())));
  }
  return used;
}

/** Connections that live for one call: a few milliseconds each. */
const holdSeconds = 0.03;

function opensPerSecond({ channels, placement }: World, pod: PodPlan, at: number): number {
  return channels.reduce((sum, { client, plan }) => {
    if (plan.policy !== 'per_call' || client.startedAt > at) return sum;
    const pods = placement.eligible(client, at).filter((one) => accepts(one, at));
    return pods.includes(pod) ? sum + (client.rate * plan.part) / pods.length : sum;
  }, 0);
}

function briefSockets({ channels }: World, pod: PodPlan, at: number, rate: number, random: Random): SeenSocket[] {
  const clients = channels.filter(({ plan }) => plan.policy === 'per_call').map(({ client }) => client);
  if (clients.length === 0 || !accepts(pod, at)) return [];
  return Array.from({ length: random.poisson(rate * holdSeconds) }, () => {
    const client = random.pick(clients);
    return {
      ...{
        openedAt: at - random.between(0, holdSeconds),
        peerAddress: client.address,
        peerPort: random.integer(32_768, 60_999),
      },
      ...{
        calls: 1,
        bytesIn: Math.round(client.requestBytes) + 235,
        bytesOut: 75,
        segmentsIn: 5,
        segmentsOut: 3,
        queued: 0,
        lastAt: at - 0.005,
      },
    };
  });
}

/** How often a look meets a probe of the kubelet, which comes from the node and asks for health once. */
const probeChance = 0.04;

function probeSockets({ plan }: World, pod: PodPlan, at: number, random: Random): SeenSocket[] {
  const node = plan.nodes.find(({ name }) => name === pod.node);
  if (node === undefined || !accepts(pod, at) || !random.chance(probeChance)) return [];
  return [
    {
      ...{ openedAt: at - 0.003, peerAddress: node.address, peerPort: random.integer(32_768, 60_999), calls: 0 },
      ...{ bytesIn: 240, bytesOut: 70, segmentsIn: 4, segmentsOut: 3, queued: 0, lastAt: at - 0.002 },
    },
  ];
}

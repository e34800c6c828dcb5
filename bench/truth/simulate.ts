/** What happens in a situation, event by event, from its first pod to the last look. */

import { accepts, openPlacement, type Placement } from './placement.ts';
import type { ChannelPlan, ClientPlan, Plan, PodPlan } from './plan.ts';
import { openAgenda } from './queue.ts';
import { type Random, seeded } from './random.ts';
import { type Channel, type Connection, handshake, openTraffic, type Traffic } from './traffic.ts';

export interface World {
  readonly plan: Plan;
  readonly placement: Placement;
  readonly traffic: Traffic;
  readonly channels: readonly Channel[];
  readonly random: Random;
  /** Lets time pass. */
  runUntil(at: number): void;
  /** Brings all counters up to that time, which must have been reached. */
  settleAll(at: number): void;
}

/** Resolvers of gRPC ask DNS again at most so often. */
const resolveSeconds = 30;

export function simulate(plan: Plan, seed: string): World {
  const random = seeded(seed);
  const agenda = openAgenda();
  const placement = openPlacement(plan);
  const traffic = openTraffic(plan);
  const channels: Channel[] = [];
  let port = 32768 + random.integer(0, 9999);

  const open = (channel: Channel, pod: PodPlan, at: number, peerAddress: string, leaked = false): Connection => {
    port = port >= 60_900 ? 32_768 : port + 1 + (port % 3);
    const connection: Connection = {
      ...{
        channel,
        pod,
        openedAt: at,
        peerAddress,
        peerPort: port,
        streams: 0,
        draining: false,
        leaked,
        closedAt: Infinity,
      },
      ...{ calls: 0, queued: 0, lastAt: at, ...handshake },
    };
    channel.connections.push(connection);
    const age = plan.ageSeconds * channel.random.between(0.9, 1.1);
    if (!leaked) agenda.add(at + age, (now) => expire(connection, now));
    return connection;
  };
  const close = (connection: Connection, at: number) => {
    if (connection.closedAt < Infinity) return;
    traffic.settle(connection.channel, at);
    connection.closedAt = at;
    connection.channel.connections = connection.channel.connections.filter((other) => other !== connection);
    for (const stream of connection.channel.streams) if (stream.on === connection) stream.on = null;
  };
  const isOver = (client: ClientPlan, at: number) => at >= (client.endsAt ?? Infinity);

  /** MaxConnectionAge: the client is told to go away; streams keep the old connection, for the grace at most. */
  const expire = (connection: Connection, at: number) => {
    if (connection.closedAt < Infinity) return;
    const { channel } = connection;
    traffic.settle(channel, at);
    connection.draining = true;
    if (connection.streams === 0) close(connection, at);
    else agenda.add(at + plan.graceSeconds, (now) => breakOne(connection, now));
    agenda.add(at + 0.02, (now) => connect(channel, now));
  };
  const breakOne = (connection: Connection, at: number) => {
    if (connection.closedAt < Infinity) return;
    const { channel } = connection;
    close(connection, at);
    agenda.add(at + channel.random.between(0.05, 1), (now) => connect(channel, now));
  };

  const answer = (channel: Channel, at: number): readonly PodPlan[] => {
    const pods = placement.ready(at - 1);
    const { dial } = channel.plan;
    return dial.to === 'headless' && dial.order === 'sorted'
      ? [...pods].sort(
          (a, b) => distance(channel.client.address, a.address) - distance(channel.client.address, b.address),
        )
      : channel.random.shuffle(pods);
  };
  const isUsable = (connection: Connection) =>
    !connection.draining && !connection.leaked && connection.closedAt === Infinity;
  /** Opens what the channel lacks, drops what DNS no longer names, and gives its streams a connection. */
  const connect = (channel: Channel, at: number) => {
    const { policy, dial } = channel.plan;
    if (isOver(channel.client, at) || policy === 'per_call') return;
    traffic.settle(channel, at);
    const spreads = policy === 'round_robin' || policy === 'weighted';
    if (spreads && dial.to === 'headless') connectAll(channel, at);
    else if (!channel.connections.some(isUsable)) connectOne(channel, at);
    // Back-off of gRPC: from a second to two minutes.
    const isUp = channel.connections.some(isUsable);
    channel.failures = isUp ? 0 : channel.failures + 1;
    if (!isUp) connectLater(channel, at + Math.min(1.6 ** channel.failures, 120) * channel.random.between(0.8, 1.2));
    for (const stream of channel.streams) if (stream.on === null) startStream(channel, stream);
  };
  const connectOne = (channel: Channel, at: number) => {
    const { client, plan: how } = channel;
    if (how.dial.to === 'headless') {
      const pod = answer(channel, at).find((one) => accepts(one, at));
      if (pod !== undefined) open(channel, pod, at, client.address);
      return;
    }
    const found = how.dial.to === 'pod' ? named(how.dial.pod, client, at) : placed(channel, at);
    if (found !== null) open(channel, found.pod, at, found.peer);
  };
  const connectAll = (channel: Channel, at: number) => {
    resolve(channel, at);
    for (const connection of channel.connections.filter(isUsable)) {
      if (!channel.known.includes(connection.pod)) close(connection, at);
    }
    const held = new Set(channel.connections.filter(isUsable).map(({ pod }) => pod));
    for (const pod of channel.known) {
      if (!held.has(pod) && accepts(pod, at)) open(channel, pod, at, channel.client.address);
    }
    // A subchannel that cannot connect asks for another answer.
    if (channel.known.some((pod) => !accepts(pod, at))) connectLater(channel, at + resolveSeconds);
  };
  const resolve = (channel: Channel, at: number) => {
    if (at - channel.resolvedAt >= resolveSeconds) {
      channel.known = answer(channel, at);
      channel.resolvedAt = at;
    } else {
      connectLater(channel, channel.resolvedAt + resolveSeconds);
    }
  };
  /** At most one attempt waits for its time. */
  const connectLater = (channel: Channel, at: number) => {
    if (channel.waitsUntil < Infinity) return;
    channel.waitsUntil = at;
    agenda.add(at, (now) => {
      channel.waitsUntil = Infinity;
      connect(channel, now);
    });
  };
  const named = (name: string, client: ClientPlan, at: number) => {
    const pod = plan.pods.find((one) => one.name === name && accepts(one, at));
    return pod === undefined ? null : { pod, peer: client.address };
  };
  const placed = (channel: Channel, at: number) => {
    const { client } = channel;
    const found = placement.place(client, at, channel.random);
    if (found === null || !accepts(found.pod, at)) return null;
    // Traffic from outside is given a node's address unless the policy keeps the client's.
    const entry = plan.nodes.find(({ name }) => name === found.node)?.address ?? client.address;
    const keeps = client.outside !== true || plan.service.externalLocal;
    return { pod: found.pod, peer: keeps ? client.address : entry };
  };

  const startStream = (channel: Channel, stream: { on: Connection | null }) => {
    const usable = channel.connections.filter(isUsable);
    const on = usable[channel.turn++ % Math.max(usable.length, 1)];
    if (on === undefined) return;
    on.streams++;
    stream.on = on;
    const done = traffic.work.get(on.pod);
    if (done !== undefined) done.calls++;
    const life = channel.random.exponential(channel.client.streams?.meanSeconds ?? Infinity);
    agenda.add(channel.settledAt + life, (now) => {
      if (stream.on !== on || isOver(channel.client, now)) return;
      traffic.settle(channel, now);
      on.streams--;
      stream.on = null;
      if (on.draining && on.streams === 0) close(on, now);
      startStream(channel, stream);
    });
  };

  for (const [index, client] of plan.clients.entries()) {
    const own = random.child(`client-${client.name}-${index}`);
    const phase = own.next();
    for (const [place, how] of client.channels.entries()) {
      const channel = start(client, how, own.child(String(place)), phase);
      channels.push(channel);
      agenda.add(client.startedAt + 0.5 * own.next(), (at) => {
        channel.settledAt = at;
        connect(channel, at);
      });
      if (client.endsAt !== undefined) {
        agenda.add(client.endsAt, (at) => {
          for (const connection of [...channel.connections]) close(connection, at);
        });
      }
      for (let leak = 0; place === 0 && leak < (client.leaked ?? 0); leak++) {
        agenda.add(own.between(client.startedAt, 0), (at) => {
          const found = placed(channel, at);
          if (found !== null) open(channel, found.pod, at, found.peer, true);
        });
      }
    }
  }
  const follow = (at: number) => {
    for (const channel of channels) {
      const { dial } = channel.plan;
      if (dial.to !== 'headless' || dial.resolve === 'on-break' || channel.client.startedAt > at) continue;
      const delay = dial.resolve === 'watch' ? 1.2 : channel.random.between(1, 2 * resolveSeconds);
      agenda.add(at + delay, (now) => {
        channel.resolvedAt = -Infinity;
        connect(channel, now);
      });
    }
  };
  for (const pod of plan.pods) {
    agenda.add(pod.readyAt, follow);
    for (const end of [pod.unreadyAt, pod.terminatingAt]) if (end !== undefined) agenda.add(end, follow);
    if (pod.goneAt === undefined) continue;
    agenda.add(pod.goneAt, (at) => {
      const held = channels.flatMap((channel) => channel.connections.filter((connection) => connection.pod === pod));
      for (const connection of held) breakOne(connection, at);
      follow(at);
    });
  }
  for (const time of plan.breaks) {
    agenda.add(time, (at) => {
      for (const connection of channels.flatMap((channel) => channel.connections)) breakOne(connection, at);
    });
  }
  traffic.onPerCall = (channel, at) => {
    const found = placement.place(channel.client, at, channel.random);
    return found !== null && accepts(found.pod, at) ? found.pod : null;
  };
  traffic.onMany = (channel, at) => placement.eligible(channel.client, at).filter((pod) => accepts(pod, at));
  return {
    ...{ plan, placement, traffic, channels, random },
    runUntil: agenda.runUntil,
    settleAll(at) {
      for (const channel of channels)
        if (channel.client.startedAt <= at && !isOver(channel.client, at)) traffic.settle(channel, at);
    },
  };
}

function start(client: ClientPlan, plan: ChannelPlan, random: Random, phase: number): Channel {
  const streams = Array.from({ length: client.streams?.perChannel ?? 0 }, () => ({ on: null }));
  return {
    ...{ client, plan, random, connections: [], streams, turn: 0, settledAt: client.startedAt },
    ...{ resolvedAt: -Infinity, known: [], phase, failures: 0, waitsUntil: Infinity },
  };
}

/** How far two IPv4 addresses are apart by RFC 6724 rule 9: the fewer leading bits they share, the farther. */
function distance(a: string, b: string): number {
  const bits = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return Math.floor(Math.log2(((bits(a) ^ bits(b)) >>> 0) + 1));
}

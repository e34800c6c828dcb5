/** Connections and what they carry. A count of calls is drawn when somebody looks: calls are a Poisson process between events. */
import type { ChannelPlan, ClientPlan, Plan, PodPlan } from './plan.ts';
import type { Random } from './random.ts';
import { expectedCalls } from './rates.ts';

export interface Connection {
  readonly channel: Channel;
  readonly pod: PodPlan;
  readonly openedAt: number;
  readonly peerAddress: string;
  readonly peerPort: number;
  /** Streams that live on it; only where the client has streams. */
  streams: number;
  /** Told to go away, kept by its streams. */
  draining: boolean;
  /** Opened and forgotten. */
  readonly leaked: boolean;
  closedAt: number;
  calls: number;
  bytesIn: number;
  bytesOut: number;
  segmentsIn: number;
  segmentsOut: number;
  queued: number;
  lastAt: number;
}

export interface Channel {
  readonly client: ClientPlan;
  readonly plan: ChannelPlan;
  readonly random: Random;
  /** Open ones, the draining ones included. */
  connections: Connection[];
  readonly streams: { on: Connection | null }[];
  turn: number;
  settledAt: number;
  resolvedAt: number;
  /** Attempts to connect that failed in a row. */
  failures: number;
  /** When the next attempt is due; Infinity where none waits. */
  waitsUntil: number;
  known: readonly PodPlan[];
  readonly phase: number;
}

/** What a pod's process has done since it began. */
export interface Work {
  calls: number;
  messages: number;
  cpuMs: number;
}

const segmentBytes = 1348;
/** Frames and compressed headers of one call; handshake of a connection. */
const [headerIn, headerOut] = [45, 55];
export const handshake = { bytesIn: 190, bytesOut: 75, segmentsIn: 4, segmentsOut: 3 };

export interface Traffic {
  readonly work: ReadonlyMap<PodPlan, Work>;
  /** Brings the counters of a channel and of its pods up to that time. */
  settle(channel: Channel, at: number): void;
  /** A channel that connects for each call asks here which pod one call reaches. */
  onPerCall: (channel: Channel, at: number) => PodPlan | null;
  /** The probabilities behind it, for many calls at once. */
  onMany: (channel: Channel, at: number) => readonly PodPlan[];
}

export function weightOf(plan: Plan, pod: PodPlan): number {
  return plan.weights[pod.name] ?? 1;
}

export function openTraffic(plan: Plan): Traffic {
  const work = new Map<PodPlan, Work>(plan.pods.map((pod) => [pod, { calls: 0, messages: 0, cpuMs: 0 }]));

  const serve = (pod: PodPlan, calls: number, isStream: boolean) => {
    const done = work.get(pod);
    if (done === undefined) return;
    if (isStream) done.messages += calls;
    else done.calls += calls;
    done.cpuMs += calls * plan.cpuMsPerCall * (pod.costFactor ?? 1);
  };
  const size = (channel: Channel, count: number, bytes: number) => {
    // Sums of log-normal sizes (σ = 0.5): one by one where few, by their mean and spread where many.
    const { random } = channel;
    if (count > 40)
      return Math.max(count, Math.round(count * bytes + Math.sqrt(count) * bytes * 0.53 * random.normal()));
    let sum = 0;
    for (let call = 0; call < count; call++) sum += bytes * Math.exp(0.5 * random.normal() - 0.125);
    return Math.round(sum);
  };
  const give = (connection: Connection, count: number, at: number) => {
    if (count === 0) return;
    const { channel, pod } = connection;
    const { client } = channel;
    const bytesIn = size(channel, count, client.requestBytes) + count * headerIn;
    if ((pod.stuckAt ?? Infinity) <= at) {
      // The kernel takes what fits into its buffer, and nobody reads it.
      connection.queued = Math.min(connection.queued + bytesIn, 200_000);
      return;
    }
    const bytesOut = size(channel, count, client.responseBytes) + count * headerOut;
    const together = client.clump ?? 1;
    connection.calls += count;
    connection.bytesIn += bytesIn;
    connection.bytesOut += bytesOut;
    connection.segmentsIn += Math.max(Math.ceil(bytesIn / segmentBytes), Math.ceil(count / together));
    connection.segmentsOut += Math.max(Math.ceil(bytesOut / segmentBytes), Math.ceil((1.6 * count) / together));
    const idle = channel.random.exponential(Math.max((at - channel.settledAt) / count, 0.001));
    connection.lastAt = Math.max(connection.lastAt, at - Math.min(idle, at - channel.settledAt));
    serve(pod, count, client.streams !== undefined);
  };
  const draw = (channel: Channel, mean: number) => {
    const together = channel.client.clump ?? 1;
    return together * channel.random.poisson(mean / together);
  };

  const perCall = (channel: Channel, count: number, at: number) => {
    if (count > 400) {
      const pods = traffic.onMany(channel, at);
      for (const pod of pods) serve(pod, channel.random.poisson(count / pods.length), false);
      return;
    }
    for (let call = 0; call < count; call++) {
      const pod = traffic.onPerCall(channel, at);
      if (pod !== null) serve(pod, 1, false);
    }
  };
  const inTurn = (channel: Channel, usable: readonly Connection[], count: number, at: number) => {
    const each = Math.floor(count / usable.length);
    const more = count % usable.length;
    for (const [index, connection] of usable.entries()) {
      const place = (index - (channel.turn % usable.length) + usable.length) % usable.length;
      give(connection, each + (place < more ? 1 : 0), at);
    }
    channel.turn = (channel.turn + more) % usable.length;
  };
  const byWeight = (channel: Channel, usable: readonly Connection[], mean: number, at: number) => {
    const sum = usable.reduce((total, { pod }) => total + weightOf(plan, pod), 0);
    for (const connection of usable) give(connection, draw(channel, (mean * weightOf(plan, connection.pod)) / sum), at);
  };

  const traffic: Traffic = {
    work,
    onPerCall: () => null,
    onMany: () => [],
    settle(channel, at) {
      const { client, plan: how } = channel;
      const mean = how.part * expectedCalls(client, channel.phase, channel.settledAt, at);
      const usable = channel.connections.filter((connection) => !connection.draining && !connection.leaked);
      if (client.streams !== undefined) {
        for (const { on } of channel.streams) {
          if (on !== null) give(on, draw(channel, mean / channel.streams.length), at);
        }
      } else if (how.policy === 'per_call') perCall(channel, draw(channel, mean), at);
      else if (how.policy === 'weighted') byWeight(channel, usable, mean, at);
      else if (usable.length > 0) inTurn(channel, usable, draw(channel, mean), at);
      channel.settledAt = at;
    },
  };
  return traffic;
}

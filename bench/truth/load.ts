/** The true load of each pod in the long run: by construction, from who is connected to whom now, without any noise. */

import { accepts } from './placement.ts';
import type { PodPlan } from './plan.ts';
import type { World } from './simulate.ts';
import { type Channel, type Connection, weightOf } from './traffic.ts';

/** What one connection (or the calls of a channel that opens one for each) brings to a pod. */
export interface Part {
  readonly pod: PodPlan;
  readonly channel: Channel;
  /** Null where connections live for one call. */
  readonly connection: Connection | null;
  readonly callsPerSecond: number;
}

export function partsAt(world: World, at: number): readonly Part[] {
  return world.channels.flatMap((channel): Part[] => {
    const { client, plan: how } = channel;
    if (client.startedAt > at || (client.endsAt ?? Infinity) <= at) return [];
    const rate = client.rate * how.part;
    const live = channel.connections.filter((connection) => !connection.leaked);
    if (client.streams !== undefined) {
      return channel.streams.flatMap(({ on }) =>
        on === null ? [] : [{ pod: on.pod, channel, connection: on, callsPerSecond: rate / channel.streams.length }],
      );
    }
    if (how.policy === 'per_call') {
      const pods = world.placement.eligible(client, at).filter((pod) => accepts(pod, at));
      return pods.map((pod) => ({ pod, channel, connection: null, callsPerSecond: rate / pods.length }));
    }
    const usable = live.filter((connection) => !connection.draining);
    const weight = (connection: Connection) => (how.policy === 'weighted' ? weightOf(world.plan, connection.pod) : 1);
    const sum = usable.reduce((total, connection) => total + weight(connection), 0);
    return usable.map((connection) => ({
      ...{ pod: connection.pod, channel, connection },
      callsPerSecond: (rate * weight(connection)) / sum,
    }));
  });
}

export interface Spread {
  readonly shares: readonly number[];
  readonly effective: number;
  readonly peak: number;
  readonly idle: readonly number[];
  readonly total: number;
}

/** Effective pods, peak-to-mean, and which are idle (under 5 % of an even part). */
export function spreadOf(loads: readonly number[]): Spread {
  const total = loads.reduce((sum, load) => sum + load, 0);
  const pods = loads.length;
  const shares = loads.map((load) => (total > 0 ? load / total : 0));
  const squares = shares.reduce((sum, share) => sum + share * share, 0);
  return {
    ...{ shares, total },
    effective: total > 0 ? 1 / squares : 0,
    peak: total > 0 ? Math.max(...shares) * pods : 0,
    idle: shares.flatMap((share, at) => (share * pods < 0.05 ? [at] : [])),
  };
}

/** Load of the ready endpoints, in the order given: in calls, or in bytes. */
export function loadsOf(parts: readonly Part[], pods: readonly PodPlan[], unit: 'calls' | 'bytes' = 'calls'): number[] {
  const sums = new Map<PodPlan, number>();
  for (const { pod, channel, callsPerSecond } of parts) {
    const { requestBytes, responseBytes } = channel.client;
    const each = unit === 'calls' ? 1 : requestBytes + responseBytes + 100;
    sums.set(pod, (sums.get(pod) ?? 0) + callsPerSecond * each);
  }
  return pods.map((pod) => sums.get(pod) ?? 0);
}

/** Effective pods that placing connections of these weights at random gives: about P·Ce ÷ (Ce + P − 1). */
export function effectiveWeights(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight * weight, 0);
  return squares > 0 ? (sum * sum) / squares : 0;
}

export function atRandom(effectiveConnections: number, pods: number): number {
  return effectiveConnections > 0 ? (pods * effectiveConnections) / (effectiveConnections + pods - 1) : 0;
}

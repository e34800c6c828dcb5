/** The same cluster run again: with a strategy from now on, or with the past that it would have had without a setting. */
import { type Strategy, strategies } from './family.ts';
import { loadsOf, partsAt, spreadOf } from './load.ts';
import { isReady } from './placement.ts';
import type { ChannelPlan, ClientPlan, Plan } from './plan.ts';
import { simulate } from './simulate.ts';

/** How many times the dice of a future are thrown. */
const draws = 6;
/** Until clients that begin anew have settled. */
const settleSeconds = 40;

export interface Future {
  readonly strategy: Strategy;
  /** Effective pods of each draw; empty where the strategy cannot reach these clients. */
  readonly effective: readonly number[];
}

/** Effective pods of the ready endpoints, by the long-run rates of who is connected then. */
function effectiveAt(plan: Plan, seed: string, at: number): number {
  const world = simulate(plan, seed);
  world.runUntil(at);
  const pods = world.placement.ready(at);
  return spreadOf(loadsOf(partsAt(world, at), pods)).effective;
}

export function futuresOf(plan: Plan, seed: string): readonly Future[] {
  return strategies.map((strategy) => {
    const next = withStrategy(plan, strategy);
    // Calls dealt in turn over all pods are even whatever the dice say; streams and connections are not.
    const isFixed = strategy !== 'max-connection-age' && plan.clients.every(({ streams }) => streams === undefined);
    const throws = Array.from({ length: isFixed ? 1 : draws }, (_, at) => `${seed}/${strategy}-${at}`);
    return { strategy, effective: next === null ? [] : throws.map((dice) => effectiveAt(next, dice, 0)) };
  });
}

/** The present cluster whose clients begin anew as the strategy has them; null where it changes nothing by itself or cannot. */
function withStrategy(plan: Plan, strategy: Strategy): Plan | null {
  if (strategy === 'cluster-ip') return null;
  const pods = plan.pods
    .filter((pod) => isReady(pod, 0))
    .map((pod) => ({ ...pod, startedAt: -1e6, readyAt: -1e6 + 10 }));
  // Where the servers have an age already, it goes on: what it comes to when it has dealt several times.
  const isAged = strategy === 'max-connection-age' && plan.ageSeconds < Infinity;
  const startedAt = isAged ? -6 * plan.ageSeconds - settleSeconds : -settleSeconds;
  const isPerCall = strategy !== 'max-connection-age';
  const present = plan.clients.filter((client) => client.startedAt <= 0 && (client.endsAt ?? Infinity) > 0);
  if (strategy === 'headless-round-robin' && present.some(({ outside }) => outside === true)) return null;
  const clients = present.map((client): ClientPlan => {
    const { former: _former, endsAt: _endsAt, leaked: _leaked, ...rest } = client;
    const spread: ChannelPlan = {
      policy: 'round_robin',
      dial: {
        to: 'headless',
        order: 'shuffled',
        resolve: isPerCall && strategy !== 'headless-round-robin' ? 'watch' : 'on-break',
      },
      part: 1,
    };
    return { ...rest, startedAt, channels: isPerCall ? [spread] : client.channels };
  });
  const { affinityUntil: _until, ...service } = plan.service;
  return { ...plan, pods, clients, breaks: [], service, ageSeconds: isAged ? plan.ageSeconds : Infinity };
}

/** Effective pods of the present in the same past without what `without` takes away: the mean of some pasts. */
export function effectiveWithout(plan: Plan, without: (plan: Plan) => Plan, seed: string): number {
  const changed = without(plan);
  const all = Array.from({ length: 4 }, (_, at) => effectiveAt(changed, `${seed}/without-${at}`, 0));
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

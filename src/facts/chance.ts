import type { Service } from '../evidence/objects.ts';
import { placementChance } from '../figures/chance.ts';
import { emptyYoungest } from '../figures/order.ts';
import { effectiveConnections } from '../figures/placement.ts';
import type { Chance } from '../report/schema.ts';
import type { ClientFacts } from './client-facts.ts';
import type { LoadDistribution } from './distribution.ts';
import { bornTogetherMs } from './limits.ts';
import { lookedInto, type MeasuredPod } from './measured.ts';
import type { PathFacts } from './path.ts';
import type { Connection } from './peers/connections.ts';

export type ChanceAnswer = Chance;

interface Placement {
  readonly service: Service;
  readonly headless: boolean;
  readonly path: PathFacts;
  readonly replicas: readonly MeasuredPod[];
  readonly connections: LoadDistribution | null;
  readonly weights: readonly number[];
  readonly allConnections: readonly { readonly replica: number; readonly connection: Connection }[];
  readonly clients: readonly ClientFacts[];
  readonly churning: boolean;
}

/**
 * Could random placement alone look like this, and is it ordered by age? Chance explains and never acquits: sticky
 * connections keep bad luck for weeks.
 */
export function readChance(placement: Placement): {
  chance: ChanceAnswer;
  youngestEmpty: { count: number; probability: number } | null;
} {
  return { chance: chanceOf(placement), youngestEmpty: emptyAmongYoungest(placement) };
}

function chanceOf(placement: Placement): ChanceAnswer {
  const reason = whyNotApplicable(placement);
  if (reason !== null) return { method: 'not-applicable', probability: null, expectedEffectivePods: null, reason };
  const weights = levelled(placement.weights);
  const loads = placement.replicas.map(() => 0);
  placement.allConnections.forEach(({ replica }, index) => {
    loads[replica] = (loads[replica] ?? 0) + (weights[index] ?? 0);
  });
  const answer = placementChance({ weights, pods: placement.replicas.length }, loads);
  if (answer === null)
    return {
      method: 'not-applicable',
      probability: null,
      expectedEffectivePods: null,
      reason: 'the connections carried nothing',
    };
  return {
    method: answer.method,
    probability: answer.probability,
    expectedEffectivePods: answer.expectedEffectivePods,
    reason: null,
  };
}

/**
 * Connections that carry about the same count the same: their small differences are the noise of the measurement, and
 * would only blur which placements are as uneven as the one that was seen.
 */
function levelled(weights: readonly number[]): readonly number[] {
  return effectiveConnections(weights) >= 0.95 * weights.length ? weights.map(() => 1) : weights;
}

/** The null hypothesis: every connection lands on any ready pod with equal probability, independently. */
function whyNotApplicable(placement: Placement): string | null {
  const { service, replicas, connections, allConnections } = placement;
  if (replicas.length < 2) return 'there are not two pods to choose between';
  if (connections === null || allConnections.length === 0) return 'no connection was seen';
  if (connections.seen < replicas.length) return 'not all pods were seen';
  if (placement.churning) return 'connections open and close all the time: the load is not tied to those of one moment';
  const { hops, path } = placement.path;
  if (hops.length > 0) return `${hops.join(' and ')} stand before the pods: the proxy of the client chooses`;
  if (path?.kubeProxyMode === 'ipvs')
    return 'kube-proxy in mode ipvs deals connections in turn (rr), on each node anew';
  if (service.sessionAffinity === 'ClientIP') return 'sessionAffinity ClientIP chooses by client address';
  if (service.internalTrafficPolicy === 'Local') return 'internalTrafficPolicy Local keeps traffic on its node';
  if (service.externalTrafficPolicy === 'Local' && service.type !== 'ClusterIP')
    return 'externalTrafficPolicy Local sends traffic to nodes, not to pods';
  if (replicas.some((pod) => pod.backend.hintZones.length > 0 || pod.backend.hintNodes.length > 0))
    return 'topology hints keep traffic in its zone';
  if (placement.headless) return 'headless: the clients choose the pods themselves';
  return null;
}

/** How many of the youngest pods that were looked into hold no connection, and how likely that is if age did not matter. */
function emptyAmongYoungest(placement: Placement): { count: number; probability: number } | null {
  const { replicas, connections, allConnections } = placement;
  const looked = lookedInto(replicas);
  if (connections === null || connections.seen < looked.length || allConnections.length === 0 || placement.churning)
    return null;
  if (looked.some((index) => replicas[index]?.createdAt == null)) return null;
  const held = new Set(allConnections.map((entry) => entry.replica));
  const byAge = looked
    .map((index) => ({ index, createdAt: replicas[index]?.createdAt ?? 0 }))
    .sort((a, b) => b.createdAt - a.createdAt);
  const firstHeld = byAge.findIndex((entry) => held.has(entry.index));
  // Pods created together have no order: an empty one counts only if it is younger than all of that age.
  const boundary = byAge[firstHeld]?.createdAt ?? 0;
  const count = byAge.filter(
    (entry, position) => position < firstHeld && entry.createdAt - boundary > bornTogetherMs,
  ).length;
  if (count === 0) return null;
  return { count, probability: emptyYoungest(allConnections.length, looked.length, count) };
}

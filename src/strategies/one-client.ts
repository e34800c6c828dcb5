import { byAddress, type ClientFacts } from '../facts/client-facts.ts';
import { type Facts, idleReplicas } from '../facts/facts.ts';
import { concentration } from '../figures/deal.ts';
import { maxOf } from '../figures/extremes.ts';
import { dealSomeAnew } from '../figures/placement.ts';
import type { Relief } from '../report/advice.ts';
import { busyPods, percent, plural } from '../report/words.ts';
import { commandIn } from './command.ts';

/** A relief that deals connections anew, with the effective pods that it gives on average. */
export interface Redeal {
  readonly relief: Relief;
  readonly effectivePods: number;
}

/** A new deal helps when it uses at least so many times the effective pods of now. */
export const leastGain = 1.05;

/** Clients of the hottest pod for which the outcome is worked out. */
const mostCandidates = 5;

/**
 * Restarting a single client of the hottest pod, where that alone is likely to help: of the heaviest ones the one after
 * which most pods work, on average. It loses less than a restart of all, and what it gave can be seen before the next.
 */
export function restartOneClient(facts: Facts): Redeal[] {
  const loads = dealtLoads(facts);
  const hottest = loads.indexOf(maxOf(loads));
  if (loads.every((load) => load === 0)) return [];
  // Calls may lie more evenly than the connections of the moment do.
  const present = Math.max(1 / concentration(loads), facts.loads.basis?.effectivePods ?? 0);
  const clients = byAddress(facts.allConnections, facts.weights);
  if (clients.length < 2) return [];
  const [best] = clients
    .filter((client) => client.reached.includes(hottest) && comesBack(client))
    .slice(0, mostCandidates)
    .map((client) => ({ client, effective: afterRestart(client, facts) }))
    .toSorted((a, b) => b.effective - a.effective);
  if (best === undefined || best.effective < leastGain * present) return [];
  const { peer, connections } = best.client;
  const name = peer.pod?.name ?? '';
  const relief: Relief = {
    action: 'restart one client of the hottest pod at a time',
    command: commandIn(facts, ['delete', 'pod', name], peer.namespace),
    prediction: `${busyPods(facts.loads.basis?.effectivePods ?? present, best.effective, facts.replicas.length)}${towardsIdle(best.client, facts)}`,
    risk: `its calls in flight end; its ${plural(connections, 'connection')} may land as badly, and ${connections === 1 ? 'is' : 'are'} as heavy there`,
  };
  return [{ relief, effectivePods: best.effective }];
}

/** Where pods are idle: how likely a connection that is dealt anew meets one of them, by kube-proxy and no setting. */
function towardsIdle({ connections }: ClientFacts, facts: Facts): string {
  const idle = idleReplicas(facts).length;
  if (idle === 0 || connections > 1 || facts.settings.length > 0) return '';
  return `; in ${percent(idle / facts.replicas.length)} of draws its connection meets an idle pod`;
}

/** A pod of a controller is made anew; a bare one would be gone. */
function comesBack({ peer }: ClientFacts): boolean {
  return peer.kind === 'workload' && peer.pod?.owner != null;
}

function afterRestart(client: ClientFacts, facts: Facts): number {
  const [address] = client.addresses;
  const isOwn = (index: number) => facts.allConnections[index]?.connection.address === address;
  const ofOwn = (_: unknown, index: number) => isOwn(index);
  return dealSomeAnew(
    dealtLoads(facts, (index) => !isOwn(index)),
    facts.weights.filter(ofOwn),
    facts.reach === null ? null : facts.reach.filter(ofOwn),
  );
}

/** What the connections put on each replica. */
export function dealtLoads(
  { replicas, allConnections, weights }: Facts,
  counts: (index: number) => boolean = () => true,
): number[] {
  const loads = replicas.map(() => 0);
  for (const [index, { replica }] of allConnections.entries())
    if (counts(index)) loads[replica] = (loads[replica] ?? 0) + (weights[index] ?? 0);
  return loads;
}

import { maxOf, minOf } from '../figures/extremes.ts';
import { bornTogetherMs } from './limits.ts';
import type { Peer } from './peers/clients.ts';
import type { Connection } from './peers/connections.ts';
import { countWhile } from './rising.ts';

/** One client: a workload, a node behind which clients hide, or an address. */
export interface ClientFacts {
  readonly peer: Peer;
  /** Distinct client addresses: one a pod. */
  readonly addresses: readonly string[];
  readonly connections: number;
  /** Indexes of the replicas that it is connected to. */
  readonly reached: readonly number[];
  /** Part of all weight that its connections carry. */
  readonly share: number;
  /** Connections by replica, and the weight that they carry. */
  readonly byReplica: ReadonlyMap<number, number>;
  readonly loads: ReadonlyMap<number, number>;
  /** The connections themselves. */
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly replica: number;
  readonly connection: Connection;
}

/** Groups connections by who holds them; the client with most connections first. */
export function gatherClients(entries: readonly Entry[], weights: readonly number[]): readonly ClientFacts[] {
  return groupBy(entries, weights, ({ peer }) => `${peer.namespace ?? ''}/${peer.workload}`).sort(
    (a, b) => b.connections - a.connections || (a.peer.workload < b.peer.workload ? -1 : 1),
  );
}

/** The same, one entry a client address: a pod is one process as a rule. */
export function byAddress(entries: readonly Entry[], weights: readonly number[]): readonly ClientFacts[] {
  const known = addressesOf.get(weights);
  if (known !== undefined) return known;
  const gathered = groupBy(entries, weights, ({ address }) => address).sort(
    (a, b) => b.share - a.share || b.connections - a.connections,
  );
  addressesOf.set(weights, gathered);
  return gathered;
}

/**
 * Clients whose channels do not balance: they hold two connections or more to one pod and none to another. round_robin
 * holds as many to each pod that it knows; those that it may not know yet are younger than all that it holds.
 */
export function doubledClients({
  allConnections,
  weights,
  replicas,
}: {
  readonly allConnections: readonly Entry[];
  readonly weights: readonly number[];
  readonly replicas: readonly { readonly createdAt: number | null }[];
}): readonly ClientFacts[] {
  const createdAt = (replica: number) => replicas[replica]?.createdAt ?? null;
  const births = replicas.map((pod) => pod.createdAt ?? 0).sort((a, b) => a - b);
  return byAddress(allConnections, weights).filter(({ reached, byReplica }) => {
    const counts = [...byReplica.values()];
    if (maxOf(counts) < 2 || reached.length === replicas.length) return false;
    if (maxOf(counts) > minOf(counts)) return true;
    const newest = maxOf(reached.map((replica) => createdAt(replica) ?? Number.POSITIVE_INFINITY));
    // As old as those that it holds are more than these: it holds none to some of them.
    return countWhile(births, (born) => born < newest + bornTogetherMs) > reached.length;
  });
}

/** Gathered once for the weights of a Service: many causes ask. */
const addressesOf = new WeakMap<readonly number[], readonly ClientFacts[]>();

function groupBy(
  entries: readonly Entry[],
  weights: readonly number[],
  keyOf: (connection: Connection) => string,
): ClientFacts[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const members = entries.map((entry, index) => ({ entry, weight: weights[index] ?? 0 }));
  const groups = Map.groupBy(members, ({ entry }) => keyOf(entry.connection));
  return [...groups.values()].map((group) => summarise(group, total));
}

function summarise(members: readonly { readonly entry: Entry; readonly weight: number }[], total: number): ClientFacts {
  const [first] = members;
  if (first === undefined) throw new Error('a client has at least one connection');
  const byReplica = new Map<number, number>();
  const loads = new Map<number, number>();
  for (const { entry, weight } of members) {
    byReplica.set(entry.replica, (byReplica.get(entry.replica) ?? 0) + 1);
    loads.set(entry.replica, (loads.get(entry.replica) ?? 0) + weight);
  }
  const weight = members.reduce((sum, member) => sum + member.weight, 0);
  return {
    peer: first.entry.connection.peer,
    addresses: [...new Set(members.map((member) => member.entry.connection.address))].sort(),
    connections: members.length,
    reached: [...byReplica.keys()].sort((a, b) => a - b),
    share: total > 0 ? weight / total : 0,
    byReplica,
    loads,
    entries: members.map(({ entry }) => entry),
  };
}

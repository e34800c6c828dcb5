import { byAddress } from '../facts/client-facts.ts';
import type { Facts } from '../facts/facts.ts';
import type { Peer } from '../facts/peers/clients.ts';
import type { StuckPod } from '../facts/stuck.ts';
import type { Relief } from '../report/advice.ts';
import { countOf, plural } from '../report/words.ts';
import { allOf, commandIn, isRestartable, restart } from './command.ts';

/** Pods that stand still as far as it was counted: on a guess no pod is deleted. */
function surelyStuck({ stuck }: Facts): readonly StuckPod[] {
  return stuck.filter(({ confidence }) => confidence !== 'possible');
}

/** A stuck pod keeps its connections until it goes: neither readiness nor a label ends one. */
export function replaceStuck(facts: Facts): Relief[] {
  const [first, ...others] = surelyStuck(facts);
  if (first === undefined) return [];
  const { pod } = first;
  const connections = pod.sockets?.connections.length ?? 0;
  const rest = facts.replicas.filter((replica) => replica.name !== pod.name).length;
  const owned = pod.pod?.owner != null;
  return [
    {
      action: `delete ${pod.name}${others.length === 0 ? '' : `, then the ${countOf(others.length, 'other', 'others')} that ${others.length === 1 ? 'is' : 'are'} stuck, one by one`}`,
      command: owned ? commandIn(facts, ['delete', 'pod', pod.name], pod.backend.pod?.namespace ?? null) : null,
      prediction: `${connections === 1 ? 'its connection ends and goes' : `its ${connections} connections end and go`} to ${rest === 0 ? 'the pod that takes its place' : `the ${plural(rest, 'other pod')}`}`,
      risk: owned
        ? 'its calls in flight end, and what shows the reason is lost'
        : 'no controller makes it anew: it would be gone',
    },
  ];
}

/** A pod that should get nothing lets go of its clients when it goes; fewer calls end so than by a restart of its clients. */
export function deleteHolder(facts: Facts): Relief[] {
  const [holder, ...others] = holdersOf(facts);
  if (holder === undefined || others.length > 0 || facts.replicas.length === 0) return [];
  const { pod, connections, why } = holder;
  const owned = pod.pod?.owner != null;
  const next =
    why === 'gone'
      ? 'the pod that takes its place is no endpoint either'
      : 'the pod that takes its place may fail in the same way';
  return [
    {
      action: `delete ${pod.name}`,
      command: commandIn(facts, ['delete', 'pod', pod.name], pod.backend.pod?.namespace ?? null),
      prediction: `${connections === 1 ? 'its connection ends and goes' : `its ${connections} connections end and go`} to ${countOf(facts.replicas.length, 'ready pod', 'ready pods')}`,
      risk: owned
        ? `its calls in flight end; ${next}`
        : 'its calls in flight end; no controller makes it anew, and what it was kept for is lost',
    },
  ];
}

// A pod that is Terminating lets go of them soon by itself.
const holdersOf = ({ staleEndpoints }: Facts) => staleEndpoints.filter(({ why }) => why !== 'terminating');

/** Clients let go of a pod that should get nothing when they start anew. */
export function restartHolders(facts: Facts): Relief[] {
  const holders = holdersOf(facts);
  const peers = holders.flatMap(({ pod }) => pod.sockets?.connections.map(({ peer }) => peer) ?? []);
  const workloads = restartableOf(peers);
  const [first] = workloads;
  if (first === undefined) return [];
  const held = holders.reduce((sum, holder) => sum + holder.connections, 0);
  return [
    {
      action: `restart the clients that hold on${allOf(workloads.length)}`,
      command: restart(facts, workloads),
      prediction: `${countOf(held, 'connection goes', 'connections go')} to ready pods`,
      risk: 'calls in flight end with the client pods',
    },
  ];
}

/** Where the ready pods may be too few for all of them: the first one shows it. */
export function restartOneHolder(facts: Facts): Relief[] {
  const connections = holdersOf(facts).flatMap(({ pod }) => pod.sockets?.connections ?? []);
  const [first] = connections.filter(({ peer }) => peer.kind === 'workload' && peer.pod?.owner != null);
  if (first === undefined) return [];
  const { peer, address } = first;
  const held = connections.filter((connection) => connection.address === address).length;
  return [
    {
      action: 'restart the clients that hold on, one at a time',
      command: commandIn(facts, ['delete', 'pod', peer.pod?.name ?? ''], peer.namespace),
      prediction: `${held === 1 ? 'its connection goes' : `its ${held} connections go`} to a ready pod; whether these take it shows before the next one moves`,
      risk: 'its calls in flight end',
    },
  ];
}

/** Ends what has gathered; without a change of the client it gathers again. */
export function restartLeaking(facts: Facts): Relief[] {
  const [most] = byAddress(facts.allConnections, facts.weights)
    .filter(({ peer }) => peer.kind === 'workload' || peer.kind === 'address' || peer.kind === 'outside')
    .toSorted((a, b) => b.connections - a.connections);
  if (most === undefined) return [];
  const { peer, connections } = most;
  const owned = peer.kind === 'workload' && peer.pod?.owner != null;
  return [
    {
      action: `restart ${peer.pod?.name ?? peer.workload}`,
      command: owned ? commandIn(facts, ['delete', 'pod', peer.pod.name], peer.namespace) : null,
      prediction: `its ${plural(connections, 'connection')} end; they gather again until the client closes them`,
      risk: 'its calls in flight end',
    },
  ];
}

/** What waits in a client goes at once over another connection. */
export function widenChannels(): Relief[] {
  return [
    {
      action: 'run more client pods',
      command: null,
      prediction: 'each brings a connection of its own, with as many calls at a time again',
      risk: 'the server gets the calls that waited until now',
    },
  ];
}

/** Distinct workloads that kubectl can restart, by name. */
function restartableOf(peers: readonly Peer[]): readonly Peer[] {
  const known = new Map(peers.filter(isRestartable).map((peer) => [`${peer.namespace ?? ''}/${peer.workload}`, peer]));
  return [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, peer]) => peer);
}

import { millisecondsOf } from '../evidence/times.ts';
import type { Facts } from '../facts/facts.ts';
import type { StaleEndpoint } from '../facts/stale-endpoints.ts';
import { clock, countOf, listed, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const draining: CauseUnit = {
  id: 'draining',
  title: 'A pod drains: streams keep its connections open',
  family: 'health',
  needs: ['endpoints', 'connections', 'calls'],
  signature:
    'A pod that is Terminating, not Ready or gone from the Service still holds connections of clients, no call begins there, and calls that began earlier are still in flight: a server that is leaving has told its clients so (GOAWAY), and each connection ends with its last stream.',
  confidenceRule:
    'certain when the counters of the pod show calls in flight and none that began between the looks, where by the calls of the ready pods five or more would have begun; likely when a Terminating pod shows the same and fewer would have begun; possible when its calls are not counted. Not found when calls or connections still begin there.',
  rivals: [{ id: 'unready-but-connected', toldApartBy: 'the calls that begin at that pod: none, or as before' }],
  avoid: () => ['do not delete a draining pod by force: that ends its streams'],
  firstStep: 'let it drain; to make it shorter, end streams after some minutes, and mind terminationGracePeriodSeconds',
  find(facts) {
    const seen = facts.staleEndpoints.filter((holder) => isDraining(holder, facts));
    const holders = seen.length > 0 ? seen : facts.staleEndpoints.filter(mayDrain);
    const [first] = holders;
    if (first === undefined) return null;
    const count = holders.reduce((sum, holder) => sum + holder.connections, 0);
    const streams = seen.reduce((sum, { pod }) => sum + (pod.calls?.inFlight ?? 0), 0);
    const elsewhere = goneOn(holders, facts);
    return {
      confidence:
        seen.length === 0
          ? 'possible'
          : seen.some((holder) => expectedCalls(holder, facts) >= enoughCalls)
            ? 'certain'
            : 'likely',
      text:
        seen.length > 0
          ? `${holders.length === 1 ? first.pod.name : plural(holders.length, 'pod')} ${holders.length === 1 ? 'drains' : 'drain'}: ${countOf(streams, 'stream keeps', 'streams keep')} ${plural(count, 'connection')} open`
          : `${holders.length === 1 ? first.pod.name : plural(holders.length, 'pod')} ${holders.length === 1 ? 'is' : 'are'} Terminating and may be draining ${plural(count, 'connection')}`,
      evidence: [
        ...holders.slice(0, 5).map(describe),
        elsewhere.length > 0 && `the same clients are connected to ready pods: ${listed(elsewhere)}`,
      ],
      settledBy: seen.length > 0 ? [] : ['the calls that begin at that pod: none when it drains'],
    };
  },
};

/** Where five calls are expected, none begins by accident in fewer than 1 % of windows (e⁻⁵). */
const enoughCalls = 5;

/** Calls are in flight there, none began between the looks, and no connection came. */
export function isDraining(holder: StaleEndpoint, facts: Facts): boolean {
  const { pod, why, goesOn } = holder;
  if (pod.calls?.started !== 0 || (pod.calls.inFlight ?? 0) === 0 || pod.sockets?.opened !== 0) return false;
  return why === 'terminating' || (goesOn && expectedCalls(holder, facts) >= enoughCalls);
}

/** Calls that would have begun at its connections, if clients called there as they call the replicas. */
function expectedCalls({ connections }: StaleEndpoint, { replicas, allConnections }: Facts): number {
  const started = replicas.reduce((sum, pod) => sum + (pod.calls?.started ?? 0), 0);
  return allConnections.length === 0 ? 0 : (connections * started) / allConnections.length;
}

/** It leaves and still carries something; whether calls begin there is not known. */
function mayDrain({ pod, why, bytes, goesOn }: StaleEndpoint): boolean {
  return why === 'terminating' && pod.calls?.started == null && (bytes === null || bytes > 0 || goesOn);
}

function describe({ pod, connections }: StaleEndpoint): string {
  const { calls, sockets } = pod;
  const end = millisecondsOf(pod.pod?.deletedAt);
  return [
    `${pod.name}: ${plural(connections, 'connection')}${sockets?.opened === 0 && sockets.seconds !== null ? ', none of them new' : ''}`,
    ...(calls?.started == null ? [] : [`calls that began: ${calls.started}, in flight: ${calls.inFlight ?? 0}`]),
    ...(end === null ? [] : [`it is killed at ${clock(end)} at the latest`]),
  ].join('; ');
}

/** Clients of draining pods that hold connections at replicas, too. */
function goneOn(holders: readonly StaleEndpoint[], facts: Facts): string[] {
  const there = new Set(holders.flatMap(({ pod }) => pod.sockets?.connections.map(({ address }) => address) ?? []));
  const both = facts.allConnections.filter(({ connection }) => there.has(connection.address));
  return [...new Set(both.map(({ connection }) => connection.peer.pod?.name ?? connection.address))].sort();
}

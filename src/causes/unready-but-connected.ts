import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import type { StaleEndpoint } from '../facts/stale-endpoints.ts';
import { describeStaleEndpoints } from '../facts/stale-endpoints-words.ts';
import { listed, percent, plural } from '../report/words.ts';
import { conclude } from './consequences.ts';
import { isDraining } from './draining.ts';
import type { CauseUnit } from './unit.ts';

export const unreadyButConnected: CauseUnit = {
  id: 'unready-but-connected',
  title: 'Pods outside the endpoints still hold connections',
  family: 'health',
  needs: ['endpoints', 'connections'],
  signature:
    'A pod that is not Ready, is Terminating or has left the Service holds connections of its clients: readiness and labels stop new connections, and close none.',
  confidenceRule:
    'certain when connections at a pod that is not Ready, or that has left the Service, were there in both samples and carried bytes between them, or calls begin at a Terminating pod; likely when only their number is known; possible when the pod is Terminating and may be draining. Not found when they carry next to nothing, or the pod drains.',
  rivals: [
    { id: 'draining', toldApartBy: 'the calls that begin at that pod: none, or as before' },
    { id: 'pods-not-ready', toldApartBy: 'the bytes of the connections at that pod: some, or next to none' },
  ],
  decides: {
    about: 'held',
    conclude: (facts) =>
      facts.staleEndpoints.every(({ why }) => why === 'terminating') ||
      facts.missing.notReady.length + facts.missing.pending.length > 0
        ? null
        : conclude('not-load-balancing', 'certain', describeStaleEndpoints(facts)),
  },
  relief: ['delete-holder', 'restart-holders'],
  // To let go of a pod that works helps only where another one takes the calls.
  firstStep({ facts, move }) {
    if (move === 'not') return null;
    if (move === 'one-by-one')
      return 'let the clients move over one at a time: restart one, see that the ready pods take its calls, then the next';
    const holders = facts.staleEndpoints;
    const pods = holders.length === 1 ? (holders[0]?.pod.name ?? '') : `the ${holders.length} pods`;
    return holders.every(({ why }) => why === 'gone')
      ? `restart ${namesOf(holders)}, or delete ${pods} when nobody needs ${holders.length === 1 ? 'it' : 'them'} any more: whoever is connected goes on being served`
      : 'make the clients let go: client-side health checking (healthCheckConfig), GOAWAY from a server that is NOT_SERVING, or a restart of the clients';
  },
  find(facts) {
    const replicas = bytesOfReplicas(facts);
    const holders = facts.staleEndpoints.filter(
      (holder) => carriesSomething(holder, replicas, facts) && !isDraining(holder, facts),
    );
    const [first] = holders;
    if (first === undefined) return null;
    const staying = holders.filter((holder) => holder.why !== 'terminating' || (holder.pod.calls?.started ?? 0) > 0);
    const count = holders.reduce((sum, holder) => sum + holder.connections, 0);
    const share = shareOf(holders, replicas);
    return {
      confidence: staying.length === 0 ? 'possible' : staying.some((holder) => holder.goesOn) ? 'certain' : 'likely',
      text:
        holders.length === 1
          ? `${first.pod.name} ${states[first.why]}, yet clients hold ${plural(count, 'connection')} there`
          : `${holders.length} pods outside the endpoints hold ${plural(count, 'connection')}`,
      evidence: [
        ...holders
          .slice(0, 5)
          .map(
            (holder) =>
              `${holder.pod.name} ${states[holder.why]}: ${plural(holder.connections, 'connection')}${holder.goesOn ? ', and bytes flow' : ''}`,
          ),
        share !== null && `${holders.length === 1 ? 'it carries' : 'they carry'} ${percent(share)} of all bytes`,
        `clients: ${namesOf(holders)}`,
      ],
      against: staying.length === 0 ? ['a pod that is Terminating may be draining: its calls end before it does'] : [],
    };
  },
};

const states: Readonly<Record<StaleEndpoint['why'], string>> = {
  'not-ready': 'is not Ready',
  terminating: 'is Terminating',
  gone: 'is not in the Service any more',
};

/** Keepalives alone are no calls: below the idle part of what a replica carries it is nothing. */
function carriesSomething(holder: StaleEndpoint, replicas: number | null, facts: Facts): boolean {
  if (holder.bytes === null) return holder.why !== 'terminating';
  if (replicas === null || facts.replicas.length === 0) return holder.bytes > 0;
  return holder.bytes > 0 && holder.bytes >= (limits.idlePart * replicas) / facts.replicas.length;
}

function bytesOfReplicas(facts: Facts): number | null {
  const bytes = facts.allConnections.map(({ connection }) => connection.windowBytes ?? connection.bytes);
  return bytes.some((value) => value === null) ? null : bytes.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

function shareOf(holders: readonly StaleEndpoint[], replicas: number | null): number | null {
  if (replicas === null || holders.some((holder) => holder.bytes === null)) return null;
  const outside = holders.reduce((sum, holder) => sum + (holder.bytes ?? 0), 0);
  return outside + replicas === 0 ? null : outside / (outside + replicas);
}

/** The clients of these pods, by workload or address. */
function namesOf(holders: readonly StaleEndpoint[]): string {
  const names = holders.flatMap(({ pod }) => pod.sockets?.connections.map(({ peer }) => peer.workload) ?? []);
  return listed([...new Set(names)].sort());
}

import type { ClientFacts } from '../facts/client-facts.ts';
import { dialsOf, looksInto } from '../facts/dials.ts';
import type { Facts } from '../facts/facts.ts';
import { countWhile } from '../facts/rising.ts';
import type { Client, SkewReport } from '../report/schema.ts';
import { rounded, roundedTo } from './pods.ts';

/** The clients of the report, most connections first. */
export function answerClients(facts: Facts): Client[] {
  const known = facts.bytes !== null;
  const readySince = facts.replicas.flatMap((pod) => pod.readySince ?? []).sort((a, b) => a - b);
  return facts.clients.map((client) => ({
    workload: client.peer.workload,
    kind: client.peer.kind,
    namespace: client.peer.namespace,
    team: client.peer.team,
    pods: client.addresses.length,
    connections: client.connections,
    podsReached: client.reached.length,
    loadShare: known ? rounded(client.share) : null,
    ...measuredOf(client, facts, readySince),
    dials: dialsOf(client, facts),
    runtime: looksInto(client, facts)[0]?.runtime ?? null,
    perPod: [...client.byReplica]
      .map(([replica, connections]) => ({ pod: facts.replicas[replica]?.name ?? '', connections }))
      .sort((a, b) => (a.pod < b.pod ? -1 : 1)),
  }));
}

/** What it carries, and how old it is beside the pods: a client that is older than a pod may not know it. */
function measuredOf(
  { entries }: ClientFacts,
  facts: Facts,
  readySince: readonly number[],
): Pick<Client, 'bytesPerSecond' | 'startedSeconds' | 'podsSince'> {
  const rates = entries.map(({ replica, connection }) => {
    const seconds = facts.replicas[replica]?.sockets?.seconds ?? null;
    return connection.windowBytes === null || seconds === null ? null : connection.windowBytes / seconds;
  });
  const isMeasured = rates.length > 0 && rates.every((rate) => rate !== null);
  const starts = entries.flatMap(({ connection }) => connection.peer.startedAt ?? []);
  const started = starts.length === 0 ? null : starts.reduce((first, start) => Math.min(first, start));
  return {
    bytesPerSecond: isMeasured
      ? roundedTo(
          rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0),
          1,
        )
      : null,
    startedSeconds: started === null ? null : Math.max(0, Math.round((facts.now - started) / 1000)),
    podsSince: started === null ? null : readySince.length - countWhile(readySince, (since) => since <= started),
  };
}

/** What was seen at the port and is no client, and why it was left out. */
export function answerLeftOut(facts: Facts): SkewReport['status']['leftOut'] {
  const all = [...facts.replicas, ...facts.unreadyPods, ...facts.formerPods].flatMap(
    (pod) => pod.sockets?.leftOut ?? [],
  );
  const probes = all.filter((entry) => entry.kind === 'probe').length;
  const loopback = all.filter((entry) => entry.kind === 'loopback').length;
  return [
    ...(loopback > 0
      ? [{ what: 'loopback', connections: loopback, why: 'the pod talks to itself: a sidecar or an agent' }]
      : []),
    ...(probes > 0
      ? [
          {
            what: 'probes',
            connections: probes,
            why: 'from an address that kubelet uses, short-lived or carrying next to nothing',
          },
        ]
      : []),
  ];
}

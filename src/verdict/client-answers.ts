import type { Client, SkewReport } from '../report/schema.ts';
import type { Facts } from './facts.ts';
import { rounded } from './pod-answers.ts';

/** The clients of the report, most connections first. */
export function answerClients(facts: Facts): Client[] {
  const known = facts.bytes !== null;
  return facts.clients.map((client) => ({
    workload: client.peer.workload,
    kind: client.peer.kind,
    namespace: client.peer.namespace,
    team: client.peer.team,
    pods: client.addresses.length,
    connections: client.connections,
    podsReached: client.reached.length,
    loadShare: known ? rounded(client.share) : null,
    perPod: [...client.byReplica]
      .map(([replica, connections]) => ({ pod: facts.replicas[replica]?.name ?? '', connections }))
      .sort((a, b) => (a.pod < b.pod ? -1 : 1)),
  }));
}

/** What was seen at the port and is no client, and why it was left out. */
export function answerLeftOut(facts: Facts): SkewReport['status']['leftOut'] {
  const all = [...facts.replicas, ...facts.outside].flatMap((pod) => pod.sockets?.leftOut ?? []);
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

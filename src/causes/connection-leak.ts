import { byAddress, type ClientFacts } from '../facts/client-facts.ts';
import type { Facts } from '../facts/facts.ts';
import type { Connection } from '../facts/peers/connections.ts';
import { countOf, plural } from '../report/words.ts';
import { isManyInOne } from './heavy.ts';
import type { CauseUnit } from './unit.ts';

/**
 * Connections of one client process: a channel needs one to each pod, and each takes a hundred calls at a time. Meshed
 * clients that were reported to leak held 2,000 to 8,000, ten times what is usual
 * (https://github.com/linkerd/linkerd2/issues/13426).
 */
const surelyMany = 1000;
/** From here on it is worth a word if their number only grows. */
const many = 100;
/** Most of a leak is never used again. */
const unusedPart = 0.9;

export const connectionLeak: CauseUnit = {
  id: 'connection-leak',
  title: 'A client opens connections and does not use them',
  family: 'not-load-balancing',
  needs: ['connections', 'clients'],
  signature:
    'One client process holds hundreds of connections or more, nearly all of them without traffic, and between the samples some were opened and none closed: a channel that is made for each call and never closed.',
  confidenceRule:
    'likely with 1,000 connections or more that carry nothing and grow in number; possible with 100 that do, or with 1,000 that do not grow or whose bytes are not known. Never certain: a pool that fills up looks the same for a while.',
  rivals: [{ id: 'connection-churn', toldApartBy: 'connections that close: as many as open, or none' }],
  relief: ['restart-leaking'],
  firstStep: 'look for channels that are made for each call and never closed',
  find(facts) {
    const closing = new Set(facts.replicas.flatMap((pod) => pod.sockets?.closedBy ?? []));
    const suspects = byAddress(facts.allConnections, facts.weights)
      .filter(({ connections, peer }) => connections >= many && !isManyInOne.has(peer.kind))
      .map((client) => ({ client, ...useOf(client, facts, closing) }))
      .filter(({ client, unused, growing }) =>
        unused === null
          ? client.connections >= surelyMany
          : unused >= unusedPart * client.connections && (growing || client.connections >= surelyMany),
      )
      .toSorted((a, b) => b.client.connections - a.client.connections);
    const [first] = suspects;
    if (first === undefined) return null;
    const { client, unused, growing, opened } = first;
    const name = client.peer.pod?.name ?? client.addresses[0] ?? client.peer.workload;
    const isLikely = unused !== null && growing && client.connections >= surelyMany;
    return {
      confidence: isLikely ? 'likely' : 'possible',
      text: `${name} holds ${plural(client.connections, 'connection')}${unused === null ? '' : `, ${unused === client.connections ? 'all' : unused} of them unused`}`,
      evidence: [
        growing && `between the samples it opened ${opened} more and closed none`,
        suspects.length > 1 && `${countOf(suspects.length - 1, 'other client does', 'other clients do')} the same`,
      ],
      against: growing ? [] : ['their number did not grow between the samples: a large pool looks the same'],
      settledBy: [
        'the number of its connections an hour later',
        unused === null && 'what the connections carry: ss in the image knows it',
      ],
    };
  },
};

/** Connections that carried nothing (null where bytes are not known), and whether their number only grows. */
function useOf(
  { addresses: [address = ''], entries }: ClientFacts,
  { replicas }: Facts,
  closing: ReadonlySet<string>,
): { readonly unused: number | null; readonly growing: boolean; readonly opened: number } {
  const used = entries.map(({ connection }) => connection.windowBytes);
  const isTwice = replicas.some(({ sockets }) => sockets !== null && sockets.seconds !== null);
  const opened = isTwice ? entries.filter(({ connection }) => !connection.kept).length : 0;
  return {
    unused: used.some((bytes) => bytes === null)
      ? null
      : entries.filter(({ connection }) => isUnused(connection)).length,
    growing: opened > 0 && !closing.has(address),
    opened,
  };
}

/** Nothing but what keeps it alive or, where it is new, what begins it. */
function isUnused({ kept, windowBytes, bytes }: Connection): boolean {
  return kept ? (windowBytes ?? 0) < keepaliveBytes : (bytes ?? 0) < greetingBytes;
}

/** Bytes of a window: a PING and its answer are 34, and come every 10 s at most. */
const keepaliveBytes = 256;
/** Bytes: preface, SETTINGS and WINDOW_UPDATE of both sides are below 200, a TLS handshake is a few thousand. */
const greetingBytes = 8192;

import { type Facts, isUneven } from '../facts/facts.ts';
import { bornTogetherMs, limits } from '../facts/limits.ts';
import type { Connection } from '../facts/peers/connections.ts';
import { countWhile } from '../facts/rising.ts';
import { minOf } from '../figures/extremes.ts';
import { countOf, plural, probability } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';
import { the } from './words.ts';

/** One node whose new connections miss the youngest pods, while those of other nodes reach them. */
interface Miss {
  readonly node: string;
  /** How many of the youngest pods. */
  readonly young: number;
  /** Connections from there that were opened when these pods were Ready. */
  readonly connections: number;
  readonly fromElsewhere: number;
  readonly byChance: number;
}

export const nodeRulesStale: CauseUnit = {
  id: 'node-rules-stale',
  title: 'One node does not know the new pods',
  family: 'service',
  needs: ['endpoints', 'connections', 'clients'],
  signature:
    'Connections from one node that were opened after the youngest pods became Ready miss these pods, while such connections from other nodes reach them: its kube-proxy has not taken over the endpoints.',
  confidenceRule: `likely when so many misses have a probability under ${limits.chanceLevel} over all nodes that were compared, and no setting of the Service leads traffic by its place; below that it is not named. Never certain: the rules on the node are not read.`,
  rivals: [
    { id: 'new-pods-idle', toldApartBy: 'the start of the clients on that node against the ages of the pods' },
    { id: 'traffic-distribution', toldApartBy: 'hints at the endpoints' },
  ],
  directs: 'inferred',
  firstStep: ({ kubectl }) => ({
    text: 'look at kube-proxy of that node (its log, its age) and restart it',
    command: kubectl(['get', 'pods'], 'kube-system', ['-l', 'k8s-app=kube-proxy', '-o', 'wide']),
  }),
  find(facts) {
    const { headless, hops, settings, service, replicas } = facts;
    if (!isUneven(facts) || headless || hops.length > 0 || settings.length > 0) return null;
    if (service.sessionAffinity === 'ClientIP' || replicas.some((pod) => pod.sockets === null)) return null;
    const miss = findMiss(facts);
    if (miss === null || miss.byChance >= limits.chanceLevel) return null;
    const { node, young, connections, fromElsewhere, byChance } = miss;
    const isLost = facts.index.nodes.get(node)?.ready === false;
    return {
      confidence: 'likely',
      text: `new connections from node ${node} miss ${the(young, 'youngest pod')}: are its kube-proxy rules stale?`,
      evidence: [
        `${countOf(connections, 'connection', 'connections')} from ${node} opened since ${young === 1 ? 'that pod was' : 'those pods were'} Ready, none to ${young === 1 ? 'it' : 'them'}; by chance with probability ${probability(byChance)}`,
        `${plural(fromElsewhere, 'such connection')} from other nodes ${fromElsewhere === 1 ? 'reaches' : 'reach'} ${young === 1 ? 'it' : 'them'}`,
        isLost && `node ${node} is not Ready`,
      ],
      settledBy: [`the log of kube-proxy on ${node}, and the addresses in its rules`],
    };
  },
};

function findMiss(facts: Facts): Miss | null {
  const { replicas, allConnections } = facts;
  const since = replicas.map((pod) =>
    pod.readySince === null ? null : Math.max(pod.readySince, pod.startedAt ?? pod.readySince),
  );
  if (since.some((time) => time === null)) return null;
  const byAge = since.map((time, index) => ({ index, time: time ?? 0 })).sort((a, b) => b.time - a.time);
  const placed = allConnections.flatMap(({ replica, connection }) => {
    const node = connection.peer.pod?.nodeName ?? null;
    return node === null ? [] : [{ replica, node, openedSince: openedSince(connection, replica, facts) }];
  });
  const boundaries = byAge.flatMap((entry, position) => {
    const next = byAge[position + 1];
    return next !== undefined && entry.time - next.time > bornTogetherMs ? [position + 1] : [];
  });
  const positions = new Map(byAge.map(({ index }, position) => [index, position]));
  const ready = byAge[0]?.time ?? 0;
  const later = placed.flatMap(({ node, replica, openedSince }) =>
    openedSince !== null && openedSince > ready ? [{ node, position: positions.get(replica) ?? 0 }] : [],
  );
  const youngestFirst = later.map(({ position }) => position).sort((a, b) => a - b);
  const nodes = new Set(placed.map((entry) => entry.node)).size;
  const misses = [...Map.groupBy(later, ({ node }) => node)].flatMap(([node, own]): Miss[] => {
    // The more pods a node misses the less likely that is by chance: all that are younger than those it reaches.
    const youngest = minOf(own.map(({ position }) => position));
    const young = boundaries[countWhile(boundaries, (boundary) => boundary <= youngest) - 1];
    if (young === undefined) return [];
    const fromElsewhere = countWhile(youngestFirst, (position) => position < young);
    // So many nodes and groups were looked at that one of them may miss by luck.
    const single = (1 - young / replicas.length) ** own.length;
    const byChance = Math.min(1, single * nodes * boundaries.length);
    return fromElsewhere === 0 ? [] : [{ node, young, connections: own.length, fromElsewhere, byChance }];
  });
  misses.sort((a, b) => a.byChance - b.byChance || a.young - b.young || (a.node < b.node ? -1 : 1));
  return misses[0] ?? null;
}

/** A connection was opened no earlier than its client started, or than the first of two samples that lacks it. */
function openedSince(connection: Connection, replica: number, { replicas, now }: Facts): number | null {
  const started = connection.peer.startedAt;
  const seconds = replicas[replica]?.sockets?.seconds ?? null;
  const opened = seconds !== null && !connection.kept ? now - seconds * 1000 : null;
  return started === null ? opened : Math.max(started, opened ?? started);
}

import { byAddress, type ClientFacts } from '../facts/client-facts.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import { countOf, listed, percent, plural, probability } from '../report/words.ts';
import type { CauseUnit, Finding } from './unit.ts';

/** Peers that come with an address of their own, from outside the cluster. */
const ownAddress: ReadonlySet<string> = new Set(['outside', 'address']);
/** Behind these the load balancer, or the node that it sends to, hides who calls. */
const pooled: ReadonlySet<string> = new Set(['node', 'load-balancer']);

export const lbSource: CauseUnit = {
  id: 'lb-source',
  title: 'The load balancer deals by source or by node, not by pod',
  family: 'service',
  needs: ['service', 'endpoints', 'connections', 'clients'],
  signature:
    'Most load comes from outside through a load balancer. It keeps each source address on one node or pod, or uses only some of the nodes, or holds connections of its own to the nodes, which kube-proxy pins one by one.',
  confidenceRule: `likely when the addresses with several connections have them all at one place, or nodes with pods get nothing, each by chance with a probability under ${limits.chanceLevel}, and no affinity of the Service explains it; possible when the load comes over connections that the load balancer or the nodes hold. Never certain: how it deals is not seen from the cluster.`,
  rivals: [
    { id: 'external-traffic-policy-local', toldApartBy: 'the load of each node against its number of pods' },
    { id: 'session-affinity', toldApartBy: 'sessionAffinity of the Service' },
    { id: 'few-connections', toldApartBy: 'the number of connections from outside' },
  ],
  directs: 'inferred',
  curedBy: ['l7-proxy'],
  bars: { strategies: ['headless-round-robin'], why: 'the clients come through a load balancer' },
  firstStep: 'let the load balancer have the pods for targets (IP targets), or let it deal by connection',
  find(facts) {
    const { service, hops } = facts;
    const isBehind =
      service.type === 'LoadBalancer' ||
      service.type === 'NodePort' ||
      facts.path.path?.ingresses?.some((ingress) => ingress.controller === 'alb') === true;
    if (!isUneven(facts) || !isBehind || facts.headless || hops.length > 0 || facts.perCall) return null;
    if (service.sessionAffinity === 'ClientIP') return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    const part = (kinds: ReadonlySet<string>) =>
      clients.reduce((sum, client) => sum + (kinds.has(client.peer.kind) ? client.share : 0), 0);
    if (part(ownAddress) >= 0.5) {
      const outside = clients.filter((client) => ownAddress.has(client.peer.kind));
      return bySource(outside, facts) ?? bySomeNodes(outside, facts);
    }
    return part(pooled) >= 0.5 ? overOwnConnections(clients, part(pooled)) : null;
  },
};

/** Each address with several connections has them all at one place. */
function bySource(outside: readonly ClientFacts[], facts: Facts): Finding | null {
  const isLocal = facts.service.externalTrafficPolicy === 'Local';
  const placeOf = (replica: number) => (isLocal ? nodeOf(facts.replicas[replica]) : String(replica));
  const places = new Set(facts.replicas.map((_, index) => placeOf(index))).size;
  const several = outside.filter((client) => client.connections > 1);
  const split = several.filter((client) => new Set(client.reached.map(placeOf)).size > 1);
  const byChance = several.reduce((product, { connections }) => product / places ** (connections - 1), 1);
  if (places < 2 || split.length > 0 || byChance >= limits.chanceLevel) return null;
  const place = isLocal ? 'node' : 'pod';
  return {
    confidence: 'likely',
    text: `the load balancer keeps each source address on one ${place}: ${countOf(outside.length, 'address calls', 'addresses call')}`,
    evidence: [
      `${countOf(several.length, 'address with several connections has', 'addresses with several connections have')} them all on one ${place}; by chance with probability ${probability(byChance)}`,
      'sessionAffinity is None: the Service does not pin them',
    ],
    settledBy: ['the rule of the load balancer: by source address, by connection or by target'],
  };
}

/** With the policy Local a node that gets nothing has no say in it: the load balancer does not send to it. */
function bySomeNodes(outside: readonly ClientFacts[], facts: Facts): Finding | null {
  if (facts.service.externalTrafficPolicy !== 'Local') return null;
  const nodes = new Set(facts.replicas.map(nodeOf));
  const reached = new Set(
    outside.flatMap((client) => client.reached.map((replica) => nodeOf(facts.replicas[replica]))),
  );
  const connections = outside.reduce((sum, client) => sum + client.connections, 0);
  // No more than the number of ways to choose the empty nodes, times that all connections miss these.
  const byChance = choose(nodes.size, reached.size) * (reached.size / nodes.size) ** connections;
  if (reached.size === nodes.size || byChance >= limits.chanceLevel) return null;
  const empty = [...nodes].filter((node) => !reached.has(node)).sort();
  return {
    confidence: 'likely',
    text: `the load balancer sends to ${reached.size} of the ${nodes.size} nodes with pods`,
    evidence: [
      `${plural(connections, 'connection')} from outside, none to a pod on ${listed(empty)}; by chance with probability ${probability(byChance)}`,
      'externalTrafficPolicy is Local: a node passes on to its own pods only',
    ],
    settledBy: ['its health checks of the nodes; an address that one node announces (layer 2) has only that node'],
  };
}

/** Its own connections to the nodes or pods, each of which stays where it is. */
function overOwnConnections(clients: readonly ClientFacts[], part: number): Finding {
  const held = clients.filter((client) => pooled.has(client.peer.kind));
  const connections = held.reduce((sum, client) => sum + client.connections, 0);
  const who = held.some((client) => client.peer.kind === 'node') ? 'node addresses' : 'addresses of the load balancer';
  return {
    confidence: 'possible',
    text: `${percent(part)} of the load comes over ${plural(connections, 'connection')} from ${who}, each of which stays on one pod`,
    evidence: [
      `${who} in the place of the clients: ${listed(held.map((client) => client.peer.workload))}`,
      'a load balancer that has nodes for targets keeps connections to them, and kube-proxy pins each to a pod',
    ],
    settledBy: ['the targets of the load balancer (nodes or pods), and whether clients with hostNetwork call'],
  };
}

function nodeOf(pod: MeasuredPod | undefined): string {
  return pod?.backend.nodeName ?? pod?.pod?.nodeName ?? '';
}

/** Number of ways to choose k of n. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let index = 1; index <= k; index++) ways = (ways * (n - k + index)) / index;
  return ways;
}

import type { CauseId, Confidence, LanguageId, State, StrategyId } from '../report/ids.ts';
import type { Recommendation } from '../report/schema.ts';
import { countOf } from '../report/words.ts';
import type { Facts } from '../verdict/facts.ts';
import { clusterIp } from './cluster-ip.ts';
import { lookAt } from './command.ts';
import { headlessRoundRobin } from './headless-round-robin.ts';
import { l7Proxy } from './l7-proxy.ts';
import { maxConnectionAge, proposedAge } from './max-connection-age.ts';
import type { Ownership } from './ownership.ts';
import { proxylessXds } from './proxyless-xds.ts';
import { type Choice, rules } from './rules.ts';
import { restsOnOldConnections } from './serving.ts';
import { preconditionsOf, type StrategyUnit } from './unit.ts';

/** The five strategies, in the order of what they change. */
export const strategyUnits: readonly StrategyUnit[] = [
  clusterIp,
  maxConnectionAge,
  headlessRoundRobin,
  l7Proxy,
  proxylessXds,
];

/** What is in place now, as far as the Service and its pods show it. */
function currentStrategy(facts: Facts): StrategyId {
  if (facts.hops.length > 0) return 'l7-proxy';
  if (facts.path.parts.xds >= 0.5) return 'proxyless-xds';
  return facts.headless ? 'headless-round-robin' : 'cluster-ip';
}

/** Exactly one strategy and what to do with it, by the first rule that applies. */
export function recommend(
  facts: Facts,
  state: State,
  causes: ReadonlyMap<CauseId, Confidence>,
  ownership: Ownership,
  settledBy: string | null,
  language: LanguageId | null = null,
): Recommendation {
  const current = currentStrategy(facts);
  const context = { facts, ownership, language };
  const situation = { facts, state, causes, ownership, current };
  const rule = rules.find((entry) => entry.applies(situation));
  if (rule === undefined) throw new Error('the last rule applies always');
  const choice = rule.choose(situation);
  return {
    strategy: choice.strategy,
    action: choice.action,
    current,
    rule: rule.row,
    text:
      rule.row === 0 && state !== 'no-traffic'
        ? 'nothing yet: what was seen does not settle it'
        : describeChoice(choice, current),
    ...firstSteps(facts, causes, choice.strategy, settledBy),
    alternative: choice.alternative ?? null,
    because: [...choice.because],
    ownership: ownership.whose,
    ownershipBasis: ownership.basis,
    strategies: strategyUnits.map((unit) => ({
      id: unit.id,
      title: unit.title,
      preconditions: preconditionsOf(unit, context),
      ...unit.assess(context),
    })),
    connectionAgeSeconds: proposedAge(facts.allConnections.length, Math.max(1, facts.replicas.length)),
  };
}

const names: Readonly<Record<StrategyId, string>> = {
  'cluster-ip': 'the ClusterIP Service',
  'max-connection-age': 'MaxConnectionAge on the server',
  'headless-round-robin': 'headless + round_robin',
  'l7-proxy': 'L7 proxy / mesh',
  'proxyless-xds': 'proxyless gRPC over xDS',
};

function describeChoice(choice: Choice, current: StrategyId): string {
  const name = names[choice.strategy];
  const other = choice.alternative === undefined ? '' : `; ${names[choice.alternative]} if clients cannot change`;
  switch (choice.action) {
    case 'keep':
      return choice.strategy === current ? `keep ${name}` : `keep ${name} as it is`;
    case 'complete':
      return `add ${choice.adds ?? name}${other}`;
    case 'repair':
      return `repair the ${name} that is there`;
    case 'adopt':
      return `${name}${other}`;
  }
}

/** What to do before anything else: the real fault, or the look that settles it. */
function firstSteps(
  facts: Facts,
  causes: ReadonlyMap<CauseId, Confidence>,
  strategy: StrategyId,
  settledBy: string | null,
): Pick<Recommendation, 'first' | 'commands'> {
  const rests = facts.holders.length > 0 && restsOnOldConnections(facts);
  const steps: Partial<Record<CauseId, string>> = {
    'endpoints-missing': 'make the pods endpoints: selector, named target port and readiness',
    'pods-not-ready': describeUnready(facts, rests),
    'probe-misconfigured': 'correct the probe',
    'probe-failing': facts.probeFaults.some(({ id }) => id.startsWith('liveness-restarts'))
      ? 'find out why the probe fails: liveness should ask nothing that pods share, and leave a busy pod time'
      : 'find out why the readiness probe fails there: a busy pod may need more than its timeoutSeconds',
    'single-endpoint': 'run more than one pod, if one is not what you want',
    'uneven-work': 'compare the calls per method and the roles of the pods: no way of balancing evens out unequal work',
    'session-affinity': 'set sessionAffinity: None, unless the pinning is wanted',
    'traffic-distribution': 'spread the pods over the zones as the clients are, or drop trafficDistribution',
    'topology-hints': 'spread the pods over the zones as the clients are, or drop the annotation topology-mode',
    'internal-traffic-policy-local': 'set internalTrafficPolicy: Cluster, or run a pod on every node with clients',
    'external-traffic-policy-local': 'spread the pods evenly over the nodes, or set externalTrafficPolicy: Cluster',
    'lb-source': 'let the load balancer have the pods for targets (IP targets), or let it deal by connection',
    'node-rules-stale': 'look at kube-proxy of that node (its log, its age) and restart it',
    'port-not-served': 'make every pod listen on the target port, and let the readiness probe ask that port',
    'unequal-pods': 'give the pods alike nodes and limits, or each workload a Service of its own',
    'addressed-by-name': 'look at how the clients spread their keys or find their leader: no Service chooses for them',
    'not-grpc':
      'limit how long the server keeps a connection (its keep-alive limits), or the pool of the clients: MaxConnectionAge is an option of gRPC servers',
    'unready-but-connected': facts.holders.every(({ why }) => why === 'gone')
      ? 'restart those clients, or delete the pod when nobody needs it any more: it goes on serving whoever is connected'
      : 'make the clients let go: client-side health checking (healthCheckConfig), GOAWAY from a server that is NOT_SERVING, or a restart of the clients',
    'mesh-bypassed':
      'switch balancing at connect() off for pods: socketLB.hostNamespaceOnly (Cilium), bpfConnectTimeLoadBalancing (Calico)',
    'mesh-sees-tcp':
      'declare the protocol of the port: appProtocol: grpc (for Linkerd: take it out of the opaque ports)',
    'client-outside-mesh': 'give the clients the sidecar of the mesh: their own proxy chooses the pods',
    'ambient-without-waypoint': 'give the Service a waypoint, and label it istio.io/use-waypoint',
    'headless-with-mesh': 'let the clients with a sidecar dial a ClusterIP Service over the same pods',
    'consistent-hash': 'take the hash out of the DestinationRule, or hash by a key with many values',
    'weighted-routing': 'set the weights in proportion to the pods of each subset, unless they are wanted',
    'proxy-to-cluster-ip': 'let the proxy dial the pods: their endpoints, or a headless name that it resolves again',
    'hot-client': 'find out why the heaviest client makes so many calls',
    'hot-connection': 'make that client spread its calls over its connections, or look what runs on that one',
    'long-streams':
      'end and reopen streams after some minutes, or split the heavy one: a stream stays on its pod while it lasts',
    'stuck-pod': 'dump the threads of the stuck pod before it goes: what it waits for is seen nowhere else',
    draining:
      'let it drain; to make it shorter, end streams after some minutes, and mind terminationGracePeriodSeconds',
    'connection-churn': 'let the clients keep one channel and make all calls on it: then balance them in the client',
    'connection-leak': 'look for channels that are made for each call and never closed',
    'stream-limit': 'raise MAX_CONCURRENT_STREAMS of the server, or let the clients open further channels',
  };
  const explained = (['probe-misconfigured', 'probe-failing'] as const).some(
    (id) => (causes.get(id) ?? 'possible') !== 'possible',
  );
  const isSaid = (id: CauseId) =>
    // Where the clients balance by themselves a proxy of their own would be in the way.
    (id === 'client-outside-mesh' && strategy === 'headless-round-robin') ||
    (id === 'pods-not-ready' && explained) ||
    // To let go of a pod that works helps only where another one takes the calls.
    (id === 'unready-but-connected' && rests);
  const ids = [...causes.keys()].filter((id) => !isSaid(id));
  const looks = (of: readonly CauseId[]) =>
    of.flatMap((id) => (steps[id] === undefined ? [] : [{ text: steps[id], command: lookAt(facts, id) }]));
  const all = [
    ...looks(rests ? ids.filter((id) => ofReadiness.has(id)) : []),
    ...(settledBy === null ? [] : [{ text: `see ${settledBy}`, command: null }]),
    ...looks(rests ? ids.filter((id) => !ofReadiness.has(id)) : ids),
  ];
  return { first: all.map(({ text }) => text), commands: all.map(({ command }) => command) };
}

/** What is repaired before anything else where the calls rest on connections to pods that are no endpoints. */
const ofReadiness: ReadonlySet<CauseId> = new Set([
  'probe-misconfigured',
  'probe-failing',
  'pods-not-ready',
  'endpoints-missing',
  'port-not-served',
]);

function describeUnready({ missing }: Facts, rests: boolean): string {
  const count = missing.notReady.length + missing.pending.length;
  return rests
    ? `make the ${countOf(count, 'pod', 'pods')} Ready again that ${count === 1 ? 'is' : 'are'} not: calls rest on connections of before, and new ones find none of them`
    : `find out why ${countOf(count, 'pod is', 'pods are')} not Ready`;
}

/**
 * Evidence to show to others: names, addresses and images become numbered ones, and what follows from them stays. The
 * walk goes by the schema: a choice from a list, a number and a time stay, some fields keep the vocabulary of Kubernetes,
 * and every other text is replaced, so that a field that is added later is hidden until somebody says otherwise.
 */
import { type Addresses, openAddresses } from './redact-addresses.ts';
import { type Names, openNames } from './redact-names.ts';
import { redactWords } from './redact-words.ts';
import type { SkewEvidence } from './schema.ts';
import { evidenceShape, isChoice, type Visitor, walk } from './shape.ts';

/** Keeps one pseudonym for each name, over all that it is given. */
export interface Redactor {
  evidence(seen: SkewEvidence): SkewEvidence;
  /** Own words about what was seen, into which names may be mixed. */
  words(text: string): string;
  /** Words for a user, with the names that they hold. */
  problem<P extends ProblemWords>(problem: P): P;
}

interface ProblemWords {
  readonly message: string;
  readonly hint: string | null;
  readonly names?: readonly string[];
}

/** Fields that keep the vocabulary of Kubernetes, gRPC and our own, and nothing else. By name, or with that of the parent. */
const vocabularyOf: ReadonlyMap<string, RegExp> = new Map([
  ['apiVersion', /^grpc-skew\/v\w{1,12}$/],
  ['toolVersion', /^\d[\w.+-]{0,40}$/],
  ['service.type', /^(ClusterIP|NodePort|LoadBalancer|ExternalName)$/],
  ['siblings.type', /^(ClusterIP|NodePort|LoadBalancer|ExternalName)$/],
  ['metrics.type', /^(Resource|ContainerResource|Pods|Object|External)$/],
  ['pushes.type', /^(cds|eds|lds|rds|nds|sds|ecds|pcds|wds|wads|api)$/],
  ['kind', /^(Deployment|ReplicaSet|StatefulSet|DaemonSet|Job|CronJob|ReplicationController|Rollout|Node|Pod)$/],
  [
    'manager',
    /^(kubectl(-(annotate|apply|autoscale|client-side-apply|create|edit|expose|label|patch|replace|rollout|scale|set))?|kube-controller-manager|helm(-controller)?|kustomize-controller|argocd-(application-)?controller|before-first-apply|Terraform|pulumi)$/,
  ],
  ['phase', /^(Pending|Running|Succeeded|Failed|Unknown)$/],
  ['addressType', /^(IPv4|IPv6|FQDN)$/],
  [
    'waitingReason',
    /^(ContainerCreating|PodInitializing|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|ErrImageNeverPull|InvalidImageName|CreateContainerConfigError|CreateContainerError|RunContainerError|StartError)$/,
  ],
  [
    'lastTermination.reason',
    /^(OOMKilled|Error|Completed|ContainerCannotRun|DeadlineExceeded|Evicted|StartError|ContainerStatusUnknown)$/,
  ],
  ['protocol', /^(TCP|UDP|SCTP)$/],
  ['sessionAffinity', /^(None|ClientIP)$/],
  ['internalTrafficPolicy', /^(Cluster|Local)$/],
  ['externalTrafficPolicy', /^(Cluster|Local)$/],
  ['trafficDistribution', /^(PreferClose|PreferSameZone|PreferSameNode)$/],
  ['topologyMode', /^(Auto|auto|Disabled|disabled)$/],
  ['resource', /^(cpu|memory)$/],
  [
    'groups',
    /^(apps|([a-z-]+\.)*k8s\.io|([a-z]+\.)?(istio|linkerd|cilium|traefik)\.io|([a-z]+\.)?projectcalico\.org)$/,
  ],
  [
    'family',
    /^(go-grpc-middleware|grpc \(A66\)|micrometer|opentelemetry( \(older(, seconds)?\))?|istio-proxy|linkerd-proxy)$/,
  ],
  ['metricsEndpoint.path', /^\/(metrics|prometheus|actuator\/prometheus|stats\/prometheus)$/],
]);

const addressFields: ReadonlySet<string> = new Set([
  ...['addresses', 'clusterIP', 'clusterIPs', 'hostAddress', 'localAddress', 'peerAddress', 'loadBalancerAddresses'],
  'podCIDRs',
]);

/** Own words, into which those of the cluster are mixed. */
const wordFields: ReadonlySet<string> = new Set(['message', 'signals.reason']);

/** Ports are called by them, with a protocol in front. */
const portFields: ReadonlySet<string> = new Set([
  'ports.name',
  'ports.targetPort',
  'probes.port',
  'spec.port',
  'ports.appProtocol',
]);

/** A number, or names that say what is spoken, which decides what a mesh takes the port for. */
const plainPort =
  /^(\d{1,5}|(grpc|grpc-web|https?|http2|h2c|tcp|tls|udp|mongo|redis|mysql|metrics|http-metrics|prometheus|prom|monitoring|health|admin|kubernetes\.io\/(h2c|wss?))?)$/i;

/** Labels that name an app, a release or a revision by custom; any other key may be called after somebody. */
const commonLabels: ReadonlySet<string> = new Set([
  ...['app', 'k8s-app', 'team', 'owner', 'name', 'component', 'tier', 'role', 'version', 'release', 'chart'],
  ...['pod-template-hash', 'pod-template-generation', 'controller-revision-hash', 'helm.sh/chart'],
  ...['name', 'instance', 'version', 'component', 'part-of', 'managed-by'].map((key) => `app.kubernetes.io/${key}`),
]);

/** Labels whose values tie a pod to its ReplicaSet: without them it would have no workload. */
const hashLabels: ReadonlySet<string> = new Set(['pod-template-hash', 'pod-template-generation']);
const hash = /^([bcdfghjklmnpqrstvwxz2456789]{5,10}|\d{1,6})$/;

/** Kinds of names that are called after their field; all others are a `name`. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['context', 'context'],
  ['namespace', 'namespace'],
  ['node', 'node'],
  ['nodeName', 'node'],
  ['image', 'image'],
  ['zone', 'zone'],
  ['hintZones', 'zone'],
  ['hintNodes', 'node'],
  ['method', 'method'],
  ['uid', 'uid'],
  ['podUid', 'uid'],
  ['instanceType', 'machine'],
  ['kind', 'kind'],
  ['groups', 'group'],
]);

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Opens a redactor; the same Evidence gives the same pseudonyms, in the order in which the names appear. */
export function openRedactor(): Redactor {
  const names = openNames();
  const addresses = openAddresses();
  const visitor = visitorFor(names, addresses);
  const words = (text: string) => redactWords(text, names, addresses);
  return {
    words,
    problem(problem) {
      for (const name of problem.names ?? []) names.of(name, 'name');
      const { message, hint } = problem;
      return { ...problem, message: words(message), hint: hint === null ? null : words(hint) };
    },
    evidence(seen) {
      // Twice: the first walk learns the names that words may hold, those first that others are made of.
      for (const base of basesOf(seen)) names.of(base, 'app');
      walk(evidenceShape, seen, [], visitor);
      return walk(evidenceShape, seen, [], visitor) as SkewEvidence;
    },
  };
}

function visitorFor(names: Names, addresses: Addresses): Visitor {
  return {
    text(value, shape, path) {
      const key = path.at(-1) ?? '';
      const ofParent = path.slice(-2).join('.');
      if (isChoice(shape, value) || timestamp.test(value)) return value;
      if ((vocabularyOf.get(ofParent) ?? vocabularyOf.get(key))?.test(value) === true) return value;
      if (key === 'needs') return redactRight(value, names, addresses);
      if (wordFields.has(key) || wordFields.has(ofParent)) return redactWords(value, names, addresses);
      if (portFields.has(ofParent)) return redactPort(value, names);
      if (addressFields.has(key)) return addresses(value) ?? names.of(value, 'address');
      return names.of(value, kinds.get(key) ?? (path.at(-2) === 'nodes' ? 'node' : 'name'));
    },
    entry: (key, value) => [
      commonLabels.has(key) ? key : names.of(key, 'label'),
      hashLabels.has(key) && hash.test(String(value)) ? value : names.of(String(value), 'name'),
    ],
  };
}

/** Names that those of pods and ReplicaSets begin with. */
function basesOf(evidence: SkewEvidence): readonly string[] {
  const owned = [...(evidence.pods ?? []), ...(evidence.formerPods ?? []), ...(evidence.peers?.pods ?? [])];
  const workloads = owned.flatMap(({ owner, labels }) => {
    if (owner === null) return [];
    const end = `-${labels['pod-template-hash']}`;
    return [owner.kind === 'ReplicaSet' && owner.name.endsWith(end) ? owner.name.slice(0, -end.length) : owner.name];
  });
  return [evidence.metadata.name, ...workloads, ...(evidence.deployments ?? []).map((entry) => entry.name)];
}

/** The protocol before the first dash stays: meshes go by it. */
function redactPort(value: string, names: Names): string {
  if (plainPort.test(value)) return value;
  const [first = '', ...rest] = value.split('-');
  return rest.length > 0 && first !== '' && plainPort.test(first)
    ? `${first}-${names.of(value, 'port')}`
    : names.of(value, 'port');
}

/** A right is in words of Kubernetes, but for the namespace that it is missing in. */
function redactRight(right: string, names: Names, addresses: Addresses): string {
  for (const [, namespace = ''] of right.matchAll(/ in (?!all namespaces)([^\s,]+)/g)) names.of(namespace, 'namespace');
  return redactWords(right, names, addresses);
}

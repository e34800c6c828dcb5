/**
 * Evidence to show to others: names, addresses and images become numbered ones, and what follows from them stays. The
 * walk goes by the schema: a choice from a list, a number and a time stay, some fields are listed here as harmless, and
 * every other text is replaced, so that a field that is added later is hidden until somebody says otherwise.
 */
import { meshProxyOf } from './mesh-proxies.ts';
import { SkewEvidence } from './schema.ts';

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

/** Fields whose text is of Kubernetes or of gRPC, or a random id. */
const harmless: ReadonlySet<string> = new Set([
  ...['apiVersion', 'toolVersion', 'type', 'kind', 'phase', 'addressType', 'waitingReason', 'lastTermination.reason'],
  ...['protocol', 'appProtocol', 'sessionAffinity', 'internalTrafficPolicy', 'externalTrafficPolicy'],
  ...['trafficDistribution', 'topologyMode', 'ports.name', 'probes.port', 'spec.port', 'ports.targetPort'],
  ...['uid', 'podUid', 'family', 'metricsEndpoint.path', 'instanceType', 'resource', 'groups'],
]);

const addressFields: ReadonlySet<string> = new Set([
  ...['addresses', 'clusterIP', 'clusterIPs', 'hostAddress', 'localAddress', 'peerAddress', 'loadBalancerAddresses'],
  'podCIDRs',
]);

/** Own words, into which those of the cluster are mixed. */
const wordFields: ReadonlySet<string> = new Set(['message', 'signals.reason']);

/** Labels whose values tie a pod to its ReplicaSet: without them it would have no workload. */
const hashLabels: ReadonlySet<string> = new Set(['pod-template-hash', 'pod-template-generation']);

/** Names that every cluster may have. */
const commonNames = /^(|none|None|default|kube-(system|public|node-lease)|istio-system|linkerd|cilium|monitoring)$/;

/** Kinds of names that are called after their field; all others are a `name`. */
const kinds: Readonly<Record<string, string>> = {
  context: 'context',
  namespace: 'namespace',
  node: 'node',
  nodeName: 'node',
  image: 'image',
  zone: 'zone',
  hintZones: 'zone',
  hintNodes: 'node',
  method: 'method',
};

/** The alphabet of generated names (apimachinery util/rand). */
const generated =
  /^(-[bcdfghjklmnpqrstvwxz2456789]{5,10})?(-[bcdfghjklmnpqrstvwxz2456789]{5}|-\d+)$|^-[bcdfghjklmnpqrstvwxz2456789]{5,10}$/;

const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** Opens a redactor; the same Evidence gives the same pseudonyms, in the order in which the names appear. */
export function openRedactor(): Redactor {
  const names = openNames();
  const addresses = openAddresses();
  const textOf = (path: readonly string[], value: string): string => {
    const key = path.at(-1) ?? '';
    const ofParent = path.slice(-2).join('.');
    if (timestamp.test(value) || harmless.has(key) || harmless.has(ofParent)) return value;
    if (key === 'needs') return redactRight(value, names);
    if (wordFields.has(key) || wordFields.has(ofParent)) return redactWords(value, names, addresses);
    if (addressFields.has(key)) return addresses(value) ?? names.of(value, 'address');
    return names.of(value, kinds[key] ?? (path.at(-2) === 'nodes' ? 'node' : 'name'));
  };
  return {
    words: (text) => redactWords(text, names, addresses),
    problem(problem) {
      for (const name of problem.names ?? []) names.of(name, 'name');
      const { message, hint } = problem;
      return {
        ...problem,
        message: redactWords(message, names, addresses),
        hint: hint === null ? null : redactWords(hint, names, addresses),
      };
    },
    evidence(seen) {
      // Twice: the first walk learns the names that words may hold, those first that others are made of.
      for (const base of basesOf(seen)) names.of(base, 'app');
      walk(schema, seen, [], textOf);
      return walk(schema, seen, [], textOf) as SkewEvidence;
    },
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

type Replace = (path: readonly string[], value: string) => string;

interface Shape {
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
}

// What TypeBox builds is JSON Schema, of which its types say less than the walk reads.
const schema = SkewEvidence as unknown as Shape;

function walk(shape: Shape, value: unknown, path: readonly string[], replace: Replace): unknown {
  if (typeof value === 'string') return isChoice(shape, value) ? value : replace(path, value);
  if (typeof value !== 'object' || value === null) return value;
  const fitting = branchesOf(shape).filter((one) => fits(one, value));
  const [first] = fitting;
  if (Array.isArray(value)) return value.map((entry) => walk(first?.items ?? {}, entry, path, replace));
  const isRecord = first?.patternProperties !== undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      if (isRecord) return redactLabel(key, String(entry), path, replace);
      const shapes = fitting.flatMap((one) => one.properties?.[key] ?? []);
      return [key, walk({ anyOf: shapes }, entry, [...path, key], replace)];
    }),
  );
}

/** All that a union, of unions perhaps, allows. */
function branchesOf(shape: Shape): readonly Shape[] {
  return shape.anyOf?.flatMap(branchesOf) ?? [shape];
}

/** Of a union of objects, those that know the fields that this one has. */
function fits(shape: Shape, value: object): boolean {
  if (Array.isArray(value)) return shape.items !== undefined;
  if (shape.patternProperties !== undefined) return true;
  return (
    shape.properties !== undefined && Object.keys(value).every((key) => Object.hasOwn(shape.properties ?? {}, key))
  );
}

function isChoice(shape: Shape, value: string): boolean {
  if (shape.const !== undefined) return shape.const === value;
  if (Array.isArray(shape.enum)) return shape.enum.includes(value);
  return shape.anyOf?.some((one) => isChoice(one, value)) === true;
}

function redactLabel(key: string, value: string, path: readonly string[], replace: Replace): [string, string] {
  const [prefix, name] = key.includes('/') ? key.split('/', 2) : [null, key];
  const isCommon = prefix === null || /(^|\.)(k8s|kubernetes|istio|linkerd|cilium|helm)\.(io|sh)$/.test(prefix ?? '');
  const shown = isCommon ? key : `${replace([...path, 'prefix'], prefix ?? '')}/${name}`;
  return [shown, hashLabels.has(key) ? value : replace([...path, 'label'], value)];
}

interface Names {
  of(name: string, kind: string): string;
  /** All names that were met, longest first, with their pseudonyms. */
  known(): readonly (readonly [string, string])[];
}

function openNames(): Names {
  const pseudonyms = new Map<string, string>();
  const counts = new Map<string, number>();
  const fresh = (name: string, kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const pseudonym = `${kind}-${count}`;
    pseudonyms.set(name, pseudonym);
    return pseudonym;
  };
  return {
    of(name, kind) {
      if (commonNames.test(name) || meshProxyOf(name) !== null) return name;
      const known = pseudonyms.get(name);
      if (known !== undefined) return known;
      for (let cut = name.lastIndexOf('-'); cut > 0; cut = name.lastIndexOf('-', cut - 1)) {
        const base = pseudonyms.get(name.slice(0, cut));
        if (base === undefined || !generated.test(name.slice(cut))) continue;
        pseudonyms.set(name, `${base}${name.slice(cut)}`);
        return `${base}${name.slice(cut)}`;
      }
      return fresh(name, kind);
    },
    known: () => [...pseudonyms].sort(([a], [b]) => b.length - a.length),
  };
}

/** Gives each network another number and leaves the place in it; null for what is no address. */
type Addresses = (text: string) => string | null;

function openAddresses(): Addresses {
  const networks = new Map<string, number>();
  const numberOf = (network: string): number => {
    const number = networks.get(network) ?? networks.size;
    networks.set(network, number);
    return number;
  };
  return (text) => {
    const [address = '', length] = text.split('/');
    const end = length === undefined ? '' : `/${length}`;
    const family = familyOf(address);
    if (family === null) return text === 'None' || text === '' ? text : null;
    if (/^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe80:)/i.test(address)) return text;
    if (family === 4) {
      const [a, b, c, d] = address.split('.');
      const number = numberOf(`${a}.${b}`);
      return `${10 + Math.floor(number / 256)}.${number % 256}.${c}.${d}${end}`;
    }
    const groups = groupsOf(address);
    const number = numberOf(groups.slice(0, 4).join(':'));
    const rest = groups.slice(4).every((group, index) => index === 3 || group === '0')
      ? groups[7]
      : (numberOf(address) + 0x1_0000).toString(16).replace(/(.{4})$/, ':$1');
    return `fd00:0:0:${number.toString(16)}::${rest === '0' ? '' : rest}${end}`;
  };
}

function familyOf(address: string): 4 | 6 | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return 4;
  return address.includes(':') && URL.canParse(`http://[${address.split('%')[0]}]`) ? 6 : null;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** A right is in words of Kubernetes, but for the namespace that it is missing in. */
function redactRight(right: string, names: Names): string {
  return right.replaceAll(/ in (?!all namespaces)([^\s,]+)/g, (_, namespace: string) => {
    return ` in ${names.of(namespace, 'namespace')}`;
  });
}

/** Where something answers, as own words name it: a URL, or `namespace/service:port`. */
const places = /\bhttps?:\/\/[^\s"]*[^\s".,:;)]|(?<![\w.-])[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*:\d+/g;

const serverNames = /\b[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b/gi;
const apiGroups = /(^|\.)(k8s|kubernetes)\.io$|^metrics$/;

/**
 * Names that were met elsewhere get their pseudonyms; what others said in quotes, URLs, names of hosts, mail addresses and
 * IP addresses are taken out. Free words of an admission webhook stay.
 */
function redactWords(text: string, names: Names, addresses: Addresses): string {
  const known = names.known().filter(([name]) => name.length > 2);
  const pseudonymOf = new Map(known);
  let words = text.replaceAll(/"([^"]*)"/g, (_, quoted: string) => `"${pseudonymOf.get(quoted) ?? '…'}"`);
  words = words.replaceAll(/\S+@\S+/g, '…').replaceAll(places, (place) => pseudonymOf.get(place) ?? '…');
  for (const [name, pseudonym] of known) {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    words = words.replaceAll(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'g'), pseudonym);
  }
  words = words.replaceAll(
    /\b\d{1,3}(?:\.\d{1,3}){3}\b|[0-9a-f]*:[0-9a-f:]*:[0-9a-f]*/gi,
    (found) => addresses(found) ?? found,
  );
  return words.replaceAll(serverNames, (found) => (apiGroups.test(found) ? found : '…'));
}

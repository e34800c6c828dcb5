import { meshProxiesIn, meshProxyOf } from '../evidence/mesh-proxies.ts';
import type { PeerPod, Service, ServicePort } from '../evidence/objects.ts';
import type { Path, ProxyLooks, Route } from '../evidence/path-schema.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { type DeclaredProtocol, declaredProtocol, isOpaque } from './declared-protocol.ts';
import type { MeasuredPod } from './measured.ts';
import type { Peer } from './peers/clients.ts';
import type { Connection } from './peers/connections.ts';

/** How the clients come to the pods, as parts of the load. Parts of clients that could not be named are in none. */
interface ClientShares {
  /** With a sidecar of a mesh. */
  readonly meshed: number;
  /** Pods without any proxy of their own, and addresses outside the cluster. */
  readonly bare: number;
  /** Through a gateway or another proxy by trade. */
  readonly gateway: number;
  readonly waypoint: number;
  /** gRPC libraries that speak xDS themselves. */
  readonly xds: number;
}

/** What is known of the path between clients and pods. */
export interface PathFacts {
  readonly path: Path | null;
  /** What Cilium agents and istiod themselves say; null: not asked, or no answer. */
  readonly proxies: ProxyLooks | null;
  readonly declared: DeclaredProtocol;
  /** The proxies take the port for plain TCP, and why: a declaration, not a guess. */
  readonly plain: string | null;
  readonly clientShares: ClientShares;
  /**
   * Addresses of clients that could not be named and surely have no proxy of the mesh: all of many calls went to one pod, on a
   * port that proxies take for HTTP/2.
   */
  readonly unproxied: ReadonlySet<string>;
  /** Containers that are mesh proxies: of clients, and of all replicas. */
  readonly clientProxies: readonly string[];
  readonly serverProxies: readonly string[];
  readonly gateways: readonly string[];
  /** null: not ambient. `seen`: by the annotation that the CNI sets, not by labels alone. */
  readonly ambient: {
    readonly seen: boolean;
    readonly waypoint: string | null;
    readonly missing: string | null;
  } | null;
  readonly hashRule: string | null;
  readonly routes: readonly Route[];
  /** What chooses a pod for each call, by name; empty where nothing does. */
  readonly hops: readonly string[];
}

interface Situation {
  readonly evidence: SkewEvidence;
  readonly service: Service;
  readonly port: ServicePort;
  readonly replicas: readonly MeasuredPod[];
  readonly connections: readonly Connection[];
  readonly weights: readonly number[];
}

/**
 * Reads the path. A pod is chosen for each call by the proxy of the CLIENT: a sidecar at the server alone takes what
 * kube-proxy gave it. Where no client could be named, a sidecar at the server is taken for a mesh on both sides, unless
 * what most of the load does refutes it: calls of one address that all went to one pod.
 */
export function readPath(situation: Situation): PathFacts {
  const { evidence, port, replicas, connections } = situation;
  const path = evidence.path ?? null;
  const named = connections.flatMap((connection) => connection.peer.pod ?? []);
  const clientProxies = unique(named.flatMap((client) => client.meshProxies));
  const [first, ...others] = replicas.map((pod) => meshProxiesIn(pod.pod?.containers ?? []));
  const serverProxies = (first ?? []).filter((name) => others.every((proxies) => proxies.includes(name)));
  const clientShares = clientSharesOf(situation);
  const gateways = unique(connections.flatMap(({ peer }) => (peer.kind === 'gateway' ? [peer.workload] : [])));
  const waypoints = unique(connections.flatMap(({ peer }) => (peer.kind === 'mesh-proxy' ? [peer.workload] : [])));
  const declared = declaredProtocol(port);
  const plain = whyPlain(situation, declared, path, [...clientProxies, ...serverProxies]);
  const unproxied = plain === null && declared.reading === 'http2' ? findUnproxied(situation) : new Set<string>();
  const isRefuted = partOf(situation, ({ address }) => unproxied.has(address)) >= 0.5;
  const onPods = isRefuted ? [] : unique(replicas.flatMap((pod) => meshProxiesIn(pod.pod?.containers ?? [])));
  const sidecars = named.length > 0 ? clientProxies : onPods;
  return {
    path,
    proxies: evidence.proxies ?? null,
    declared,
    plain,
    clientShares,
    unproxied,
    clientProxies,
    serverProxies,
    gateways,
    ambient: readAmbient(replicas, path),
    hashRule: path?.destinationRules?.find((rule) => rule.consistentHash)?.name ?? null,
    routes: path?.routes ?? [],
    hops: [
      ...sidecars,
      ...(clientShares.gateway >= 0.5 ? gateways : []),
      ...waypoints,
      ...(path?.ciliumL7 === true ? ['Cilium Envoy'] : []),
    ],
  };
}

/** Part of the load that connections carry. */
function partOf({ connections, weights }: Situation, fits: (connection: Connection) => boolean): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return 0;
  return connections.reduce((sum, one, index) => sum + (fits(one) ? (weights[index] ?? 0) : 0), 0) / total;
}

/** So many calls, each with its choice of two pods or more, meet in one pod less than once in half a million times. */
const manyCalls = 20;

/** A rule of the mesh may keep the calls of a client together; without one its proxy deals them out to all pods. */
function findUnproxied({ evidence, replicas }: Situation): ReadonlySet<string> {
  const { destinationRules, routes } = evidence.path ?? {};
  if (replicas.length < 2 || destinationRules == null || destinationRules.length > 0 || (routes ?? []).length > 0)
    return new Set();
  const held = replicas.flatMap(({ sockets }, replica) =>
    (sockets?.connections ?? []).map((connection) => ({ replica, connection })),
  );
  const clients = Map.groupBy(
    held.filter(({ connection }) => connection.peer.kind === 'address'),
    ({ connection }) => connection.address,
  );
  const isPinned = (entries: typeof held) =>
    new Set(entries.map(({ replica }) => replica)).size === 1 &&
    entries.reduce((sum, { connection }) => sum + (connection.calls ?? 0), 0) >= manyCalls;
  return new Set([...clients].flatMap(([address, entries]) => (isPinned(entries) ? [address] : [])));
}

function clientSharesOf(situation: Situation): ClientShares {
  const part = (fits: (peer: Peer) => boolean) => partOf(situation, ({ peer }) => fits(peer));
  const isMeshed = (pod: PeerPod | null) => (pod?.meshProxies.length ?? 0) > 0;
  const isXds = (pod: PeerPod | null) => pod?.mesh?.xds != null;
  return {
    meshed: part(({ pod, kind }) => kind === 'workload' && isMeshed(pod)),
    bare: part(({ pod, kind }) => kind === 'outside' || (kind === 'workload' && !isMeshed(pod) && !isXds(pod))),
    gateway: part(({ kind }) => kind === 'gateway'),
    waypoint: part(({ kind }) => kind === 'mesh-proxy'),
    xds: part(({ pod, kind }) => kind === 'workload' && isXds(pod)),
  };
}

function whyPlain(
  { port, replicas }: Situation,
  declared: DeclaredProtocol,
  path: Path | null,
  proxies: readonly string[],
): string | null {
  const meshes = new Set(proxies.map((name) => meshProxyOf(name)?.mesh));
  if (meshes.has('Linkerd')) {
    const target = replicas[0]?.backend.port ?? port.port;
    const annotations = [path?.service.opaquePorts, replicas[0]?.pod?.mesh?.opaquePorts, path?.namespace?.opaquePorts];
    if (isOpaque(port.port, annotations) || isOpaque(target, annotations))
      return `port ${port.port} is opaque to Linkerd (config.linkerd.io/opaque-ports)`;
    if (!meshes.has('Istio')) return null;
  }
  if (declared.reading !== 'tcp') return null;
  return declared.from === 'port'
    ? `port ${port.port} is taken for plain TCP where nothing is declared`
    : `the port declares ${declared.text ?? ''} (${declared.from === 'name' ? 'by its name' : 'appProtocol'}): no HTTP/2`;
}

/** Ambient by what is on the pods themselves, else by the label of the namespace. A sidecar takes a pod out of it. */
function readAmbient(replicas: readonly MeasuredPod[], path: Path | null): PathFacts['ambient'] {
  const pods = replicas.flatMap((replica) => replica.pod ?? []);
  const isIn = pods.map(({ mesh, containers }) => {
    if (meshProxiesIn(containers).includes('istio-proxy') || mesh?.dataplaneMode === 'none') return false;
    return (
      mesh?.redirected === true || mesh?.dataplaneMode === 'ambient' || path?.namespace?.dataplaneMode === 'ambient'
    );
  });
  if (pods.length === 0 || isIn.includes(false)) return null;
  const asked = path?.service.useWaypoint ?? path?.namespace?.useWaypoint ?? null;
  const name = asked === 'none' ? null : asked;
  const isMissing = name !== null && path?.waypoints != null && !path.waypoints.includes(name);
  return {
    seen: pods.every((pod) => pod.mesh?.redirected === true),
    waypoint: isMissing ? null : name,
    missing: isMissing ? name : null,
  };
}

/** Part of the load that the weights of a route give to each replica; null where no route names subsets of the Service. */
export function routedShares(facts: PathFacts, replicas: readonly MeasuredPod[]): readonly number[] | null {
  const subsets = new Map(
    (facts.path?.destinationRules ?? []).flatMap((rule) =>
      rule.subsets.map((subset) => [subset.name, new Set(subset.pods)]),
    ),
  );
  const route = facts.routes.find(({ backends }) => backends.some((backend) => backend.subset !== null));
  if (route === undefined) return null;
  const shares = replicas.map(() => 0);
  for (const { subset, weight } of route.backends) {
    const members = subset === null ? undefined : subsets.get(subset);
    const indexes = replicas.flatMap((pod, index) => (members?.has(pod.name) ? [index] : []));
    for (const index of indexes) shares[index] = (shares[index] ?? 0) + weight / indexes.length;
  }
  const total = shares.reduce((sum, share) => sum + share, 0);
  return total === 0 ? null : shares.map((share) => share / total);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

import type { Endpoint, EndpointSlice, Pod, ServicePort } from './objects.ts';

/** One backend of one Service port, over all slices and address families. */
export interface Backend {
  /** The pod's uid, else address:port. */
  readonly key: string;
  /** Null where the slices name none, or one of another namespace. */
  readonly pod: { readonly name: string; readonly namespace: string; readonly uid: string } | null;
  readonly addresses: readonly string[];
  /** The port that the pod listens on for this Service port. */
  readonly port: number | null;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly nodeName: string | null;
  readonly zone: string | null;
  readonly hintZones: readonly string[];
  readonly hintNodes: readonly string[];
  /** The namespace of its pod, where that is not the Service's. */
  readonly elsewhere?: string;
}

export interface Backends {
  readonly backends: readonly Backend[];
  /** Names of ready endpoints of a pod that is not there: no backends. */
  readonly stale: readonly string[];
  /** Names of pods that the selector matches but whose slice does not serve this port: no replicas of it. */
  readonly withoutPort: readonly string[];
  /** Those that serve a port of the Service which the replicas do not: another application, that lacks nothing. */
  readonly otherPort: readonly string[];
  /** Endpoints that stood in the slices both as ready and as not ready. */
  readonly contradictory: readonly string[];
}

/**
 * Unites the slices of a Service for one port. `pods`: those of its namespace that the slices or its selector name.
 *
 * `ready: null` means ready (API convention). Endpoints are one by the uid of their pod, so dual-stack and duplicate
 * entries count once. A contradiction about readiness is settled by the pod's own Ready condition where it is known.
 * With publishNotReadyAddresses slices call every endpoint ready, so there too the pod's condition decides. An endpoint
 * whose pod is not among the pods of the namespace is stale, and no backend: nothing can be seen of it.
 */
export function uniteEndpoints(
  slices: readonly EndpointSlice[],
  port: ServicePort,
  { namespace, pods }: { readonly namespace: string; readonly pods: readonly Pod[] },
): Backends {
  const podByUid = new Map(pods.map((pod) => [pod.uid, pod]));
  const found = new Map<string, Backend>();
  const contradictory = new Set<string>();
  const isWanted = (candidate: EndpointSlice['ports'][number]) =>
    (candidate.name ?? '') === (port.name ?? '') && candidate.protocol === port.protocol;
  const [serving, others] = split(slices, (slice) => slice.ports.some(isWanted));
  for (const slice of serving) {
    const number = slice.ports.find(isWanted)?.port ?? (typeof port.targetPort === 'number' ? port.targetPort : null);
    for (const endpoint of slice.endpoints) {
      const backend = readBackend(endpoint, number, namespace);
      const earlier = found.get(backend.key);
      if (earlier !== undefined && earlier.ready !== backend.ready) contradictory.add(backend.pod?.name ?? backend.key);
      found.set(backend.key, earlier === undefined ? backend : merge(earlier, backend));
    }
  }
  const [gone, there] = split(
    [...found.values()],
    ({ pod }) => pod !== null && pod.uid !== '' && !podByUid.has(pod.uid),
  );
  const backends = there
    .map((backend) => settleReadiness(backend, podByUid.get(backend.key)))
    .sort((a, b) => compare(a.pod?.name ?? a.key, b.pod?.name ?? b.key));
  const replicas = new Set(backends.map((backend) => backend.pod?.name));
  const names = portNames(serving);
  const isOther = (slice: EndpointSlice) => names.size > 0 && [...portNames([slice])].some((name) => !names.has(name));
  const [other, without] = split(others, isOther).map((members) => {
    const pods = new Set(members.flatMap((slice) => slice.endpoints.flatMap((endpoint) => endpoint.pod?.name ?? [])));
    return [...pods].filter((name) => !replicas.has(name)).sort(compare);
  });
  return {
    backends,
    stale: gone.flatMap(({ ready, pod }) => (ready && pod !== null ? [pod.name] : [])).sort(compare),
    withoutPort: without ?? [],
    otherPort: other ?? [],
    contradictory: [...contradictory].sort(compare),
  };
}

function split<T>(items: readonly T[], fits: (item: T) => boolean): [T[], T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))];
}

function portNames(slices: readonly EndpointSlice[]): ReadonlySet<string> {
  return new Set(slices.flatMap((slice) => slice.ports.map(({ name, protocol }) => `${protocol} ${name ?? ''}`)));
}

function readBackend(endpoint: Endpoint, port: number | null, namespace: string): Backend {
  const of = endpoint.pod?.namespace || namespace;
  const isElsewhere = of !== namespace;
  return {
    key: endpoint.pod?.uid || `${endpoint.addresses[0] ?? ''}:${port ?? ''}`,
    pod: isElsewhere ? null : endpoint.pod,
    ...(isElsewhere && { elsewhere: of }),
    addresses: endpoint.addresses,
    port,
    ready: endpoint.ready ?? true,
    serving: endpoint.serving ?? endpoint.ready ?? true,
    terminating: endpoint.terminating ?? false,
    nodeName: endpoint.nodeName,
    zone: endpoint.zone,
    hintZones: endpoint.hintZones,
    hintNodes: endpoint.hintNodes,
  };
}

function merge(a: Backend, b: Backend): Backend {
  return {
    ...a,
    addresses: [...new Set([...a.addresses, ...b.addresses])],
    port: a.port ?? b.port,
    ready: a.ready || b.ready,
    serving: a.serving || b.serving,
    terminating: a.terminating || b.terminating,
  };
}

function settleReadiness(backend: Backend, pod: Pod | undefined): Backend {
  if (pod === undefined || pod.ready === null || !backend.ready) return backend;
  return pod.ready && pod.deletedAt === null ? backend : { ...backend, ready: false };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

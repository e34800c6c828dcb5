import type { CallLook, ClientLook, MethodCounters, SocketFailure, SocketLook } from '../evidence/looks.ts';
import type { Node, Pod, PodUsage } from '../evidence/objects.ts';
import type { PodTraffic, PrometheusUsage } from '../evidence/prometheus.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { workloadOf } from '../evidence/workload.ts';
import { type Unhealthy, unhealthyByPod } from '../probes/workload.ts';
import { openPeerBook, type PeerBook } from './peers/clients.ts';

/** The looks at one pod. */
interface Samples<Look> {
  readonly first: Look | undefined;
  readonly second: Look | undefined;
}

/** What the pages of one family count, as far as any shows it. */
export interface CountedEvents {
  readonly calls: boolean;
  readonly started: boolean;
  readonly messages: boolean;
  /** Beginnings and ends of the same methods. */
  readonly inFlight: boolean;
}

/** The counters of calls of one source, and what the pages count. */
export interface CallIndex {
  readonly source: 'pod-metrics' | 'prometheus';
  readonly of: (podUid: string) => Samples<CallLook>;
  /** By family. Of a page without one: what the others count; null where no page has one. */
  readonly countedBy: (family: string | null) => CountedEvents | null;
}

/**
 * What the Evidence says, found by what it is about: with thousands of pods a search for each would take its time
 * squared. Of two entries that say they are the same one, the first counts. Looks are by uid: names are used again.
 */
export interface EvidenceIndex {
  readonly evidence: SkewEvidence;
  readonly pods: ReadonlyMap<string, Pod>;
  readonly formerPods: ReadonlyMap<string, Pod>;
  readonly nodes: ReadonlyMap<string, Node>;
  /** By the name of the pod: the metrics API knows no uid. */
  readonly usage: ReadonlyMap<string, readonly PodUsage[]>;
  readonly sockets: (podUid: string) => Samples<SocketLook>;
  readonly socketFailures: ReadonlyMap<string, SocketFailure>;
  /** Pods by uid whose socket table cannot be right. */
  readonly blind: ReadonlySet<string>;
  readonly calls: CallIndex;
  readonly scrapedUsage: ReadonlyMap<string, PrometheusUsage>;
  readonly traffic: ReadonlyMap<string, PodTraffic>;
  /** Failures of probes by the name of the pod: some Events have no uid. */
  readonly unhealthy: ReadonlyMap<string, readonly Unhealthy[]>;
  /** Looks into pods of clients by their `namespace/workload`. */
  readonly clientLooks: ReadonlyMap<string, readonly ClientLook[]>;
  /** Some client has a virtual address as the peer of a socket. */
  readonly virtualAddressSeen: boolean;
  readonly peers: PeerBook;
}

/** Reads each collection once. Who needs an entry of the Evidence by its name or address is handed the index. */
export function openIndex(evidence: SkewEvidence): EvidenceIndex {
  const { connections, prometheus } = evidence;
  const { source, looks } = chooseCallLooks(evidence);
  const workloads = new Map(evidence.peers?.pods.map((pod) => [`${pod.namespace}/${pod.name}`, workloadOf(pod)]));
  const clientLooks = evidence.clientLooks?.looks ?? [];
  const uid = ({ podUid }: { readonly podUid: string }) => podUid;
  return {
    evidence,
    pods: firstBy(evidence.pods ?? [], (pod) => pod.uid),
    formerPods: firstBy(evidence.formerPods ?? [], (pod) => pod.uid),
    nodes: firstBy(evidence.nodes ?? [], ({ name }) => name),
    usage: Map.groupBy(evidence.usage ?? [], ({ pod }) => pod),
    sockets: samplesBy(connections?.looks ?? []),
    socketFailures: firstBy(connections?.failures ?? [], uid),
    blind: findBlind(evidence),
    calls: {
      source,
      of: samplesBy(looks),
      countedBy: countsOf(looks),
    },
    scrapedUsage: firstBy(prometheus?.usage ?? [], uid),
    traffic: firstBy(prometheus?.traffic ?? [], uid),
    unhealthy: unhealthyByPod(evidence.happenings ?? []),
    clientLooks: Map.groupBy(
      clientLooks,
      ({ namespace, pod }) => `${namespace}/${workloads.get(`${namespace}/${pod}`) ?? ''}`,
    ),
    virtualAddressSeen: clientLooks.some((look) => look.dialled.some(({ what }) => what === 'virtual-address')),
    peers: openPeerBook(evidence),
  };
}

/** Looks at the calls of pods, and where they come from: the pods' own pages, or Prometheus. Never of both. */
interface CallLooks {
  readonly looks: readonly CallLook[];
  readonly source: 'pod-metrics' | 'prometheus';
}

/** The pods' own pages tell of now, so they come first, unless Prometheus knows more of the pods. */
function chooseCallLooks(evidence: SkewEvidence): CallLooks {
  const own = evidence.calls?.looks ?? [];
  const scraped = evidence.prometheus?.calls ?? [];
  const source = podsOf(scraped) > podsOf(own) ? 'prometheus' : 'pod-metrics';
  return { source, looks: source === 'prometheus' ? scraped : own };
}

/** Pods that were looked at, where at least one counts calls. */
function podsOf(looks: readonly CallLook[]): number {
  return looks.some((look) => look.family !== null) ? new Set(looks.map((look) => look.podUid)).size : 0;
}

function countsOf(looks: readonly CallLook[]): CallIndex['countedBy'] {
  const counting = looks.filter(({ family }) => family !== null);
  const byFamily = new Map(
    [...Map.groupBy(counting, ({ family }) => family)].map(([family, of]) => [family, summed(of)]),
  );
  const all = counting.length === 0 ? null : summed(counting);
  return (family) => byFamily.get(family) ?? all;
}

/** Of a family without any method no call has come yet: that is counted, too. */
function summed(looks: readonly CallLook[]): CountedEvents {
  const some = (fits: (method: MethodCounters) => boolean) => looks.some(({ methods }) => methods.some(fits));
  return {
    calls: some(({ handled, started }) => (handled ?? started) !== null) || !some(() => true),
    started: some(({ started }) => started !== null),
    messages: some(({ messages }) => messages !== null),
    inFlight: some(({ started, handled }) => started !== null && handled !== null),
  };
}

/**
 * Ready pods whose socket table has nothing at all, not even the listener that makes them Ready, read in a way that shows
 * listeners and has shown none anywhere: such a table cannot be right, as where a sandbox (gVisor) keeps sockets to itself.
 */
function findBlind({ connections, pods }: SkewEvidence): ReadonlySet<string> {
  const looks = connections?.looks ?? [];
  const proven = new Set(
    looks.flatMap(({ way, listening, sockets }) => (listening?.length || sockets.length ? way : [])),
  );
  const ready = new Set((pods ?? []).flatMap((pod) => (pod.ready === true ? pod.uid : [])));
  return new Set(
    looks.flatMap(({ podUid, way, listening, timeWait }) =>
      ready.has(podUid) && listening !== undefined && !proven.has(way) && !timeWait ? podUid : [],
    ),
  );
}

function firstBy<T>(entries: readonly T[], keyOf: (entry: T) => string): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (!found.has(key)) found.set(key, entry);
  }
  return found;
}

function samplesBy<Look extends { readonly podUid: string; readonly sample: 1 | 2 }>(
  looks: readonly Look[],
): (podUid: string) => Samples<Look> {
  const none = { first: undefined, second: undefined };
  const found = new Map<string, { -readonly [Sample in keyof Samples<Look>]: Look | undefined }>();
  for (const look of looks) {
    const own = found.get(look.podUid) ?? { ...none };
    found.set(look.podUid, own);
    own[look.sample === 1 ? 'first' : 'second'] ??= look;
  }
  return (podUid) => found.get(podUid) ?? none;
}

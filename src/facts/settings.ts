import type { Service } from '../evidence/objects.ts';
import type { EvidenceIndex } from './evidence-index.ts';
import type { MeasuredPod } from './measured.ts';
import type { Peer } from './peers/clients.ts';
import type { Connection } from './peers/connections.ts';

/** Settings of the Service that lead traffic to pods by where it comes from. */
export type SettingName = 'trafficDistribution' | 'topologyHints' | 'internalTrafficPolicy' | 'externalTrafficPolicy';

/** One setting in force, and the shares that it would give the pods with the clients of now. */
export interface Setting {
  readonly name: SettingName;
  /** As it stands in the Service: `trafficDistribution PreferSameZone`. */
  readonly words: string;
  /** By replica, summing to 1; null where it is not known from where enough of the load comes. */
  readonly shares: readonly number[] | null;
  /** The places of all clients were seen, and each connection is where the setting lets it be: no guess about a rule. */
  readonly known: boolean;
  /** Part of the load whose place could be told, of which the setting can decide. */
  readonly placed: number;
  /** Connections that it decides about: where it leads them, and elsewhere. */
  readonly kept: number;
  readonly strayed: number;
  /** Probability that all kept connections lie so if a pod was chosen at random for each. */
  readonly byChance: number;
  /** By connection: the parts of its traffic by replica, had it to be made anew; null where its place is not known. */
  readonly deals: readonly (Parts | null)[];
}

export interface SettingSituation {
  readonly index: EvidenceIndex;
  readonly service: Service;
  readonly headless: boolean;
  readonly replicas: readonly MeasuredPod[];
  readonly connections: readonly { readonly replica: number; readonly connection: Connection }[];
  readonly weights: readonly number[];
}

/** Below this part of the load with a known place no share is expected of any pod. */
const leastPlaced = 0.9;

/** Parts of traffic by replica, those alone that get some; one object for all peers of a place. */
export type Parts = ReadonlyMap<number, number>;

/** For one peer: the part of its traffic that each replica gets; null where its place is not known. */
type Deal = (peer: Peer) => Parts | null;

/**
 * The settings that are in force. kube-proxy applies them, so a headless Service has none. Every setting is read with
 * the clients' load as it was measured: shares are what the setting makes of it, not what the clients should send.
 */
export function readSettings(situation: SettingSituation): readonly Setting[] {
  const { service, headless, replicas } = situation;
  if (headless || replicas.length < 2) return [];
  const settings: Setting[] = [];
  const add = (name: SettingName, words: string, deal: Deal) => settings.push(measure(situation, name, words, deal));
  if (replicas.every(({ backend }) => backend.hintZones.length + backend.hintNodes.length > 0)) {
    // topology-mode: Auto goes before trafficDistribution (KEP-4444).
    const byMode = /^auto$/i.test(service.topologyMode ?? '');
    if (service.trafficDistribution !== null && !byMode)
      add('trafficDistribution', `trafficDistribution ${service.trafficDistribution}`, hinted(situation));
    else add('topologyHints', byMode ? `topology-mode ${service.topologyMode}` : 'topology hints', hinted(situation));
  }
  if (service.internalTrafficPolicy === 'Local')
    add('internalTrafficPolicy', 'internalTrafficPolicy Local', sameNode(situation));
  if (service.externalTrafficPolicy === 'Local' && service.type !== 'ClusterIP')
    add('externalTrafficPolicy', 'externalTrafficPolicy Local', perNode(situation));
  return settings;
}

function measure(situation: SettingSituation, name: SettingName, words: string, deal: Deal): Setting {
  const { replicas, connections, weights } = situation;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const loads = new Map<Parts, number>();
  const shares = replicas.map(() => 0);
  let placed = 0;
  let kept = 0;
  let strayed = 0;
  let byChance = 1;
  const deals = connections.map(({ connection }) => deal(connection.peer));
  connections.forEach(({ replica }, index) => {
    const parts = deals[index] ?? null;
    if (parts === null) return;
    const weight = weights[index] ?? 0;
    placed += weight;
    loads.set(parts, (loads.get(parts) ?? 0) + weight);
    if (parts.has(replica)) kept++;
    else strayed++;
    byChance *= parts.size / replicas.length;
  });
  for (const [parts, load] of loads) for (const [pod, share] of parts) shares[pod] = (shares[pod] ?? 0) + load * share;
  const part = total === 0 ? 0 : placed / total;
  const isSeen = replicas.every((pod) => pod.sockets !== null);
  return {
    name,
    words,
    shares: isSeen && part >= leastPlaced ? shares.map((share) => share / placed) : null,
    known: name !== 'externalTrafficPolicy' && isSeen && part > 0.999 && strayed === 0,
    placed: part,
    kept,
    strayed,
    byChance,
    deals,
  };
}

/** Every pod of these the same: what kube-proxy does. */
function among(pods: readonly number[]): Parts {
  return new Map(pods.map((pod) => [pod, 1 / pods.length]));
}

function everywhere(replicas: readonly MeasuredPod[]): Parts {
  return among(replicas.map((_, pod) => pod));
}

/** Among the pods that have it, for each key that some have. */
function amongEach(
  replicas: readonly MeasuredPod[],
  keysOf: (pod: MeasuredPod) => string | readonly string[],
): ReadonlyMap<string, Parts> {
  const members = new Map<string, number[]>();
  for (const [pod, replica] of replicas.entries())
    for (const key of new Set([keysOf(replica)].flat()))
      members
        .set(key, members.get(key) ?? [])
        .get(key)
        ?.push(pod);
  return new Map([...members].map(([key, pods]) => [key, among(pods)]));
}

const isOfCluster = (peer: Peer) => peer.pod !== null;
const isFromOutside = (peer: Peer) => ['outside', 'load-balancer', 'address'].includes(peer.kind);

/** internalTrafficPolicy Local: the pods on the client's own node. It says nothing of traffic from outside. */
function sameNode({ replicas, service }: SettingSituation): Deal {
  const all = everywhere(replicas);
  const onNode = amongEach(replicas, (pod) => nodeOf(pod) ?? []);
  return (peer) => {
    if (isFromOutside(peer) && service.type !== 'ClusterIP') return all;
    // A node without a pod drops the traffic: a connection from there is older than the setting.
    return onNode.get(peer.pod?.nodeName ?? '') ?? null;
  };
}

/**
 * Hints: the pods for the client's node where some are hinted for it, else those for its zone, else all.
 * Source: kubernetes pkg/proxy/topology.go, CategorizeEndpoints.
 */
function hinted({ replicas, index }: SettingSituation): Deal {
  const all = everywhere(replicas);
  const forNode = amongEach(replicas, ({ backend }) => backend.hintNodes);
  const forZone = amongEach(replicas, ({ backend }) => backend.hintZones);
  return (peer) => {
    const node = peer.pod?.nodeName ?? null;
    if (node === null) return null;
    const zone = index.nodes.get(node)?.zone ?? null;
    return forNode.get(node) ?? (zone === null ? null : (forZone.get(zone) ?? all));
  };
}

/**
 * externalTrafficPolicy Local: a load balancer gives each node with a pod the same, and the node its own pods only. What
 * comes from inside the cluster goes to all pods. That the load balancer counts nodes is how they are built, not seen.
 */
function perNode({ replicas }: SettingSituation): Deal {
  const counts = new Map<string | null, number>();
  for (const pod of replicas) counts.set(nodeOf(pod), (counts.get(nodeOf(pod)) ?? 0) + 1);
  const all = everywhere(replicas);
  const parts = new Map(replicas.map((pod, at) => [at, 1 / counts.size / (counts.get(nodeOf(pod)) ?? 1)]));
  return (peer) => (isFromOutside(peer) ? parts : isOfCluster(peer) ? all : null);
}

function nodeOf(pod: MeasuredPod): string | null {
  return pod.backend.nodeName ?? pod.pod?.nodeName ?? null;
}

/** Part of the load that comes from outside the cluster with its own address. */
export function outsidePart(
  connections: SettingSituation['connections'],
  weights: SettingSituation['weights'],
): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const outside = connections.reduce(
    (sum, { connection }, index) => sum + (isFromOutside(connection.peer) ? (weights[index] ?? 0) : 0),
    0,
  );
  return total === 0 ? 0 : outside / total;
}

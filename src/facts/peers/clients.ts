import type { PeerPod, Pod } from '../../evidence/objects.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import { millisecondsOf } from '../../evidence/times.ts';
import { workloadOf } from '../../evidence/workload.ts';
import { bridgeOf, isCloudLoadBalancer, isPrivate, likelyBridgeOf, widerNetworkOf } from './addresses.ts';

/**
 * `workload`: a pod; `gateway`: a pod that is a proxy by trade; `mesh-proxy`: a waypoint; `node`: SNAT or hostNetwork, so
 * single clients cannot be told apart; `load-balancer`: of the Service or of the cloud; `outside`: a public address;
 * `address`: inside some network of ours, but no pod that could be seen.
 */
export type PeerKind = 'workload' | 'gateway' | 'mesh-proxy' | 'node' | 'load-balancer' | 'outside' | 'address';

/** Who is behind a peer address. */
export interface Peer {
  readonly kind: PeerKind;
  /** `deployment/web`, `node/n3` or the address. */
  readonly workload: string;
  readonly namespace: string | null;
  readonly team: string | null;
  readonly pod: PeerPod | null;
  /** Start of its pod, in milliseconds since the epoch; null when not known. */
  readonly startedAt: number | null;
}

/** Names peers by their address. */
export interface PeerBook {
  name(address: string): Peer;
  /** An address that kubelet uses for its probes: a node's own or the first one of its pod network (the CNI bridge). */
  isKubeletAddress(address: string, server: Pod | null): boolean;
}

export function openPeerBook(evidence: SkewEvidence): PeerBook {
  const pods = new Map<string, PeerPod>();
  for (const pod of evidence.peers?.pods ?? []) {
    if (!pod.hostNetwork) for (const address of pod.addresses) pods.set(address, pod);
  }
  const nodes = new Map<string, string>();
  for (const pod of evidence.pods ?? [])
    if (pod.hostAddress !== null) nodes.set(pod.hostAddress, pod.nodeName ?? pod.hostAddress);
  const bridges = new Map<string, string>();
  for (const node of evidence.nodes ?? []) {
    for (const address of node.addresses) nodes.set(address, node.name);
    for (const cidr of node.podCIDRs) {
      const bridge = bridgeOf(cidr);
      if (bridge !== null) bridges.set(bridge, node.name);
    }
  }
  const balancers = new Set(evidence.service?.loadBalancerAddresses ?? []);
  // Clusters with public pod addresses: who shares the network of a pod of the Service is no stranger.
  let ownNetworks: ReadonlySet<string> | undefined;
  const isNear = (address: string) => {
    if (isPrivate(address)) return true;
    ownNetworks ??= new Set(
      (evidence.pods ?? []).flatMap((pod) => pod.addresses.flatMap((own) => widerNetworkOf(own) ?? [])),
    );
    return ownNetworks.has(widerNetworkOf(address) ?? '');
  };
  const bridgeBeside = once(likelyBridgeOf);
  const nodeOf = (address: string) => nodes.get(address) ?? bridges.get(address);
  const unknown = { namespace: null, team: null, pod: null, startedAt: null };
  const named = (address: string): Peer => {
    const pod = pods.get(address);
    if (pod !== undefined) return ofPod(pod);
    const node = nodeOf(address);
    if (node !== undefined) return { ...unknown, kind: 'node', workload: `node/${node}` };
    const isBalancer = balancers.has(address) || isCloudLoadBalancer(address);
    return {
      ...unknown,
      kind: isBalancer ? 'load-balancer' : isNear(address) ? 'address' : 'outside',
      workload: address,
    };
  };
  return {
    name: once(named),
    isKubeletAddress(address, server) {
      if (pods.has(address)) return false;
      if (nodeOf(address) !== undefined) return true;
      // Where no node names its pod network, its bridge is where the rule puts it.
      return bridges.size === 0 && server?.addresses.some((own) => bridgeBeside(own) === address) === true;
    },
  };
}

function ofPod(pod: PeerPod): Peer {
  return {
    ...{ kind: kindOf(pod), workload: workloadOf(pod), namespace: pod.namespace, team: teamOf(pod) },
    ...{ pod, startedAt: millisecondsOf(pod.startedAt) },
  };
}

/** The same answers, each worked out once: an address is asked for by every connection of it. */
function once<T>(answer: (address: string) => T): (address: string) => T {
  const known = new Map<string, T>();
  return (address) => {
    const found = known.get(address);
    if (found !== undefined) return found;
    const first = answer(address);
    known.set(address, first);
    return first;
  };
}

function teamOf(pod: PeerPod): string | null {
  return pod.labels['team'] ?? pod.labels['owner'] ?? null;
}

function kindOf(pod: PeerPod): PeerKind {
  if (pod.role === 'gateway') return 'gateway';
  return pod.role === 'waypoint' ? 'mesh-proxy' : 'workload';
}

import type { SkewEvidence } from '../../evidence/schema.ts';
import type { KubeList, KubeResult } from '../../kube/types.ts';
import { type SignalHost, type SignalUpdate, unanswered } from '../look.ts';
import { complete, partial } from '../state.ts';
import { askPeerPods } from './ask.ts';
import { readDeployments, readNodes, readPeerPods } from './read.ts';

/** Workloads and nodes by which clients are told from what is none; who may not list them goes on without. */
export function lookAtWorkloads(deployments: KubeResult<KubeList>, nodes: KubeResult<KubeList>): SignalUpdate {
  return {
    patch: {
      ...(deployments.ok && { deployments: readDeployments(deployments.value.items) }),
      ...(nodes.ok && { nodes: readNodes(nodes.value.items) }),
    },
  };
}

/** A look at the peers, with the pods as they were listed, for those who look for others among them. */
export interface PeerUpdate extends SignalUpdate {
  readonly items: readonly unknown[];
}

/**
 * Names the peers of the sockets: in all namespaces where that is allowed, else in this one. Without a peer, too, where
 * pods were looked into: what holds no connection may have lost them to pods that are no endpoints.
 */
export async function lookAtPeers(
  host: SignalHost,
  evidence: Pick<SkewEvidence, 'connections'>,
  namespace: string,
): Promise<PeerUpdate> {
  const addresses = peerAddresses(evidence);
  if ((evidence.connections?.looks ?? []).length === 0) return { items: [] };
  host.progress('clients', 'running', `${addresses.size} addresses`);
  const everywhere = await askPeerPods(host.kube, null, host.signal);
  const answer = everywhere.ok ? everywhere : await askPeerPods(host.kube, namespace, host.signal);
  if (!answer.ok) return { items: [], ...unanswered('clients', answer.error) };
  const { items } = answer.value;
  const pods = readPeerPods(items, addresses);
  if (everywhere.ok) {
    const state = complete('clients', everywhere.serverDate);
    const progress = ['clients', 'done', `${pods.length} client pods`] as const;
    return { items, patch: { peers: { scope: 'cluster', pods } }, state, progress };
  }
  const needs = everywhere.error.kind === 'forbidden' ? 'list pods in all namespaces' : null;
  const reason = `only pods of namespace ${namespace} could be named`;
  return {
    items,
    patch: { peers: { scope: 'namespace', pods } },
    state: partial('clients', reason, answer.serverDate, needs),
    progress: ['clients', 'partial', `${pods.length} client pods of this namespace`],
  };
}

/** Every address that is or was the peer of a socket. */
export function peerAddresses({ connections }: Pick<SkewEvidence, 'connections'>): ReadonlySet<string> {
  return new Set(connections?.looks.flatMap((look) => look.sockets.map((socket) => socket.peerAddress)));
}

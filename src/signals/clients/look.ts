import type { CollectHost } from '../../collect/cluster.ts';
import { type CollectRequest, type Draft, noteTime } from '../../collect/draft.ts';
import { complete, failed, partial } from '../state.ts';
import { askPeerPods } from './ask.ts';
import { readPeerPods } from './read.ts';

/**
 * Names the peers of the sockets: in all namespaces where that is allowed, else in this one. Answers the pods as they were
 * listed, for those who look for others among them. Without a peer, too, where pods were looked into: what holds no
 * connection may have lost them to pods that are no endpoints.
 */
export async function lookAtPeers(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
): Promise<readonly unknown[]> {
  const addresses = peerAddresses(draft);
  if ((draft.evidence.connections?.looks ?? []).length === 0) return [];
  host.progress('clients', 'running', `${addresses.size} addresses`);
  const everywhere = await askPeerPods(host.kube, null, host.signal);
  if (everywhere.ok) {
    const pods = readPeerPods(everywhere.value.items, addresses);
    draft.evidence = { ...draft.evidence, peers: { scope: 'cluster', pods } };
    draft.states.set('clients', complete('clients', noteTime(draft, everywhere.serverDate)));
    host.progress('clients', 'done', `${pods.length} client pods`);
    return everywhere.value.items;
  }
  const here = await askPeerPods(host.kube, request.namespace, host.signal);
  if (!here.ok) {
    draft.states.set('clients', failed('clients', here.error));
    host.progress('clients', 'failed', here.error.kind);
    return [];
  }
  const pods = readPeerPods(here.value.items, addresses);
  const needs = everywhere.error.kind === 'forbidden' ? 'list pods in all namespaces' : null;
  const reason = `only pods of namespace ${request.namespace} could be named`;
  draft.evidence = { ...draft.evidence, peers: { scope: 'namespace', pods } };
  draft.states.set('clients', partial('clients', reason, noteTime(draft, here.serverDate), needs));
  host.progress('clients', 'partial', `${pods.length} client pods of this namespace`);
  return here.value.items;
}

/** Every address that is or was the peer of a socket. */
export function peerAddresses(draft: Draft): ReadonlySet<string> {
  return new Set(draft.evidence.connections?.looks.flatMap((look) => look.sockets.map((socket) => socket.peerAddress)));
}

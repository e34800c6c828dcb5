import { peerAddresses } from '../signals/clients/look.ts';
import { readPeerPods } from '../signals/clients/read.ts';
import { type KnownWays, lookAtConnections, type Target } from '../signals/connections/look.ts';
import { lookAtFormerPods, targetPortsOf } from '../signals/former-pods/look.ts';
import { askMemory } from '../signals/memory.ts';
import { apply, type CollectRequest, type Draft } from './draft.ts';
import type { CollectHost } from './host.ts';
import { nothingSeen, sampleSockets, withLeft } from './sockets.ts';
import { formerTargets, type Plan } from './targets.ts';

/** Finds the pods that have left the Service in a list of pods that was read anyway, and asks how much memory they use. */
export async function collectFormerPods(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  items: readonly unknown[],
): Promise<void> {
  apply(draft, host, lookAtFormerPods(draft.evidence, items, draft.services ?? null));
  const { formerPods } = draft.evidence;
  if (request.exec) draft.memory = await askMemory(host, draft.evidence, formerPods ?? [], draft.memory);
}

/** Takes the first sample of those pods, and names the peers that are seen only there. */
export async function sampleFormer(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  items: readonly unknown[],
  known: KnownWays,
): Promise<readonly Target[]> {
  await collectFormerPods(request, host, draft, items);
  if (!request.exec) return [];
  const { targets, left } = planFormer(draft);
  if (left.length > 0) apply(draft, host, lookAtConnections(withLeft(draft.evidence.connections ?? nothingSeen, left)));
  if (targets.length === 0) return [];
  host.beforeExecs(targets.length, request.windowSeconds === 0 ? 1 : 2);
  await sampleSockets({ host, draft, targets, known }, 1);
  const { peers } = draft.evidence;
  const pods = readPeerPods(items, peerAddresses(draft.evidence));
  if (peers !== null) apply(draft, host, { patch: { peers: { ...peers, pods } } });
  return targets;
}

/** The former pods that may be looked into, at the target ports, and those that may not. */
export function planFormer({ evidence, memory }: Draft): Plan {
  return formerTargets(evidence.formerPods ?? [], targetPortsOf(evidence), memory);
}

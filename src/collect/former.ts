import { uniteEndpoints } from '../evidence/endpoints.ts';
import { choosePorts } from '../evidence/ports.ts';
import { readPeerPods } from '../signals/clients.ts';
import { readFormerPods } from '../signals/former-pods.ts';
import type { CollectRequest, Draft } from './draft.ts';
import type { KnownWays } from './exec-round.ts';
import type { CollectHost } from './looks.ts';
import { memoryOf, noteMemoryOf } from './memory.ts';
import { peerAddresses } from './peers.ts';
import { noteConnections, noteLeft, sampleSockets } from './sockets.ts';
import { formerTargets, type Plan, type Target } from './targets.ts';

/** Notes the pods that have left the Service, from a list of pods that was read anyway. */
export function noteFormerPods(draft: Draft, items: readonly unknown[]): void {
  const { service, pods } = draft.evidence;
  if (service === null || pods === null || items.length === 0) return;
  const found = readFormerPods(items, {
    service,
    pods,
    targetPorts: targetPortsOf(draft),
    selectors: draft.selectors ?? null,
  });
  if (found.length > 0 || draft.evidence.formerPods != null) draft.evidence = { ...draft.evidence, formerPods: found };
}

/** Takes the first sample of those pods, and names the peers that are seen only there. */
export async function lookAtFormer(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  items: readonly unknown[],
  known: KnownWays,
): Promise<readonly Target[]> {
  noteFormerPods(draft, items);
  if (!request.exec) return [];
  await noteMemoryOf(host, draft, draft.evidence.formerPods ?? []);
  const { targets, left } = planFormer(draft);
  if (left.length > 0) noteConnections(draft, noteLeft(draft, left));
  if (targets.length === 0) return [];
  host.beforeExecs(targets.length, request.windowSeconds === 0 ? 1 : 2);
  await sampleSockets({ host, draft, targets, known }, 1);
  const { peers } = draft.evidence;
  if (peers !== null)
    draft.evidence = { ...draft.evidence, peers: { ...peers, pods: readPeerPods(items, peerAddresses(draft)) } };
  return targets;
}

/** The former pods that may be looked into, at the target ports, and those that may not. */
export function planFormer(draft: Draft): Plan {
  return formerTargets(draft.evidence.formerPods ?? [], targetPortsOf(draft), (pod) => memoryOf(draft, pod));
}

function targetPortsOf(draft: Draft): readonly number[] {
  const { service, endpointSlices, pods, spec, metadata } = draft.evidence;
  const choice = service === null ? null : choosePorts(service, spec.port, endpointSlices);
  if (choice === null || !choice.ok) return [];
  const found = choice.ports.flatMap((port) => {
    const { backends } = uniteEndpoints(endpointSlices ?? [], port, {
      namespace: metadata.namespace,
      pods: pods ?? [],
    });
    const known = backends.find((backend) => backend.port !== null)?.port;
    return known ?? (typeof port.targetPort === 'number' ? port.targetPort : []);
  });
  return [...new Set(found)];
}

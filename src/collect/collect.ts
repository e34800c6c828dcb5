import type { SkewEvidence } from '../evidence/schema.ts';
import type { Problem } from '../result/result.ts';
import { lookAtCalls } from './calls.ts';
import { type CollectRequest, type Draft, newDraft, snapshot } from './draft.ts';
import type { KnownWays } from './exec-round.ts';
import { lookAtFormer } from './former.ts';
import { inspectClients } from './inspect.ts';
import { type CollectHost, lookAtCluster } from './looks.ts';
import { lookAtIngresses } from './path.ts';
import { lookAtPeers } from './peers.ts';
import { lookAtProbeMetrics } from './probe-metrics.ts';
import { lookAtPrometheus } from './prometheus.ts';
import { lookAtProxies } from './proxies.ts';
import { planSockets, sampleSockets } from './sockets.ts';

/** One state of the collection: complete in itself, better than the one before. */
export interface Collected {
  readonly evidence: SkewEvidence;
  readonly problem: Problem | null;
  readonly stage: 'cluster' | 'first-sample' | 'second-sample';
}

/**
 * Looks at the cluster, cheap and decisive things first, and yields Evidence after each stage: the cluster's own
 * objects, the first sample of sockets, the second one. Failures are in the Evidence; only what makes a diagnosis
 * impossible ends the stream, with a problem and with all that was seen until then.
 */
export function collect(request: CollectRequest, host: CollectHost): AsyncGenerator<Collected> {
  return collectInto(newDraft(request), new Map(), request, host);
}

/** The same into a draft that goes on being used, with the ways of looking that it finds. */
export async function* collectInto(
  draft: Draft,
  known: KnownWays,
  request: CollectRequest,
  host: CollectHost,
): AsyncGenerator<Collected> {
  const state = (stage: Collected['stage'], problem: Problem | null = null) => stateOf(draft, host, stage, problem);
  const cluster = await lookAtCluster(request, host, draft);
  yield state('cluster', cluster.problem);
  if (cluster.problem !== null) return;

  await cluster.usage;
  if (host.signal?.aborted) return;
  const targets = planSockets(request, host, draft) ?? [];
  if (targets.length > 0) host.beforeExecs(targets.length, request.windowSeconds === 0 ? 1 : 2);
  const look = (of: typeof targets, sample: 1 | 2) =>
    Promise.all([
      sampleSockets({ host, draft, targets: of, known }, sample),
      lookAtCalls(request, host, draft, sample),
      lookAtProbeMetrics(request, host, draft, sample),
    ]);
  await look(targets, 1);
  const sampledAt = host.now();
  yield state('first-sample');
  const [items] = await Promise.all([lookAtPeers(request, host, draft), cluster.rest]);
  await lookAtIngresses(host, draft);
  // Beside all that follows, the wait for the second sample among it.
  const prometheus = lookAtPrometheus(host, draft, items);
  const former = await lookAtFormer(request, host, draft, items, known);
  await inspectClients(request, host, draft, items, known);
  await lookAtProxies(request, host, draft, items);
  yield state('first-sample');

  const seen = new Set(draft.evidence.connections?.looks.map((look) => look.podUid));
  const again = [...targets, ...former].filter((target) => seen.has(target.pod.uid));
  const counted = (draft.evidence.calls?.looks.length ?? 0) + (draft.evidence.probeMetrics?.looks.length ?? 0);
  let stage: Collected['stage'] = 'first-sample';
  if (request.windowSeconds > 0 && again.length + counted > 0) {
    await host.wait(Math.max(0, request.windowSeconds - (host.now() - sampledAt) / 1000));
    if (host.signal?.aborted) return;
    await look(again, 2);
    yield state('second-sample');
    stage = 'second-sample';
  }
  await prometheus;
  // What it gave may have come after the last state.
  if (draft.states.has('prometheus') && host.signal?.aborted !== true) yield state(stage);
}

export function stateOf(
  draft: Draft,
  host: CollectHost,
  stage: Collected['stage'],
  problem: Problem | null = null,
): Collected {
  return { evidence: snapshot(draft, host.now), problem, stage };
}

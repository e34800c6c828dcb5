import type { SkewEvidence } from '../evidence/schema.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import type { Problem } from '../result/result.ts';
import { lookAtCalls } from '../signals/calls/look.ts';
import { lookAtPeers } from '../signals/clients/look.ts';
import type { KnownWays } from '../signals/connections/look.ts';
import { inspectClients } from '../signals/inspect-clients/look.ts';
import type { SignalUpdate } from '../signals/look.ts';
import { lookAtIngresses } from '../signals/path/look.ts';
import { lookAtProbeMetrics } from '../signals/probe-metrics/look.ts';
import { lookAtPrometheus } from '../signals/prometheus/look.ts';
import { lookAtProxies } from '../signals/proxies/look.ts';
import { lookAtCluster } from './cluster.ts';
import { apply, type CollectRequest, type Draft, newDraft, snapshot } from './draft.ts';
import { sampleFormer } from './former.ts';
import type { CollectHost } from './host.ts';
import { planSockets, sampleSockets } from './sockets.ts';
import { mostPods } from './targets.ts';
import { countOn } from './window.ts';

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
  const note = (found: SignalUpdate) => apply(draft, host, found);
  const count = (sample: 1 | 2) => lookAtCalls(host, draft.evidence, sample, request.metricsPort ?? null).then(note);
  // Of more pods than are looked into, what they count decides which.
  const isChosen = request.exec && !request.allPods && (draft.evidence.pods?.length ?? 0) > mostPods;
  if (isChosen) await count(1);
  const targets = planSockets(request, host, draft);
  if (targets.length > 0) host.beforeExecs(targets.length, request.windowSeconds === 0 ? 1 : 2);
  const look = (of: typeof targets, sample: 1 | 2) =>
    Promise.all([
      sampleSockets({ host, draft, targets: of, known }, sample),
      isChosen && sample === 1 ? null : count(sample),
      lookAtProbeMetrics(host, draft.evidence, sample, request.probeMetrics ?? false).then(note),
    ]);
  await look(targets, 1);
  const sampledAt = host.now();
  yield state('first-sample');
  const peers = lookAtPeers(host, draft.evidence, request.namespace).then((found) => {
    note(found);
    return found.items;
  });
  const [items] = await Promise.all([peers, cluster.rest]);
  note(await lookAtIngresses(host, draft.evidence));
  // Beside all that follows, the wait for the second sample among it.
  const prometheus = host.prometheus === undefined ? null : askPrometheus(host, draft, host.prometheus, items);
  const former = await sampleFormer(request, host, draft, items, known);
  if (request.inspectClients === true) note(await inspectClients(host, draft.evidence, items, known));
  const proxies = { exec: request.exec, always: request.inspectProxies === true };
  note(await lookAtProxies(host, draft.evidence, items, proxies));
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
    const { metricsPort = null, longestWindowSeconds } = request;
    const longest = { sampledAt, longestSeconds: longestWindowSeconds ?? 0 };
    const counting = countOn({ host, draft, targets: again, known, metricsPort, ...longest });
    for await (const _ of counting) yield state(stage);
  }
  await prometheus;
  // What it gave may have come after the last state.
  if (draft.states.has('prometheus') && host.signal?.aborted !== true) yield state(stage);
}

/** Asks Prometheus, and keeps the one that answered: live, it is asked again. */
export async function askPrometheus(
  host: CollectHost,
  draft: Draft,
  prometheus: PrometheusClient | 'find' | 'none',
  items: readonly unknown[],
): Promise<void> {
  const clocks = { ...host, serverNow: () => draft.latest || host.now() };
  const listed = { items, services: draft.services ?? [] };
  const { client, ...found } = await lookAtPrometheus(clocks, draft.evidence, prometheus, listed);
  if (client !== undefined && client.way !== 'recording') draft.prometheus = client;
  apply(draft, host, found);
}

export function stateOf(
  draft: Draft,
  host: CollectHost,
  stage: Collected['stage'],
  problem: Problem | null = null,
): Collected {
  return { evidence: snapshot(draft, host.now), problem, stage };
}

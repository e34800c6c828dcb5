import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { toolVersion } from '../cli/version.ts';
import {
  type CensusHost,
  readCounters,
  readPodPages,
  readUnhealthyEvents,
  type SeenCounters,
  type SeenEvents,
} from '../collect/census.ts';
import { problemOf } from '../collect/problem.ts';
import type { KubeError } from '../kube/types.ts';
import { openCensus } from '../probes/census.ts';
import { openCountBook } from '../probes/counts.ts';
import { sumCounters } from '../probes/totals.ts';
import { renderCensus } from '../render/census.ts';
import { reportApiVersion } from '../report/api-version.ts';
import type { ProbeCensus } from '../report/census.ts';
import { ok, type Result } from '../result/result.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';
import { answerSignal, missingOf, overNamespaces } from './namespaces.ts';
import { pause } from './request.ts';

/** `grpc-skew probes`: a census of the probes of a namespace or of the cluster. */
export function runProbes(given: Arguments, host: Host): Promise<number> {
  return overNamespaces('probes', given, host, async ({ kube, namespace, options }) => {
    const looking: CensusHost = {
      kube,
      signal: host.interrupted,
      wait: (seconds) => pause(seconds, host.interrupted),
    };
    const census = await takeCensus(looking, {
      namespace,
      context: kube.context,
      probeMetrics: options.probeMetrics,
      windowSeconds: options.windowSeconds,
      now: host.now,
    });
    if (host.interrupted.aborted) return exitCodes.interrupted;
    if (!census.ok) return fail(host, problemOf(census.error));
    const { pods } = census.value.status;
    const missing = pods === 0 ? await missingOf(kube, namespace, host) : null;
    if (missing !== null) return fail(host, missing);
    host.stdout(renderCensus(census.value, { output: options.output ?? 'table', color: options.color }, host));
    return exitCodes.done;
  });
}

export interface CensusRequest {
  readonly namespace: string | null;
  readonly context: string | null;
  readonly probeMetrics: boolean;
  readonly windowSeconds: number;
  now(): number;
}

/** Events and counters first, which are kept by pod; then the pods, of which nothing is kept but numbers. */
export async function takeCensus(host: CensusHost, request: CensusRequest): Promise<Result<ProbeCensus, KubeError>> {
  const { namespace } = request;
  const events = await readUnhealthyEvents(host, namespace);
  const counters = request.probeMetrics ? await readCounters(host, namespace, request.windowSeconds) : null;
  const first = await countPods(host, request, events, counters);
  // A continue token that expired: what was counted is forgotten, and all begins again, once.
  return !first.ok && first.error.kind === 'gone' ? countPods(host, request, events, counters) : first;
}

async function countPods(
  host: CensusHost,
  request: CensusRequest,
  events: SeenEvents,
  counters: SeenCounters | null,
): Promise<Result<ProbeCensus, KubeError>> {
  const { byPod } = events;
  let serverDate: string | null = null;
  const census = openCensus({
    now: Date.parse(events.state.lookedAt ?? '') || request.now(),
    unhealthyOf:
      byPod === null
        ? null
        : (pod) =>
            (byPod.get(`${pod.namespace}/${pod.name}`) ?? []).filter(
              ({ podUid }) => podUid === null || podUid === pod.uid,
            ),
    counts: counters === null ? null : openCountBook(counters.looks),
  });
  for await (const page of readPodPages(host, request.namespace)) {
    if (!page.ok) return page;
    serverDate = page.serverDate ?? serverDate;
    census.add(page.value);
  }
  const generatedAt = serverDate ?? new Date(request.now()).toISOString();
  const states = [events.state, ...(counters === null ? [] : [counters.state])];
  return ok({
    apiVersion: reportApiVersion,
    kind: 'ProbeCensus',
    metadata: { namespace: request.namespace, context: request.context, generatedAt, toolVersion },
    status: {
      ...census.figures(),
      results: counters === null || counters.looks.length === 0 ? null : sumCounters(counters.looks),
      signals: states.map((state) => answerSignal(state, Date.parse(generatedAt))),
    },
  });
}

import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import type { DiagnosisOptions } from '../cli/options.ts';
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
import type { SkewEvidence } from '../evidence/schema.ts';
import type { KubeError } from '../kube/types.ts';
import { openCensus } from '../probes/census.ts';
import { openCountBook } from '../probes/counts.ts';
import { sumCounters } from '../probes/totals.ts';
import { unhealthyByPod, unhealthyOf } from '../probes/workload.ts';
import { renderCensus } from '../render/census.ts';
import { reportApiVersion } from '../report/api-version.ts';
import type { ProbeCensus } from '../report/census.ts';
import { ok, type Result } from '../result/result.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';
import { answerSignal, missingOf, type NamespacesWork, overNamespaces } from './namespaces.ts';
import { pause } from './request.ts';

/** `grpc-skew probes`: a census of the probes of a namespace or of the cluster. */
export function runProbes(given: Arguments, host: Host): Promise<number> {
  const print = (document: ProbeCensus, { output, color }: DiagnosisOptions): number => {
    host.stdout(renderCensus(document, { output: output ?? 'table', color }, host));
    return exitCodes.done;
  };
  const onCluster: NamespacesWork['onCluster'] = async ({ kube, namespace, options, recorded }) => {
    const looking: CensusHost = {
      kube,
      signal: host.interrupted,
      wait: (seconds) => (recorded ? Promise.resolve() : pause(seconds, host.interrupted)),
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
    return missing === null ? print(census.value, options) : fail(host, missing);
  };
  const onEvidence = (evidence: SkewEvidence, options: DiagnosisOptions) => print(censusOf(evidence), options);
  return overNamespaces({ command: 'probes', onCluster, onEvidence }, given, host);
}

/** The census of the pods of one Service, from what a diagnosis has recorded of them. */
export function censusOf(evidence: SkewEvidence): ProbeCensus {
  const { namespace, context, now } = evidence.metadata;
  const { happenings } = evidence;
  const looks = evidence.probeMetrics?.looks ?? null;
  const unhealthy = happenings === null ? null : unhealthyByPod(happenings);
  const census = openCensus({
    now: Date.parse(now),
    unhealthyOf: unhealthy && ((pod) => unhealthyOf(unhealthy, pod)),
    counts: looks === null ? null : openCountBook(looks),
  });
  census.add(evidence.pods ?? []);
  const states = evidence.signals.filter(({ id }) => id === 'probes' || (id === 'probe-metrics' && looks !== null));
  return {
    apiVersion: reportApiVersion,
    kind: 'ProbeCensus',
    metadata: { namespace, context, generatedAt: now, toolVersion },
    status: {
      ...census.figures(),
      results: looks === null ? null : sumCounters(looks),
      signals: states.map((state) => answerSignal(state, Date.parse(now))),
    },
  };
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

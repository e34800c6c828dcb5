import type { Arguments } from './cli/arguments.ts';
import { exitCodes } from './cli/exit-codes.ts';
import { connectionFlags, connectionProblem, readDiagnosisOptions } from './cli/options.ts';
import { toolVersion } from './cli/version.ts';
import {
  type CensusHost,
  readCounters,
  readPodPages,
  readUnhealthyEvents,
  type SeenCounters,
  type SeenEvents,
} from './collect/census.ts';
import { problemOf } from './collect/problem.ts';
import type { SignalState } from './evidence/schema.ts';
import type { Host } from './host.ts';
import { nextStep } from './kube/next-step.ts';
import { openKube } from './kube/open.ts';
import type { KubeError } from './kube/types.ts';
import { openCensus } from './probes/census.ts';
import { openCountBook } from './probes/counts.ts';
import { sumCounters } from './probes/totals.ts';
import { renderCensus } from './render/census.ts';
import { renderError } from './render/error.ts';
import type { ProbeCensus } from './report/census.ts';
import { reportApiVersion } from './report/schema.ts';
import { usage } from './run.ts';
import { kubeHost } from './run-diagnosis.ts';
import { pause } from './run-request.ts';
import { signalFacts } from './signals/catalogue.ts';

/** `grpc-skew probes`: a census of the probes of a namespace or of the cluster. */
export async function runProbes(given: Arguments, host: Host): Promise<number> {
  const [extra] = given.positionals;
  if (extra !== undefined)
    return usage(host, { message: `probes takes no argument, not ${extra}`, hint: 'choose with -n NAMESPACE or -A' });
  const options = readDiagnosisOptions(given);
  if (!options.ok) return usage(host, options);
  const flags = connectionFlags(given);
  const problem = connectionProblem(flags);
  if (problem !== null) return usage(host, problem);
  const kube = await openKube(flags, kubeHost(host, options.value.verbosity));
  if (!kube.ok) return fail(host, kube.error);
  const namespace = given.isSet('all-namespaces') ? null : kube.value.namespace;
  const looking: CensusHost = {
    kube: kube.value,
    signal: host.interrupted,
    wait: (seconds) => pause(seconds, host.interrupted),
  };
  const { output, color, windowSeconds } = options.value;
  try {
    const census = await takeCensus(looking, {
      namespace,
      context: kube.value.context,
      probeMetrics: options.value.probeMetrics,
      windowSeconds: given.text('window') === null ? usualWindow : windowSeconds,
      now: host.now,
    });
    if (host.interrupted.aborted) return exitCodes.interrupted;
    if (!census.ok) return fail(host, census.error);
    if (census.document.status.pods === 0 && namespace !== null && (await isMissing(looking, namespace))) {
      const message = `namespace ${namespace} does not exist in context ${kube.value.context}`;
      host.stderr(renderError({ message, hint: 'choose one with -n, or all with -A' }));
      return exitCodes.failed;
    }
    host.stdout(renderCensus(census.document, { output: output ?? 'table', color }, host));
    return exitCodes.done;
  } finally {
    await kube.value.close();
  }
}

/** Probes have periods of seconds: a shorter window sees none of most. */
const usualWindow = 10;

export interface CensusRequest {
  readonly namespace: string | null;
  readonly context: string | null;
  readonly probeMetrics: boolean;
  readonly windowSeconds: number;
  now(): number;
}

export type TakenCensus =
  | { readonly ok: true; readonly document: ProbeCensus }
  | { readonly ok: false; readonly error: KubeError };

/** Events and counters first, which are kept by pod; then the pods, of which nothing is kept but numbers. */
export async function takeCensus(host: CensusHost, request: CensusRequest): Promise<TakenCensus> {
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
): Promise<TakenCensus> {
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
  return {
    ok: true,
    document: {
      apiVersion: reportApiVersion,
      kind: 'ProbeCensus',
      metadata: { namespace: request.namespace, context: request.context, generatedAt, toolVersion },
      status: {
        ...census.figures(),
        results: counters === null || counters.looks.length === 0 ? null : sumCounters(counters.looks),
        signals: states.map((state) => answerSignal(state, Date.parse(generatedAt))),
      },
    },
  };
}

function answerSignal(state: SignalState, now: number): ProbeCensus['status']['signals'][number] {
  const { id, reason, needs, lookedAt } = state;
  return {
    id,
    state: state.state,
    reason,
    needs,
    settles: state.state === 'complete' ? null : signalFacts(id).settles,
    ageSeconds: lookedAt === null ? null : Math.max(0, Math.round((now - Date.parse(lookedAt)) / 1000)),
  };
}

/** A list of a namespace that is not there is empty, and no error. */
async function isMissing({ kube, signal }: CensusHost, namespace: string): Promise<boolean> {
  const request = `get namespace ${namespace}`;
  const found = await kube.getJson(`/api/v1/namespaces/${encodeURIComponent(namespace)}`, {
    request,
    ...(signal && { signal }),
  });
  return !found.ok && found.error.kind === 'not-found';
}

function fail(host: Host, error: KubeError): number {
  const { message, hint } =
    error.kind === 'config' ? { message: error.message, hint: nextStep(error) } : problemOf(error);
  host.stderr(renderError({ message, hint }));
  return exitCodes.failed;
}

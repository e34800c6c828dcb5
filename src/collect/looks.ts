import type { EndpointSlice, Pod, Service } from '../evidence/objects.ts';
import type { SignalId } from '../evidence/schema.ts';
import { workloadOf } from '../evidence/workload.ts';
import type { KubeClient, KubeList, KubeResult } from '../kube/types.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import type { Problem } from '../result/result.ts';
import { askAutoscalers, readAutoscalers } from '../signals/autoscaling.ts';
import { askDeployments, askNodes, readDeployments, readNodes } from '../signals/clients.ts';
import { askEndpointSlices, askPods, readEndpointSlices } from '../signals/endpoints.ts';
import { askEvents, readHappenings } from '../signals/happenings.ts';
import { readPods } from '../signals/pods.ts';
import { textMapAt } from '../signals/read/json.ts';
import { askService, readService } from '../signals/service.ts';
import { askServices, readNamesakes, readSiblings, serviceIn } from '../signals/siblings.ts';
import { complete, failed, missingRight, partial } from '../signals/state.ts';
import { askUsage, readUsage } from '../signals/usage.ts';
import { type CollectRequest, type Draft, noteTime } from './draft.ts';
import { askPath, lookAtPath } from './path.ts';
import { explainMissing, explainNoPods, explainUnfitService, problemOf } from './problem.ts';

/** What the looks need of the program around them. */
export interface CollectHost {
  readonly kube: KubeClient;
  readonly signal?: AbortSignal;
  /** The one that was named, or whether one is to be found in the cluster; without it nobody speaks of Prometheus. */
  readonly prometheus?: PrometheusClient | 'find' | 'none';
  /** Waits until the next sample is due; ends early when the signal aborts. A recorded cluster does not wait. */
  wait(seconds: number): Promise<void>;
  now(): number;
  /** Called once before any command runs in a pod. */
  beforeExecs(pods: number, samples: number, command?: string): void;
  /** What a signal is doing or has given, in a few words, for stderr and screens. */
  progress(signal: SignalId, state: StepState, text: string): void;
}

export type StepState = 'running' | 'done' | 'partial' | 'failed';

/** What a look at the API's objects gave: a problem that ends the diagnosis, or what is still on its way. */
export interface ClusterLook {
  readonly problem: Problem | null;
  /** Settled when CPU and memory are noted: how near a container is to its limit decides where commands may run. */
  readonly usage: Promise<void>;
  /** Settled when all that may come later is noted. */
  readonly rest: Promise<void>;
}

/** The objects of the API: what does not depend on another answer is asked at once. */
export async function lookAtCluster(request: CollectRequest, host: CollectHost, draft: Draft): Promise<ClusterLook> {
  const { kube, signal } = host;
  const { namespace, name } = request;
  const slicesAnswer = askEndpointSlices(kube, namespace, name, signal);
  const eventsAnswer = askEvents(kube, namespace, signal);
  const workloadAnswers = Promise.all([askDeployments(kube, namespace, signal), askNodes(kube, signal)]);
  const autoscalersAnswer = askAutoscalers(kube, namespace, signal);
  const listed = draft.evidence.service === null ? request.services : undefined;
  const servicesAnswer = listed === undefined ? askServices(kube, namespace, signal) : Promise.resolve(listed);
  // Meshes and routes hardly change: a live look asks for them once.
  const pathAnswers = draft.evidence.path === undefined ? askPath(kube, signal) : null;
  for (const id of ['service', 'endpoints', 'probes'] as const) host.progress(id, 'running', 'asking');
  const ends = (problem: Problem): ClusterLook => ({ problem, usage: Promise.resolve(), rest: Promise.resolve() });

  const answer = serviceIn(listed, name) ?? (await askService(kube, namespace, name, signal));
  if (!answer.ok) {
    draft.states.set('service', failed('service', answer.error));
    host.progress('service', 'failed', answer.error.kind);
    const missing = { api: '/api/v1', kind: 'service', name, meant: request.meant ?? null } as const;
    return ends(await explainMissing(kube, namespace, missing, answer.error));
  }
  const service = readService(answer.value);
  if (service === null) {
    return ends({
      kind: 'failed',
      message: `the answer to get service ${namespace}/${name} is no Service`,
      hint: 'is --server the address of a Kubernetes API?',
    });
  }
  draft.evidence = { ...draft.evidence, service };
  draft.states.set('service', complete('service', noteTime(draft, answer.serverDate)));
  host.progress('service', 'done', describeService(service));
  const unfit = explainUnfitService(service, answer.value);
  if (unfit !== null) return ends(unfit);

  host.progress('usage', 'running', 'asking');
  const usageAnswer = askUsage(kube, namespace, service.selector, signal);
  const podsAnswer = await askPods(kube, namespace, service.selector, signal);
  const problem = lookAtEndpoints(host, draft, service, await slicesAnswer, podsAnswer);
  if (problem !== null) return ends(problem);
  const usage = usageAnswer.then((found) => noteUsage(host, draft, found));
  const rest = Promise.all([
    usage,
    eventsAnswer.then((found) => noteEvents(host, draft, found)),
    workloadAnswers.then(([deployments, nodes]) => noteWorkloads(draft, deployments, nodes)),
    autoscalersAnswer.then((found) => noteAutoscalers(host, draft, found)),
    servicesAnswer.then((found) => noteSiblings(host, draft, service, found)),
    pathAnswers?.then((found) =>
      lookAtPath(host, draft, { read: service, raw: answer.value }, podsAnswer.ok ? podsAnswer.value.items : [], found),
    ),
  ]).then(() => undefined);
  return { problem: null, usage, rest };
}

function lookAtEndpoints(
  host: CollectHost,
  draft: Draft,
  service: Service,
  slices: KubeResult<KubeList>,
  pods: KubeResult<KubeList>,
): Problem | null {
  for (const answer of [slices, pods]) {
    if (answer.ok) continue;
    draft.states.set('endpoints', failed('endpoints', answer.error));
    host.progress('endpoints', 'failed', answer.error.kind);
    const problem = problemOf(answer.error);
    return answer.error.kind === 'forbidden'
      ? { ...problem, hint: `the diagnosis needs the right to ${missingRight('endpoints', answer.error)}` }
      : problem;
  }
  if (!slices.ok || !pods.ok) return null;
  const endpointSlices = readEndpointSlices(slices.value.items);
  const named = new Set(
    endpointSlices.flatMap((slice) => slice.endpoints.flatMap((endpoint) => endpoint.pod?.uid ?? [])),
  );
  const hasSelector = Object.keys(service.selector).length > 0;
  const read = readPods(pods.value.items, service.selector).filter(
    (pod) => named.has(pod.uid) || (hasSelector && matches(pod, service)),
  );
  draft.evidence = { ...draft.evidence, endpointSlices, pods: read };
  noteTime(draft, slices.serverDate);
  draft.states.set('endpoints', complete('endpoints', noteTime(draft, pods.serverDate)));
  host.progress('endpoints', 'done', describeEndpoints(endpointSlices));
  return explainNoPods(service, slices.value.items);
}

/** A recorded or cached list may hold more pods than the selector asked for. */
function matches(pod: Pod, service: Service): boolean {
  return Object.entries(service.selector).every(([key, value]) => pod.labels[key] === value);
}

function noteUsage(host: CollectHost, draft: Draft, answer: KubeResult<KubeList>): void {
  if (!answer.ok) {
    const absent =
      answer.error.kind === 'not-found'
        ? { ...answer.error, message: 'this cluster has no metrics API (metrics.k8s.io)' }
        : answer.error;
    const down =
      answer.error.status === 503
        ? { ...absent, message: 'the metrics API is registered but not answering (503)' }
        : absent;
    draft.states.set('usage', failed('usage', down));
    host.progress('usage', 'failed', down.kind === 'forbidden' ? 'forbidden' : 'unavailable');
    return;
  }
  const names = new Set(draft.evidence.pods?.map((pod) => pod.name));
  const usage = readUsage(answer.value.items).filter((entry) => names.has(entry.pod));
  draft.evidence = { ...draft.evidence, usage };
  const newest =
    usage
      .map((entry) => entry.measuredAt)
      .sort()
      .at(-1) ?? null;
  noteTime(draft, answer.serverDate);
  const missing = names.size - usage.length;
  if (usage.length === 0)
    draft.states.set('usage', {
      ...partial('usage', 'the metrics API has no data for these pods yet', null),
      state: 'unavailable',
    });
  else if (missing > 0)
    draft.states.set('usage', partial('usage', `no data for ${missing} of ${names.size} pods`, newest));
  else draft.states.set('usage', complete('usage', newest));
  host.progress('usage', missing === 0 ? 'done' : 'partial', usage.length === 0 ? 'no data' : `${usage.length} pods`);
}

function noteEvents(host: CollectHost, draft: Draft, answer: KubeResult<KubeList>): void {
  if (!answer.ok) {
    // Restarts, Ready conditions and probe specs came with the pods: only the Events are missing.
    const cause = failed('probes', answer.error);
    draft.states.set(
      'probes',
      partial('probes', `pod status only, Events not seen: ${cause.reason ?? ''}`, null, cause.needs),
    );
    host.progress('probes', 'partial', 'pod status only');
    return;
  }
  const workloads = new Set(draft.evidence.pods?.map((pod) => pod.name));
  const happenings = readHappenings(answer.value.items).filter(
    (entry) => entry.kind === 'scaled' || workloads.has(entry.pod),
  );
  draft.evidence = { ...draft.evidence, happenings };
  draft.states.set('probes', complete('probes', noteTime(draft, answer.serverDate)));
  const unhealthy = happenings.filter((entry) => entry.kind === 'unhealthy').length;
  host.progress(
    'probes',
    'done',
    unhealthy === 0 ? 'no failed probes in Events' : `${unhealthy} Events of failed probes`,
  );
}

function noteWorkloads(draft: Draft, deployments: KubeResult<KubeList>, nodes: KubeResult<KubeList>): void {
  if (deployments.ok) draft.evidence = { ...draft.evidence, deployments: readDeployments(deployments.value.items) };
  if (nodes.ok) draft.evidence = { ...draft.evidence, nodes: readNodes(nodes.value.items) };
}

function noteAutoscalers(host: CollectHost, draft: Draft, answer: KubeResult<KubeList>): void {
  if (!answer.ok) {
    draft.states.set('autoscaling', failed('autoscaling', answer.error));
    host.progress('autoscaling', 'failed', answer.error.kind);
    return;
  }
  const owners = new Set(draft.evidence.pods?.map((pod) => workloadOf(pod)));
  const autoscalers = readAutoscalers(answer.value.items).filter((entry) =>
    owners.has(`${entry.target.kind.toLowerCase()}/${entry.target.name}`),
  );
  draft.evidence = { ...draft.evidence, autoscalers };
  draft.states.set('autoscaling', complete('autoscaling', noteTime(draft, answer.serverDate)));
  host.progress(
    'autoscaling',
    'done',
    autoscalers.length === 0 ? 'none' : autoscalers.map((entry) => entry.name).join(', '),
  );
}

function noteSiblings(host: CollectHost, draft: Draft, service: Service, answer: KubeResult<KubeList>): void {
  if (!answer.ok) {
    draft.states.set('siblings', failed('siblings', answer.error));
    host.progress('siblings', 'failed', answer.error.kind);
    return;
  }
  draft.services = answer.value.items;
  draft.selectors = answer.value.items.map((item) => textMapAt(item, 'spec', 'selector'));
  const siblings = readSiblings(answer.value.items, service);
  draft.evidence = { ...draft.evidence, siblings, namesakes: readNamesakes(answer.value.items, service) };
  draft.states.set('siblings', complete('siblings', noteTime(draft, answer.serverDate)));
  host.progress('siblings', 'done', siblings.length === 0 ? 'none' : siblings.map((entry) => entry.name).join(', '));
}

function describeService(service: Service): string {
  return service.clusterIP === 'None' ? 'headless' : service.type;
}

function describeEndpoints(slices: readonly EndpointSlice[]): string {
  const endpoints = slices.flatMap((slice) => slice.endpoints);
  return `${endpoints.filter((endpoint) => endpoint.ready ?? true).length} of ${endpoints.length} ready`;
}

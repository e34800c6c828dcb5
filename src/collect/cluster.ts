import type { KubeError } from '../kube/types.ts';
import type { Problem } from '../result/result.ts';
import { askAutoscalers } from '../signals/autoscaling/ask.ts';
import { lookAtAutoscalers } from '../signals/autoscaling/look.ts';
import { askDeployments, askNodes } from '../signals/clients/ask.ts';
import { lookAtWorkloads } from '../signals/clients/look.ts';
import { askEndpointSlices, askPods } from '../signals/endpoints/ask.ts';
import { lookAtEndpoints } from '../signals/endpoints/look.ts';
import { type SignalUpdate, unanswered } from '../signals/look.ts';
import { askPath, lookAtPath } from '../signals/path/look.ts';
import { askEvents } from '../signals/probes/ask.ts';
import { lookAtProbes } from '../signals/probes/look.ts';
import { askService } from '../signals/service/ask.ts';
import { lookAtService } from '../signals/service/look.ts';
import { readService } from '../signals/service/read.ts';
import { askServices } from '../signals/siblings/ask.ts';
import { lookAtSiblings } from '../signals/siblings/look.ts';
import { serviceIn } from '../signals/siblings/read.ts';
import { missingRight } from '../signals/state.ts';
import { askUsage } from '../signals/usage/ask.ts';
import { lookAtUsage } from '../signals/usage/look.ts';
import { apply, type CollectRequest, type Draft } from './draft.ts';
import type { CollectHost } from './host.ts';
import { explainMissing, explainNoPods, explainUnfitService, problemOf } from './problem.ts';

/** What a look at the API's objects gave: a problem that ends the diagnosis, or what is still on its way. */
export interface ClusterLists {
  readonly problem: Problem | null;
  /** Settled when CPU and memory are noted: how near a container is to its limit decides where commands may run. */
  readonly usage: Promise<void>;
  /** Settled when all that may come later is noted. */
  readonly rest: Promise<void>;
}

/** The objects of the API: what does not depend on another answer is asked at once. */
export async function lookAtCluster(request: CollectRequest, host: CollectHost, draft: Draft): Promise<ClusterLists> {
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
  const note = (found: SignalUpdate) => apply(draft, host, found);
  const ends = (problem: Problem): ClusterLists => ({ problem, usage: Promise.resolve(), rest: Promise.resolve() });

  const answer = serviceIn(listed, name) ?? (await askService(kube, namespace, name, signal));
  if (!answer.ok) {
    note(unanswered('service', answer.error));
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
  note(lookAtService(service, answer));
  const unfit = explainUnfitService(service, answer.value);
  if (unfit !== null) return ends(unfit);

  host.progress('usage', 'running', 'asking');
  const usageAnswer = askUsage(kube, namespace, service.selector, signal);
  const pods = await askPods(kube, namespace, service.selector, signal);
  const slices = await slicesAnswer;
  note(lookAtEndpoints(service, slices, pods));
  if (!slices.ok) return ends(explainUnseen(slices.error));
  if (!pods.ok) return ends(explainUnseen(pods.error));
  const problem = explainNoPods(service, slices.value.items);
  if (problem !== null) return ends(problem);
  const { evidence } = draft;
  const usage = usageAnswer.then((found) => note(lookAtUsage(evidence, found)));
  const rest = Promise.all([
    usage,
    eventsAnswer.then((found) => note(lookAtProbes(evidence, found))),
    workloadAnswers.then(([deployments, nodes]) => note(lookAtWorkloads(deployments, nodes))),
    autoscalersAnswer.then((found) => note(lookAtAutoscalers(evidence, found))),
    servicesAnswer.then((found) => {
      if (found.ok) draft.services = found.value.items;
      note(lookAtSiblings(service, found));
    }),
    pathAnswers
      ?.then((found) => lookAtPath(host, evidence, { read: service, raw: answer.value }, pods.value.items, found))
      .then(note),
  ]).then(() => undefined);
  return { problem: null, usage, rest };
}

/** Without endpoints there is no diagnosis. */
function explainUnseen(error: KubeError): Problem {
  const problem = problemOf(error);
  const hint = `the diagnosis needs the right to ${missingRight('endpoints', error)}`;
  return error.kind === 'forbidden' ? { ...problem, hint } : problem;
}

import type { Service } from '../evidence/objects.ts';
import { nextStep } from '../kube/errors/next-step.ts';
import type { KubeClient, KubeError } from '../kube/types.ts';
import type { Problem } from '../result/result.ts';
import { askObjects } from '../signals/objects.ts';
import { askNamespace } from '../signals/path/ask.ts';
import { listAt, textAt } from '../signals/read/json.ts';
import { didYouMean } from '../spelling/nearest.ts';

export function problemOf(error: KubeError): Problem {
  return { kind: 'failed', message: `could not ${error.request}: ${error.message}`, hint: nextStep(error) };
}

/** What was asked for and is not there. */
export interface Missing {
  readonly api: string;
  readonly kind: 'service' | 'deployment' | 'statefulset' | 'daemonset' | 'pod';
  readonly name: string;
  /** What else the name may mean, in words of the caller. */
  readonly meant?: string | null;
}

/** A missing object: says whether it is the namespace that is missing, what may be meant, and what others there are. */
export async function explainMissing(
  kube: KubeClient,
  namespace: string,
  missing: Missing,
  error: KubeError,
): Promise<Problem> {
  if (error.kind !== 'not-found') return problemOf(error);
  const { api, kind, name } = missing;
  const noNamespace = await explainMissingNamespace(kube, namespace, 'or another context with --context');
  if (noNamespace !== null) return noNamespace;
  const [list, workload] = await Promise.all([
    askObjects(kube, { api, resource: `${kind}s`, namespace }),
    kind === 'service' ? workloadCalled(kube, namespace, name) : null,
  ]);
  const names = list.ok ? list.value.items.flatMap((item) => textAt(item, 'metadata', 'name') ?? []).sort() : [];
  const most = 8;
  const listed = `${names.slice(0, most).join(', ')}${names.length > most ? `, and ${names.length - most} more` : ''}`;
  const meant = didYouMean(name, names);
  const others = !list.ok
    ? 'choose another namespace with -n'
    : names.length === 0
      ? `there are no ${kind}s in it: choose another namespace with -n`
      : `${kind}s there: ${listed}`;
  return {
    kind: 'failed',
    message: `${kind} ${name} not found in namespace ${namespace} (context ${kube.context})`,
    hint: [workload, missing.meant, meant === null ? others : `${meant} ${others}`]
      .filter((part) => part != null)
      .join('; '),
    names: [name, ...names],
  };
}

/** A namespace that does not exist, with the one that may be meant; null: it exists, or nobody may know. */
export async function explainMissingNamespace(
  kube: KubeClient,
  namespace: string,
  orElse: string,
  signal?: AbortSignal,
): Promise<Problem | null> {
  const found = await askNamespace(kube, namespace, signal);
  if (found.ok || found.error.kind !== 'not-found') return null;
  const list = await kube.list('/api/v1/namespaces', { request: 'list namespaces', ...(signal && { signal }) });
  const names = list.ok ? list.value.items.flatMap((item) => textAt(item, 'metadata', 'name') ?? []) : [];
  const meant = didYouMean(namespace, names);
  return {
    kind: 'failed',
    message: `namespace ${namespace} does not exist in context ${kube.context}`,
    hint: `${meant === null ? '' : `${meant} `}choose one with -n, ${orElse}`,
    names: [namespace, ...names],
  };
}

/** Kinds that may bear the name that was taken for a Service's, with the word for it on a command line. */
const workloadKinds = [
  { kind: 'deployment', api: '/apis/apps/v1', word: 'deploy' },
  { kind: 'statefulset', api: '/apis/apps/v1', word: 'sts' },
  { kind: 'daemonset', api: '/apis/apps/v1', word: 'ds' },
  { kind: 'pod', api: '/api/v1', word: 'pod' },
] as const;

/** Names that a controller gives its pods end in five letters and digits, or in the number of a StatefulSet's pod. */
const nameOfPod = /-(?:[a-z0-9]{5}|\d+)$/;

/** A workload or pod of that name; null where there is none, or where the right to see it is missing. */
async function workloadCalled(kube: KubeClient, namespace: string, name: string): Promise<string | null> {
  const kinds = workloadKinds.filter(({ kind }) => kind !== 'pod' || nameOfPod.test(name));
  const found = await Promise.all(
    kinds.map(async ({ kind, api, word }) => {
      const path = `${api}/namespaces/${encodeURIComponent(namespace)}/${kind}s/${encodeURIComponent(name)}`;
      const answer = await kube.getJson(path, { request: `get ${kind} ${namespace}/${name}` });
      return answer.ok ? `there is a ${kind} ${name}: write ${word}/${name}` : null;
    }),
  );
  return found.find((words) => words !== null) ?? null;
}

/** A Service that has no pods of its own to compare, whatever the cluster answers. */
export function explainUnfitService(service: Service, raw: unknown): Problem | null {
  if (service.type === 'ExternalName') {
    const target = textAt(raw, 'spec', 'externalName');
    return {
      kind: 'failed',
      message: `service ${service.name} is an ExternalName${target === null ? '' : ` for ${target}`}: it has no pods to compare`,
      hint: 'diagnose the Service that it stands for, where that runs',
      ...(target !== null && { names: [target] }),
    };
  }
  return null;
}

/** Endpoints without pods behind them: nothing can be looked into. */
export function explainNoPods(service: Service, slices: readonly unknown[]): Problem | null {
  const endpoints = slices.flatMap((slice) => listAt(slice, 'endpoints'));
  if (
    Object.keys(service.selector).length > 0 ||
    endpoints.some((endpoint) => textAt(endpoint, 'targetRef', 'kind') === 'Pod')
  )
    return null;
  return {
    kind: 'failed',
    message: `service ${service.name} has no selector and its ${endpoints.length} endpoints name no pods: there is nothing to look into`,
    hint: 'for backends outside the cluster look at their own metrics',
  };
}

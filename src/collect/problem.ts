import type { Service } from '../evidence/objects.ts';
import { nextStep } from '../kube/next-step.ts';
import type { KubeClient, KubeError } from '../kube/types.ts';
import { listAt, textAt } from '../signals/read/json.ts';

/** Why there can be no diagnosis: for one clear line on stderr. */
export interface Problem {
  readonly message: string;
  readonly hint: string | null;
  /** `usage`: the user can ask better; `failed`: the cluster did not give what is needed. */
  readonly kind: 'usage' | 'failed';
  /** Names of the cluster in the message or the hint that no evidence has. */
  readonly names?: readonly string[];
}

export function problemOf(error: KubeError): Problem {
  return { kind: 'failed', message: `could not ${error.request}: ${error.message}`, hint: nextStep(error) };
}

/** A missing object: says whether it is the namespace that is missing, and what others there are. */
export async function explainMissing(
  kube: KubeClient,
  namespace: string,
  missing: { readonly api: string; readonly kind: string; readonly name: string },
  error: KubeError,
): Promise<Problem> {
  if (error.kind !== 'not-found') return problemOf(error);
  const { api, kind, name } = missing;
  const found = await kube.getJson(`/api/v1/namespaces/${encodeURIComponent(namespace)}`, {
    request: `get namespace ${namespace}`,
  });
  if (!found.ok && found.error.kind === 'not-found') {
    return {
      kind: 'failed',
      message: `namespace ${namespace} does not exist in context ${kube.context}`,
      hint: 'choose one with -n, or another context with --context',
    };
  }
  const message = `${kind} ${name} not found in namespace ${namespace} (context ${kube.context})`;
  const list = await kube.list(`${api}/namespaces/${encodeURIComponent(namespace)}/${kind}s`, {
    request: `list ${kind}s in namespace ${namespace}`,
  });
  if (!list.ok) return { kind: 'failed', message, hint: 'choose another namespace with -n' };
  const names = list.value.items.flatMap((item) => textAt(item, 'metadata', 'name') ?? []).sort();
  const most = 8;
  const listed = `${names.slice(0, most).join(', ')}${names.length > most ? `, and ${names.length - most} more` : ''}`;
  return {
    kind: 'failed',
    message,
    hint:
      names.length === 0
        ? `there are no ${kind}s in it: choose another namespace with -n`
        : `${kind}s there: ${listed}`,
    names: [name, ...names],
  };
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

import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects, type Objects, requestFor } from '../objects.ts';
import { selectorText } from '../read/labels.ts';

/** Asks the metrics API for the pods of the selector. */
export function askUsage(
  kube: KubeClient,
  namespace: string,
  selector: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  const wanted = selectorText(selector);
  return eitherVersion((version) =>
    askObjects(kube, { ...podMetricsRequest(version, namespace), labelSelector: wanted }, signal),
  );
}

export function podMetricsRequest(version: string, namespace: string | null): Objects {
  const request = requestFor({ api: '', resource: 'pod metrics', namespace });
  return { api: `/apis/metrics.k8s.io/${version}`, resource: 'pods', namespace, request };
}

/** `v1beta1` first: every cluster of today has it; `v1` (KEP-5207) where that is gone, so the usual cluster costs one request. */
export async function eitherVersion<T extends KubeResult<unknown>>(ask: (version: string) => Promise<T>): Promise<T> {
  const beta = await ask('v1beta1');
  return !beta.ok && beta.error.kind === 'not-found' ? await ask('v1') : beta;
}

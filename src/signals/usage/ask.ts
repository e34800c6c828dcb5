import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { labelSelector } from '../read/labels.ts';

/**
 * Asks the metrics API for the pods of the selector. `v1beta1` first: every cluster of today has it;
 * `v1` (KEP-5207) is asked where that is gone, so the usual cluster costs one request.
 */
export async function askUsage(
  kube: KubeClient,
  namespace: string,
  selector: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  const wanted = labelSelector(selector);
  const ask = (version: string) =>
    kube.list(`/apis/metrics.k8s.io/${version}/namespaces/${encodeURIComponent(namespace)}/pods`, {
      request: `list pod metrics in namespace ${namespace}`,
      ...(wanted !== '' && { query: { labelSelector: wanted } }),
      ...(signal && { signal }),
    });
  const beta = await ask('v1beta1');
  return !beta.ok && beta.error.kind === 'not-found' ? await ask('v1') : beta;
}

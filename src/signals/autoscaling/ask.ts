import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';

/** Asks for the HorizontalPodAutoscalers of a namespace. */
export function askAutoscalers(
  kube: KubeClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return kube.list(`/apis/autoscaling/v2/namespaces/${encodeURIComponent(namespace)}/horizontalpodautoscalers`, {
    request: `list horizontalpodautoscalers in namespace ${namespace}`,
    ...(signal && { signal }),
  });
}

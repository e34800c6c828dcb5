import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';

/** Asks for the Services of a namespace: some may stand before the same pods. */
export function askServices(kube: KubeClient, namespace: string, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return kube.list(`/api/v1/namespaces/${encodeURIComponent(namespace)}/services`, {
    request: `list services in namespace ${namespace}`,
    ...(signal && { signal }),
  });
}

import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';

/** Asks for the Events of the namespace: failed probes, kills and scalings. */
export function askEvents(kube: KubeClient, namespace: string, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return kube.list(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, {
    request: `list events in namespace ${namespace}`,
    ...(signal && { signal }),
  });
}

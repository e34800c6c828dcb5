import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';

/** Asks for the pods that may be clients: of one namespace, or of all of them. */
export function askPeerPods(
  kube: KubeClient,
  namespace: string | null,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return kube.list(namespace === null ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`, {
    request: namespace === null ? 'list pods in all namespaces' : `list pods in namespace ${namespace}`,
    ...(signal && { signal }),
  });
}

export function askNodes(kube: KubeClient, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return kube.list('/api/v1/nodes', { request: 'list nodes', ...(signal && { signal }) });
}

/** Asks for the Deployments of a namespace: is a rollout under way? */
export function askDeployments(
  kube: KubeClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return kube.list(`/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments`, {
    request: `list deployments in namespace ${namespace}`,
    ...(signal && { signal }),
  });
}

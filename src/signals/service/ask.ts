import type { KubeClient, KubeResult } from '../../kube/types.ts';

/** Asks for the Service: what it promises. */
export function askService(
  kube: KubeClient,
  namespace: string,
  name: string,
  signal?: AbortSignal,
): Promise<KubeResult<unknown>> {
  return kube.getJson(`/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(name)}`, {
    request: `get service ${namespace}/${name}`,
    ...(signal && { signal }),
  });
}

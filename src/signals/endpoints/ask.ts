import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { labelSelector } from '../read/labels.ts';

/** Asks for the EndpointSlices of a Service, by label: their names are no contract. */
export function askEndpointSlices(
  kube: KubeClient,
  namespace: string,
  service: string,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return kube.list(`/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices`, {
    request: `list endpointslices of service ${namespace}/${service}`,
    query: { labelSelector: `kubernetes.io/service-name=${service}` },
    ...(signal && { signal }),
  });
}

/** Asks for the pods that the selector names. */
export function askPods(
  kube: KubeClient,
  namespace: string,
  selector: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  const wanted = labelSelector(selector);
  return kube.list(`/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`, {
    request: `list pods in namespace ${namespace}`,
    ...(wanted !== '' && { query: { labelSelector: wanted } }),
    ...(signal && { signal }),
  });
}

import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects } from '../objects.ts';
import { selectorText } from '../read/labels.ts';

/** Asks for the EndpointSlices of a Service, by label: their names are no contract. */
export function askEndpointSlices(
  kube: KubeClient,
  namespace: string,
  service: string,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  const request = `list endpointslices of service ${namespace}/${service}`;
  const slices = { api: '/apis/discovery.k8s.io/v1', resource: 'endpointslices', namespace, request };
  return askObjects(kube, { ...slices, labelSelector: `kubernetes.io/service-name=${service}` }, signal);
}

/** Asks for the pods that the selector names. */
export function askPods(
  kube: KubeClient,
  namespace: string,
  selector: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  const pods = { api: '/api/v1', resource: 'pods', namespace, labelSelector: selectorText(selector) };
  return askObjects(kube, pods, signal);
}

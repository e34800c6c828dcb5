import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects, type Objects } from '../objects.ts';

/** API groups that only some clusters serve; nothing else is asked of one that is not listed in /apis. */
export const pathGroups = {
  gateway: 'gateway.networking.k8s.io',
  istio: 'networking.istio.io',
  cilium: 'cilium.io',
  linkerd: 'policy.linkerd.io',
  calico: 'crd.projectcalico.org',
  ingress: 'networking.k8s.io',
} as const;

/** Asks for the list of API groups, once. */
export function askGroups(kube: KubeClient, signal?: AbortSignal): Promise<KubeResult<unknown>> {
  return kube.getJson('/apis', { request: 'list the API groups', ...(signal && { signal }) });
}

/** Asks for the objects of one optional API, in the namespace of the Service. */
export function askOptional(
  kube: KubeClient,
  { group, version, ...objects }: { readonly group: string; readonly version: string } & Omit<Objects, 'api'>,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { ...objects, api: `/apis/${group}/${version}` }, signal);
}

/** Asks for the namespace itself: its labels and annotations hold for its pods. */
export function askNamespace(kube: KubeClient, namespace: string, signal?: AbortSignal): Promise<KubeResult<unknown>> {
  return kube.getJson(`/api/v1/namespaces/${encodeURIComponent(namespace)}`, {
    request: `get namespace ${namespace}`,
    ...(signal && { signal }),
  });
}

/** Asks for a ConfigMap of kube-system: `kube-proxy` or `cilium-config`. */
export function askConfigMap(kube: KubeClient, name: string, signal?: AbortSignal): Promise<KubeResult<unknown>> {
  return kube.getJson(`/api/v1/namespaces/kube-system/configmaps/${name}`, {
    request: `get configmap kube-system/${name}`,
    ...(signal && { signal }),
  });
}

/** Calico's eBPF data plane: asked where its API is served. */
export function askFelix(kube: KubeClient, version: string, signal?: AbortSignal): Promise<KubeResult<unknown>> {
  return kube.getJson(`/apis/${pathGroups.calico}/${version}/felixconfigurations/default`, {
    request: 'get felixconfiguration default',
    ...(signal && { signal }),
  });
}

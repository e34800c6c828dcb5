import type { KubeClient, KubeList, KubeResult } from '../kube/types.ts';

/** Objects of one kind: of a namespace, or of all where it is null. */
export interface Objects {
  /** `/api/v1`, `/apis/GROUP/VERSION`. */
  readonly api: string;
  readonly resource: string;
  readonly namespace: string | null;
  /** As the API takes it; empty: all. */
  readonly labelSelector?: string;
  /** Words for error messages, where the resource does not say what is asked for. */
  readonly request?: string;
  readonly timeoutMs?: number;
}

export function pathTo({ api, resource, namespace }: Objects): string {
  return namespace === null ? `${api}/${resource}` : `${api}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

/** The words for error messages: `list pods in namespace shop`. */
export function requestFor({ resource, namespace, request }: Objects): string {
  return request ?? `list ${resource} ${namespace === null ? 'in all namespaces' : `in namespace ${namespace}`}`;
}

/** Asks for a list of objects. */
export function askObjects(kube: KubeClient, objects: Objects, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  const { labelSelector = '', timeoutMs } = objects;
  return kube.list(pathTo(objects), {
    request: requestFor(objects),
    ...(labelSelector !== '' && { query: { labelSelector } }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
  });
}

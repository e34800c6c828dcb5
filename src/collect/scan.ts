import type { EndpointSlice, Pod, PodUsage, Service } from '../evidence/objects.ts';
import type { SignalState } from '../evidence/schema.ts';
import type { KubeClient, KubeResult } from '../kube/types.ts';
import { readEndpointSlices } from '../signals/endpoints/read.ts';
import { type Objects, pathTo, requestFor } from '../signals/objects.ts';
import { textAt } from '../signals/read/json.ts';
import { readPods } from '../signals/read/pods.ts';
import { readService } from '../signals/service/read.ts';
import { complete, failed } from '../signals/state.ts';
import { eitherVersion, podMetricsRequest } from '../signals/usage/ask.ts';
import { readUsage } from '../signals/usage/read.ts';

export interface ScanHost {
  readonly kube: KubeClient;
  readonly signal?: AbortSignal;
}

/** Reads a list page by page; `read` keeps what is wanted of a page. A token that expired begins it again, once. */
async function readList<T>(
  { kube, signal }: ScanHost,
  objects: Objects,
  read: (items: readonly unknown[]) => readonly T[],
): Promise<KubeResult<readonly T[]>> {
  const once = async (): Promise<KubeResult<readonly T[]>> => {
    const found: T[] = [];
    let serverDate: string | null = null;
    const { labelSelector = '' } = objects;
    const options = {
      request: requestFor(objects),
      ...(labelSelector !== '' && { query: { labelSelector } }),
      ...(signal && { signal }),
    };
    const pages: AsyncIterable<KubeResult<readonly unknown[]>> = kube.pages(pathTo(objects), options);
    for await (const page of pages) {
      if (!page.ok) return page;
      for (const entry of read(page.value)) found.push(entry);
      serverDate = page.serverDate ?? serverDate;
    }
    return { ok: true, value: found, serverDate };
  };
  const first = await once();
  return !first.ok && first.error.kind === 'gone' ? once() : first;
}

/** `labelSelector` as the API takes it, which says what is wrong with it; empty: all. */
export function listServices(
  host: ScanHost,
  namespace: string | null,
  labelSelector = '',
): Promise<KubeResult<readonly Service[]>> {
  return readList(host, { api: '/api/v1', resource: 'services', namespace, labelSelector }, (items) =>
    // Objects of a list come without their kind.
    items.flatMap((item) => readService({ kind: 'Service', ...(item as object) }) ?? []),
  );
}

/** The pods that one of the Services selects; of others nothing is kept. */
export function listSelectedPods(
  host: ScanHost,
  namespace: string | null,
  services: readonly Service[],
): Promise<KubeResult<readonly Pod[]>> {
  // Labels are kept where a selector names them.
  const keys = Object.fromEntries(services.flatMap(({ selector }) => Object.keys(selector).map((key) => [key, ''])));
  const servicesOf = Map.groupBy(services, (service) => service.namespace);
  const isSelected = (pod: Pod) =>
    (servicesOf.get(pod.namespace) ?? []).some(({ selector }) =>
      Object.entries(selector).every(([key, value]) => pod.labels[key] === value),
    );
  return readList(host, { api: '/api/v1', resource: 'pods', namespace }, (items) =>
    readPods(items, keys).filter((pod) => pod.phase !== 'Succeeded' && pod.phase !== 'Failed' && isSelected(pod)),
  );
}

/** The EndpointSlices by `namespace/service`. */
export async function listSlices(
  host: ScanHost,
  namespace: string | null,
  wanted: ReadonlySet<string>,
): Promise<KubeResult<ReadonlyMap<string, readonly EndpointSlice[]>>> {
  const listed = await readList(
    host,
    { api: '/apis/discovery.k8s.io/v1', resource: 'endpointslices', namespace },
    (items) =>
      items.flatMap((item) => {
        const service = textAt(item, 'metadata', 'labels', 'kubernetes.io/service-name');
        const key = `${textAt(item, 'metadata', 'namespace') ?? namespace ?? ''}/${service ?? ''}`;
        return wanted.has(key) ? readEndpointSlices([item]).map((slice) => ({ key, slice })) : [];
      }),
  );
  if (!listed.ok) return listed;
  const byService = [...Map.groupBy(listed.value, ({ key }) => key)];
  return { ...listed, value: new Map(byService.map(([key, entries]) => [key, entries.map(({ slice }) => slice)])) };
}

export interface ListedUsage {
  /** By namespace; null: not seen. */
  readonly usage: ReadonlyMap<string, readonly PodUsage[]> | null;
  readonly state: SignalState;
}

/** CPU and memory of the pods, where there is a metrics API. */
export async function listUsage(
  host: ScanHost,
  namespace: string | null,
  wanted: ReadonlySet<string>,
): Promise<ListedUsage> {
  const listed = await eitherVersion((version) =>
    readList(host, podMetricsRequest(version, namespace), (items) =>
      items.flatMap((item) => {
        const of = textAt(item, 'metadata', 'namespace') ?? namespace ?? '';
        return readUsage([item]).flatMap((usage) => (wanted.has(`${of}/${usage.pod}`) ? [{ of, usage }] : []));
      }),
    ),
  );
  if (!listed.ok) {
    const { error } = listed;
    const message = error.kind === 'not-found' ? 'this cluster has no metrics API (metrics.k8s.io)' : error.message;
    return { usage: null, state: failed('usage', { ...error, message }) };
  }
  const byNamespace = [...Map.groupBy(listed.value, ({ of }) => of)];
  const usage = new Map(byNamespace.map(([of, entries]) => [of, entries.map((entry) => entry.usage)]));
  return { usage, state: complete('usage', listed.serverDate) };
}

import type { EndpointSlice, Pod, PodUsage, Service } from '../evidence/objects.ts';
import type { SignalState } from '../evidence/schema.ts';
import type { KubeClient, KubeResult } from '../kube/types.ts';
import { readEndpointSlices } from '../signals/endpoints.ts';
import { readPods } from '../signals/pods.ts';
import { textAt } from '../signals/read/json.ts';
import { readService } from '../signals/service.ts';
import { complete, failed } from '../signals/state.ts';
import { readUsage } from '../signals/usage.ts';

export interface ScanHost {
  readonly kube: KubeClient;
  readonly signal?: AbortSignal;
}

function within(api: string, namespace: string | null, resource: string): string {
  return namespace === null ? `${api}/${resource}` : `${api}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

/** Reads a list page by page; `read` keeps what is wanted of a page. A token that expired begins it again, once. */
async function readList<T>(
  { kube, signal }: ScanHost,
  path: string,
  request: string,
  read: (items: readonly unknown[]) => readonly T[],
): Promise<KubeResult<readonly T[]>> {
  const once = async (): Promise<KubeResult<readonly T[]>> => {
    const found: T[] = [];
    let serverDate: string | null = null;
    const pages: AsyncIterable<KubeResult<readonly unknown[]>> = kube.pages(path, {
      request,
      ...(signal && { signal }),
    });
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

const where = (namespace: string | null) => (namespace === null ? 'in all namespaces' : `in namespace ${namespace}`);

export function listServices(host: ScanHost, namespace: string | null): Promise<KubeResult<readonly Service[]>> {
  return readList(host, within('/api/v1', namespace, 'services'), `list services ${where(namespace)}`, (items) =>
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
  const selectors = new Map<string, Service['selector'][]>();
  for (const service of services) {
    const own = selectors.get(service.namespace) ?? [];
    own.push(service.selector);
    selectors.set(service.namespace, own);
  }
  const isSelected = (pod: Pod) =>
    (selectors.get(pod.namespace) ?? []).some((selector) =>
      Object.entries(selector).every(([key, value]) => pod.labels[key] === value),
    );
  return readList(host, within('/api/v1', namespace, 'pods'), `list pods ${where(namespace)}`, (items) =>
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
    within('/apis/discovery.k8s.io/v1', namespace, 'endpointslices'),
    `list endpointslices ${where(namespace)}`,
    (items) =>
      items.flatMap((item) => {
        const service = textAt(item, 'metadata', 'labels', 'kubernetes.io/service-name');
        const key = `${textAt(item, 'metadata', 'namespace') ?? namespace ?? ''}/${service ?? ''}`;
        return wanted.has(key) ? readEndpointSlices([item]).map((slice) => ({ key, slice })) : [];
      }),
  );
  if (!listed.ok) return listed;
  const byService = new Map<string, EndpointSlice[]>();
  for (const { key, slice } of listed.value) byService.set(key, [...(byService.get(key) ?? []), slice]);
  return { ...listed, value: byService };
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
  const ask = (version: string) =>
    readList(
      host,
      within(`/apis/metrics.k8s.io/${version}`, namespace, 'pods'),
      `list pod metrics ${where(namespace)}`,
      (items) =>
        items.flatMap((item) => {
          const of = textAt(item, 'metadata', 'namespace') ?? namespace ?? '';
          return readUsage([item]).flatMap((usage) => (wanted.has(`${of}/${usage.pod}`) ? [{ of, usage }] : []));
        }),
    );
  const beta = await ask('v1beta1');
  const listed = !beta.ok && beta.error.kind === 'not-found' ? await ask('v1') : beta;
  if (!listed.ok) {
    const { error } = listed;
    const message = error.kind === 'not-found' ? 'this cluster has no metrics API (metrics.k8s.io)' : error.message;
    return { usage: null, state: failed('usage', { ...error, message }) };
  }
  const usage = new Map<string, PodUsage[]>();
  for (const entry of listed.value) {
    const own = usage.get(entry.of) ?? [];
    own.push(entry.usage);
    usage.set(entry.of, own);
  }
  return { usage, state: complete('usage', listed.serverDate) };
}

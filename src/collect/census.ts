import type { ProbeLook } from '../evidence/looks.ts';
import type { Happening, Pod } from '../evidence/objects.ts';
import type { SignalState } from '../evidence/schema.ts';
import type { KubeClient, KubeError, KubeResult } from '../kube/types.ts';
import { askNodes } from '../signals/clients/ask.ts';
import { readNodePages } from '../signals/probe-metrics/look.ts';
import type { NamespacedCount } from '../signals/probe-metrics/read.ts';
import { readHappenings } from '../signals/probes/read.ts';
import { textAt } from '../signals/read/json.ts';
import { readPods } from '../signals/read/pods.ts';
import { complete, failed, partial } from '../signals/state.ts';

export interface CensusHost {
  readonly kube: KubeClient;
  readonly signal?: AbortSignal;
  wait(seconds: number): Promise<void>;
}

type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;

/** Of one namespace, or of all: null. */
function pathOf(namespace: string | null, resource: string): string {
  return namespace === null ? `/api/v1/${resource}` : `/api/v1/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

function where(namespace: string | null): string {
  return namespace === null ? 'in all namespaces' : `in namespace ${namespace}`;
}

/** The pods of a namespace or of the cluster, page by page. What comes is read; the objects themselves are let go. */
export async function* readPodPages(
  { kube, signal }: CensusHost,
  namespace: string | null,
): AsyncGenerator<KubeResult<readonly Pod[]>> {
  const options = { request: `list pods ${where(namespace)}`, ...(signal && { signal }) };
  for await (const page of kube.pages(pathOf(namespace, 'pods'), options))
    yield page.ok ? { ...page, value: readPods(page.value, {}) } : page;
}

/** What Events tell of failed probes, by `namespace/pod`, and what became of the signal. */
export interface SeenEvents {
  readonly byPod: ReadonlyMap<string, readonly Unhealthy[]> | null;
  readonly state: SignalState;
}

export async function readUnhealthyEvents({ kube, signal }: CensusHost, namespace: string | null): Promise<SeenEvents> {
  const byPod = new Map<string, Unhealthy[]>();
  // The server leaves out the others: of a large cluster there are many.
  const query = { fieldSelector: 'reason=Unhealthy' };
  const options = { request: `list events ${where(namespace)}`, query, ...(signal && { signal }) };
  let lookedAt: string | null = null;
  for await (const page of kube.pages(pathOf(namespace, 'events'), options)) {
    if (!page.ok) {
      const cause = failed('probes', page.error);
      return {
        byPod: null,
        state: partial('probes', `pod status only, Events not seen: ${cause.reason ?? ''}`, null, cause.needs),
      };
    }
    lookedAt = page.serverDate;
    for (const item of page.value) {
      const [happening] = readHappenings([item]);
      if (happening?.kind !== 'unhealthy') continue;
      const key = `${textAt(item, 'metadata', 'namespace') ?? namespace ?? ''}/${happening.pod}`;
      const entries = byPod.get(key) ?? [];
      entries.push(happening);
      byPod.set(key, entries);
    }
  }
  return { byPod, state: complete('probes', lookedAt) };
}

/** What kubelets have counted, in one look or two. */
export interface SeenCounters {
  readonly looks: readonly (Omit<ProbeLook, 'counts'> & { readonly counts: readonly NamespacedCount[] })[];
  readonly state: SignalState;
}

/** Asks every kubelet of the cluster, twice where there is a window. */
export async function readCounters(
  host: CensusHost,
  namespace: string | null,
  windowSeconds: number,
): Promise<SeenCounters> {
  const nodes = await askNodes(host.kube, host.signal);
  if (!nodes.ok) return { looks: [], state: notSeen(nodes.error) };
  const names = nodes.value.items.flatMap((node) => textAt(node, 'metadata', 'name') ?? []);
  const looks: SeenCounters['looks'][number][] = [];
  let failures = 0;
  let error: KubeError | null = null;
  const look = async (sample: 1 | 2) => {
    const seen = await readNodePages(host, names);
    for (const { node, lookedAt, counts } of seen.pages) {
      const own = counts.filter((count) => namespace === null || count.namespace === namespace);
      looks.push({ node, sample, lookedAt, counts: own });
    }
    failures = Math.max(failures, seen.failures.length);
    error = seen.failures[0]?.error ?? error;
  };
  await look(1);
  if (windowSeconds > 0 && looks.length > 0) {
    await host.wait(windowSeconds);
    await look(2);
  }
  if (error === null) return { looks, state: complete('probe-metrics', looks.at(-1)?.lookedAt ?? null) };
  if (looks.length === 0) return { looks, state: notSeen(error) };
  const { message } = error as KubeError;
  return {
    looks,
    state: partial(
      'probe-metrics',
      `${failures} of ${names.length} kubelets: ${message}`,
      looks.at(-1)?.lookedAt ?? null,
    ),
  };
}

function notSeen(error: KubeError): SignalState {
  return failed('probe-metrics', error);
}

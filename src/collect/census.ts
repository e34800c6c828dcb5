import type { ProbeLook } from '../evidence/looks.ts';
import type { Happening, Pod } from '../evidence/objects.ts';
import type { SignalState } from '../evidence/schema.ts';
import type { KubeClient, KubeResult } from '../kube/types.ts';
import { askNodes } from '../signals/clients/ask.ts';
import { pathTo, requestFor } from '../signals/objects.ts';
import { countersState, type NodeFailure, readNodePages } from '../signals/probe-metrics/look.ts';
import type { NamespacedCount } from '../signals/probe-metrics/read.ts';
import { withoutEvents } from '../signals/probes/look.ts';
import { readHappenings } from '../signals/probes/read.ts';
import { textAt } from '../signals/read/json.ts';
import { readPods } from '../signals/read/pods.ts';
import { complete, failed } from '../signals/state.ts';

export interface CensusHost {
  readonly kube: KubeClient;
  readonly signal?: AbortSignal;
  wait(seconds: number): Promise<void>;
}

type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;

/** The pods of a namespace or of the cluster, page by page. What comes is read; the objects themselves are let go. */
export async function* readPodPages(
  { kube, signal }: CensusHost,
  namespace: string | null,
): AsyncGenerator<KubeResult<readonly Pod[]>> {
  const pods = { api: '/api/v1', resource: 'pods', namespace };
  for await (const page of kube.pages(pathTo(pods), { request: requestFor(pods), ...(signal && { signal }) }))
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
  const events = { api: '/api/v1', resource: 'events', namespace };
  const options = { request: requestFor(events), query, ...(signal && { signal }) };
  let lookedAt: string | null = null;
  for await (const page of kube.pages(pathTo(events), options)) {
    if (!page.ok) return { byPod: null, state: withoutEvents(page.error) };
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
  if (!nodes.ok) return { looks: [], state: failed('probe-metrics', nodes.error) };
  const names = nodes.value.items.flatMap((node) => textAt(node, 'metadata', 'name') ?? []);
  const looks: SeenCounters['looks'][number][] = [];
  let failures: readonly NodeFailure[] = [];
  const look = async (sample: 1 | 2) => {
    const seen = await readNodePages(host, names);
    for (const { node, lookedAt, counts } of seen.pages) {
      const own = counts.filter((count) => namespace === null || count.namespace === namespace);
      looks.push({ node, sample, lookedAt, counts: own });
    }
    if (seen.failures.length >= failures.length) failures = seen.failures;
  };
  await look(1);
  if (windowSeconds > 0 && looks.length > 0) {
    await host.wait(windowSeconds);
    await look(2);
  }
  return { looks, state: countersState(looks, failures, names.length) };
}

import type { CollectHost } from '../../collect/cluster.ts';
import { type CollectRequest, type Draft, noteTime } from '../../collect/draft.ts';
import type { ProbeLook } from '../../evidence/looks.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError } from '../../kube/types.ts';
import { complete, failed, partial } from '../state.ts';
import { askProbeMetrics } from './ask.ts';
import { type NamespacedCount, readProbeMetrics } from './read.ts';

/** Requests to kubelets at once. */
const atOnce = 10;

export interface NodePage {
  readonly node: string;
  readonly lookedAt: string;
  readonly counts: readonly NamespacedCount[];
}

export type NodeFailure = { readonly node: string; readonly error: KubeError };

/** The counters of some kubelets: one alone first, since a right that is missing is missing for all nodes. */
export async function readNodePages(
  host: Pick<CollectHost, 'kube' | 'signal'>,
  nodes: readonly string[],
): Promise<{ readonly pages: readonly NodePage[]; readonly failures: readonly NodeFailure[] }> {
  const pages: NodePage[] = [];
  const failures: NodeFailure[] = [];
  const visit = async (node: string): Promise<void> => {
    const page = await askProbeMetrics(host.kube, node, host.signal);
    if (!page.ok) failures.push({ node, error: page.error });
    else pages.push({ node, lookedAt: page.value.receivedAt, counts: readProbeMetrics(page.value.text) });
  };
  const [first, ...others] = [...nodes].sort();
  if (first !== undefined) await visit(first);
  const [refused] = failures;
  if (refused?.error.kind === 'forbidden') for (const node of others) failures.push({ ...refused, node });
  else {
    const waiting = [...others];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = waiting.shift(); next !== undefined && host.signal?.aborted !== true; next = waiting.shift())
          await visit(next);
      }),
    );
  }
  return { pages: pages.sort((a, b) => (a.node < b.node ? -1 : 1)), failures };
}

/** Notes what the kubelets of the Service's pods have counted of their probes. Nothing unless it was asked for. */
export async function lookAtProbeMetrics(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  sample: 1 | 2,
): Promise<void> {
  const { pods } = draft.evidence;
  const wanted = request.probeMetrics ?? false;
  if (wanted === false || pods === null) return;
  const before = draft.evidence.probeMetrics?.looks ?? [];
  if (sample === 2 && before.length === 0) return;
  const nodes = [...new Set(pods.flatMap((pod) => pod.nodeName ?? []))];
  host.progress('probes', 'running', `counters of ${nodes.length} kubelets`);
  const { pages, failures } = await readNodePages(host, nodes);
  const looks = pages.map((page): ProbeLook => {
    noteTime(draft, page.lookedAt);
    return { node: page.node, sample, lookedAt: page.lookedAt, counts: ownCounts(page, pods) };
  });
  // Of a recording only what is there is of interest.
  if (looks.length === 0 && before.length === 0 && wanted === 'if-there') return;
  draft.evidence = { ...draft.evidence, probeMetrics: { looks: [...before, ...looks] } };
  const [failure] = failures;
  const lookedAt =
    looks
      .map((look) => look.lookedAt)
      .sort()
      .at(-1) ?? null;
  if (looks.length === 0 && failure !== undefined)
    draft.states.set('probe-metrics', failed('probe-metrics', failure.error));
  else if (failure !== undefined)
    draft.states.set(
      'probe-metrics',
      partial('probe-metrics', `${failures.length} of ${nodes.length} kubelets: ${failure.error.message}`, lookedAt),
    );
  else draft.states.set('probe-metrics', complete('probe-metrics', lookedAt));
  host.progress('probes', failure === undefined ? 'done' : 'partial', `counters of ${looks.length} kubelets`);
}

/** Later, live: the newest counts become the first ones. */
export async function lookAtProbeMetricsAgain(request: CollectRequest, host: CollectHost, draft: Draft): Promise<void> {
  const { probeMetrics } = draft.evidence;
  if (probeMetrics == null) return;
  const newest = new Map(probeMetrics.looks.toSorted((a, b) => a.sample - b.sample).map((look) => [look.node, look]));
  const looks = [...newest.values()].map((look) => ({ ...look, sample: 1 as const }));
  const next: Draft = { ...draft, evidence: { ...draft.evidence, probeMetrics: { looks } } };
  await lookAtProbeMetrics(request, host, next, 2);
  draft.latest = Math.max(draft.latest, next.latest);
  draft.evidence = { ...draft.evidence, probeMetrics: next.evidence.probeMetrics ?? null };
}

type Pods = NonNullable<SkewEvidence['pods']>;

/** The counts of these pods: by uid, and by name where kubelet names no uid. */
function ownCounts(page: NodePage, pods: Pods): ProbeLook['counts'] {
  const uids = new Set(pods.map((pod) => pod.uid));
  const names = new Set(pods.map((pod) => `${pod.namespace}/${pod.name}`));
  return page.counts
    .filter((count) => (count.podUid === null ? names.has(`${count.namespace}/${count.pod}`) : uids.has(count.podUid)))
    .map(({ namespace: _namespace, ...count }) => count)
    .sort((a, b) => (`${a.pod} ${a.container} ${a.type}` < `${b.pod} ${b.container} ${b.type}` ? -1 : 1));
}

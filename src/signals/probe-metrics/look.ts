import type { ProbeLook } from '../../evidence/looks.ts';
import type { SignalState, SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError } from '../../kube/types.ts';
import { lookedAtOf, type SignalHost, type SignalUpdate } from '../look.ts';
import { runPaced } from '../pool.ts';
import { complete, failed, partial } from '../state.ts';
import { askProbeMetrics } from './ask.ts';
import { type NamespacedCount, readProbeMetrics } from './read.ts';

export interface NodePage {
  readonly node: string;
  readonly lookedAt: string;
  readonly counts: readonly NamespacedCount[];
}

export type NodeFailure = { readonly node: string; readonly error: KubeError };

/** The counters of some kubelets: one alone first, since a right that is missing is missing for all nodes. */
export async function readNodePages(
  host: Pick<SignalHost, 'kube' | 'signal'>,
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
  else await runPaced(others, visit, { signal: host.signal });
  return { pages: pages.sort((a, b) => (a.node < b.node ? -1 : 1)), failures };
}

/**
 * What the kubelets of the Service's pods have counted of their probes. Nothing unless it was asked for; `if-there`: without
 * a word where nothing is there.
 */
export async function lookAtProbeMetrics(
  host: SignalHost,
  { pods, probeMetrics }: Pick<SkewEvidence, 'pods' | 'probeMetrics'>,
  sample: 1 | 2,
  wanted: boolean | 'if-there',
): Promise<SignalUpdate> {
  const before = probeMetrics?.looks ?? [];
  if (wanted === false || pods === null || (sample === 2 && before.length === 0)) return {};
  const nodes = [...new Set(pods.flatMap((pod) => pod.nodeName ?? []))];
  host.progress('probes', 'running', `counters of ${nodes.length} kubelets`);
  const { pages, failures } = await readNodePages(host, nodes);
  const looks = pages.map((page): ProbeLook => {
    return { node: page.node, sample, lookedAt: page.lookedAt, counts: ownCounts(page, pods) };
  });
  // Of a recording only what is there is of interest.
  if (looks.length === 0 && before.length === 0 && wanted === 'if-there') return {};
  return {
    patch: { probeMetrics: { looks: [...before, ...looks] } },
    state: countersState(looks, failures, nodes.length),
    progress: ['probes', failures.length === 0 ? 'done' : 'partial', `counters of ${looks.length} kubelets`],
  };
}

/** How far the counters go that `nodes` kubelets were asked for. */
export function countersState(
  looks: readonly { readonly lookedAt: string }[],
  failures: readonly NodeFailure[],
  nodes: number,
): SignalState {
  const [failure] = failures;
  const lookedAt = lookedAtOf(looks);
  if (failure === undefined) return complete('probe-metrics', lookedAt);
  if (lookedAt === null) return failed('probe-metrics', failure.error);
  return partial('probe-metrics', `${failures.length} of ${nodes} kubelets: ${failure.error.message}`, lookedAt);
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

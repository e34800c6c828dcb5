import type { ReportPod } from '../report/schema.ts';
import { orderPods } from './order.ts';
import type { WatchState } from './state.ts';

/** One row of the list of pods: a pod, or the idle ones in one. */
export type PodRow =
  | { readonly kind: 'pod'; readonly pod: ReportPod }
  | { readonly kind: 'idle'; readonly pods: readonly ReportPod[] };

/** Fewer idle pods than this are shown one by one: a line for them would save nothing. */
const fewestFolded = 3;

/** The list of pods as it is shown: by load with the idle ones in one row, below which they stand where it is unfolded. */
export function podRows(
  pods: readonly ReportPod[],
  { order, unfolded, filter }: Pick<WatchState, 'order' | 'unfolded' | 'filter'>,
): PodRow[] {
  const ordered = orderPods(pods, order);
  if (filter !== '') return ordered.filter(({ name, node }) => fits(filter, name, node)).map(rowOf);
  const idle = order === 'load' ? ordered.filter(isFoldable) : [];
  if (idle.length < fewestFolded || idle.length === pods.length) return ordered.map(rowOf);
  const others = ordered.filter((pod) => !isFoldable(pod)).map(rowOf);
  return [...others, { kind: 'idle', pods: idle }, ...(unfolded ? idle.map(rowOf) : [])];
}

/** Whether one of the names holds what was typed, in whichever case. */
export function fits(filter: string, ...names: readonly (string | null)[]): boolean {
  const wanted = filter.toLowerCase();
  return names.some((name) => name?.toLowerCase().includes(wanted) === true);
}

const rowOf = (pod: ReportPod): PodRow => ({ kind: 'pod', pod });

/** Idle, with nothing else to be said of it but what was not seen. */
function isFoldable({ marks, endpoint }: ReportPod): boolean {
  return endpoint && marks.includes('idle') && marks.every((mark) => harmless.has(mark));
}

const harmless: ReadonlySet<string> = new Set(['idle', 'new', 'no-metrics', 'not-seen']);

/** Which row shows a pod: its own, or that of the idle ones; -1 where it is in none. */
export function rowWith(rows: readonly PodRow[], name: string): number {
  const own = rows.findIndex((row) => row.kind === 'pod' && row.pod.name === name);
  return own >= 0 ? own : rows.findIndex((row) => row.kind === 'idle' && row.pods.some((pod) => pod.name === name));
}

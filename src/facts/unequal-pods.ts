import { workloadOf } from '../evidence/workload.ts';
import type { Facts } from './facts.ts';
import { limits } from './limits.ts';
import type { MeasuredPod } from './measured.ts';

/** What pods may differ in. */
type Difference = 'workload' | 'node-type' | 'cpu-limit';

/** Groups of pods that differ in one way, with what each uses on average. */
export interface UnequalPods {
  readonly by: Difference;
  readonly groups: readonly { readonly name: string; readonly pods: number; readonly meanMillicores: number }[];
}

const differences: readonly (readonly [
  Difference,
  (pod: MeasuredPod, facts: Pick<Facts, 'index'>) => string | null,
])[] = [
  ['workload', (pod) => (pod.pod === null ? null : workloadOf(pod.pod))],
  ['node-type', ({ backend }, { index }) => index.nodes.get(backend.nodeName ?? '')?.instanceType ?? null],
  ['cpu-limit', (pod) => (pod.cpu === null ? null : `${pod.cpu.limitMillicores ?? 'no'}`)],
];

/**
 * Groups by the first difference that accounts for the CPU: within each group the pods are alike, so all that is uneven
 * lies between the groups. Null where nothing does, or where CPU was not seen of all pods.
 */
export function findUnequal(facts: Pick<Facts, 'replicas' | 'index'>): UnequalPods | null {
  const { replicas } = facts;
  if (replicas.length < 3 || replicas.some((pod) => pod.cpu === null)) return null;
  for (const [by, nameOf] of differences) {
    const names = replicas.map((pod) => nameOf(pod, facts));
    if (names.some((name) => name === null)) continue;
    const members = Map.groupBy(replicas, (_, index) => names[index] ?? '');
    // A group of one pod each tells nothing: any unevenness would fit.
    if (members.size < 2 || members.size > replicas.length / 2 + 0.5) continue;
    const groups = [...members].map(([name, pods]) => ({ name, pods, means: meanOf(pods) }));
    if (groups.every(({ pods, means }) => isAlike(pods, means)))
      return {
        by,
        groups: groups.map(({ name, pods, means }) => ({ name, pods: pods.length, meanMillicores: means })),
      };
  }
  return null;
}

const meanOf = (pods: readonly MeasuredPod[]) =>
  pods.reduce((sum, pod) => sum + (pod.cpu?.millicores ?? 0), 0) / pods.length;

/** No pod of the group uses more than what is called balanced, or the difference is what looking costs. */
function isAlike(pods: readonly MeasuredPod[], mean: number): boolean {
  return pods.every(({ cpu }) => {
    const away = Math.abs((cpu?.millicores ?? 0) - mean);
    return away <= limits.cpuNoiseMillicores || away <= (limits.balancedPeakToMean - 1) * mean;
  });
}

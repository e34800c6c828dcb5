import type { Peer } from '../peers/clients.ts';
import { shellWord } from '../report/words.ts';
import type { Facts } from '../verdict/facts.ts';

/** A kubectl command of the report: with the namespace and, where it is known, the context that was looked at. */
export function kubectl(facts: Facts, words: readonly string[], namespace: string | null = null): string {
  const { context } = facts.evidence.metadata;
  const place = ['-n', namespace ?? facts.service.namespace, ...(context === null ? [] : ['--context', context])];
  return ['kubectl', ...words, ...place].map(shellWord).join(' ');
}

/** A workload that `kubectl rollout restart` takes. */
export function isRestartable({ kind, workload }: Peer): boolean {
  return kind === 'workload' && /^(deployment|statefulset|daemonset)\//.test(workload);
}

/** Restarts the workloads of the first one's namespace: one command is for one namespace. */
export function restart(facts: Facts, peers: readonly Peer[]): string | null {
  const [first] = peers;
  if (first === undefined) return null;
  const together = peers.filter(({ namespace }) => namespace === first.namespace).map(({ workload }) => workload);
  return kubectl(facts, ['rollout', 'restart', ...together], first.namespace);
}

/** `, both workloads`, for a relief that one workload alone is not enough for. */
export function allOf(workloads: number): string {
  return workloads < 2 ? '' : workloads === 2 ? ', both workloads' : `, all ${workloads} workloads`;
}

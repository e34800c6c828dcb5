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

/** Restarts the workloads: a command for each of their namespaces, one after the other. */
export function restart(facts: Facts, peers: readonly Peer[]): string | null {
  if (peers.length === 0) return null;
  return [...Map.groupBy(peers, ({ namespace }) => namespace)]
    .map(([namespace, members]) =>
      kubectl(facts, ['rollout', 'restart', ...members.map(({ workload }) => workload)], namespace),
    )
    .join(' && ');
}

/** `, both workloads`, for a relief that one workload alone is not enough for. */
export function allOf(workloads: number): string {
  return workloads < 2 ? '' : workloads === 2 ? ', both workloads' : `, all ${workloads} workloads`;
}

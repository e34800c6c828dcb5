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

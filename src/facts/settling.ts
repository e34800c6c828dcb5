import { longerWindow } from '../report/window.ts';
import { countOf } from '../report/words.ts';
import type { Facts } from './facts.ts';

/** What a look into all pods would settle, where only some of many were looked into. */
export function allPodsCheck(unlooked: number): string {
  return `the connections of the ${countOf(unlooked, 'other pod', 'other pods')}: --all-pods looks into all`;
}

/** The one look that would settle an unknown. */
export function settlingCheck(facts: Facts): string {
  const signal = facts.evidence.signals.find((entry) => entry.id === 'connections');
  if (facts.loads.churning) return 'the calls that each pod counts: its own metrics, or CPU over a few minutes';
  if (signal?.state === 'skipped') return 'the connections: run without --no-exec';
  if (signal?.needs != null) return `the connections: they need the right to ${signal.needs}`;
  const unseen = facts.replicas.filter((pod) => pod.sockets === null);
  const [first] = unseen;
  if (first !== undefined)
    return `the connections of ${first.name}${unseen.length > 1 ? ` and ${unseen.length - 1} more` : ''}: ${first.notSeen?.message ?? 'not looked at'}`;
  if (facts.replicas.some(({ sockets }) => (sockets?.inside.length ?? 0) > 0))
    return 'who calls: the clients of what stands inside the pods, at its own port';
  if (facts.allConnections.length === 0 && facts.replicas.some(({ calls }) => (calls?.calls ?? 0) > 0))
    return 'who calls: calls are counted, and no connection stood at any look (one for each call, or a table that is wrong)';
  return longerWindow(facts.loads.enoughSeconds);
}

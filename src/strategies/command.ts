import type { Facts } from '../facts/facts.ts';
import type { Peer } from '../facts/peers/clients.ts';
import { joined, kubectl } from '../report/command.ts';

/** A kubectl command of the report, for a namespace, or that of the Service, in the context that was looked at. */
export function commandIn(
  { evidence, service, connection }: Facts,
  words: readonly string[],
  namespace: string | null = null,
  after: readonly string[] = [],
): string | null {
  const { context } = evidence.metadata;
  return kubectl({ context, namespace: namespace ?? service.namespace, connection }, words, after);
}

/** A workload that `kubectl rollout restart` takes. */
export function isRestartable({ kind, workload }: Peer): boolean {
  return kind === 'workload' && /^(deployment|statefulset|daemonset)\//.test(workload);
}

/** Restarts the workloads: a command for each of their namespaces, one after the other. */
export function restart(facts: Facts, peers: readonly Peer[]): string | null {
  const commands = [...Map.groupBy(peers, ({ namespace }) => namespace)].map(([namespace, members]) =>
    commandIn(facts, ['rollout', 'restart', ...members.map(({ workload }) => workload)], namespace),
  );
  return joined(commands, '&&');
}

/** `, both workloads`, for a relief that one workload alone is not enough for. */
export function allOf(workloads: number): string {
  return workloads < 2 ? '' : workloads === 2 ? ', both workloads' : `, all ${workloads} workloads`;
}

import type { Peer } from '../peers/clients.ts';
import { joined, kubectl } from '../report/command.ts';
import type { CauseId } from '../report/ids.ts';
import type { Facts } from '../verdict/facts.ts';

/** A kubectl command of the report, for a namespace, or that of the Service, in the context that was looked at. */
export function commandIn(
  { evidence, service }: Facts,
  words: readonly string[],
  namespace: string | null = null,
  after: readonly string[] = [],
): string | null {
  return kubectl({ context: evidence.metadata.context, namespace: namespace ?? service.namespace }, words, after);
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

/** Pods that a command names at most: with all of a large Service nobody could read it. */
const mostNamed = 5;

/** What shows more of a cause, for the first steps that a look of one's own must precede. */
export function lookAt(facts: Facts, cause: CauseId): string | null {
  switch (cause) {
    case 'pods-not-ready': {
      const names = [...facts.missing.notReady, ...facts.missing.pending].map(({ name }) => name);
      return commandIn(facts, ['describe', 'pod', ...names.slice(0, mostNamed)]);
    }
    case 'probe-misconfigured':
      return commandIn(facts, ['grpc-skew', 'probes']);
    case 'node-rules-stale':
      return commandIn(facts, ['get', 'pods'], 'kube-system', ['-l', 'k8s-app=kube-proxy', '-o', 'wide']);
    default:
      return null;
  }
}

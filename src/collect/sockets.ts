import { uniteEndpoints } from '../evidence/endpoints.ts';
import { choosePorts } from '../evidence/ports.ts';
import {
  type Connections,
  type KnownWays,
  lookAtConnections,
  progressOf,
  readAllSockets,
  type Target,
} from '../signals/connections/look.ts';
import { skipped } from '../signals/state.ts';
import { apply, type CollectRequest, type Draft } from './draft.ts';
import type { CollectHost } from './host.ts';
import { type Plan, planTargets } from './targets.ts';

export const nothingSeen: Connections = { looks: [], failures: [], execs: 0 };

/** The pods to look into; none where there is nothing to look into or exec is not wanted. */
export function planSockets(request: CollectRequest, host: CollectHost, draft: Draft): readonly Target[] {
  const { service, endpointSlices, pods, usage, metadata } = draft.evidence;
  const choice = service === null ? null : choosePorts(service, request.port, endpointSlices);
  if (choice === null || !choice.ok || endpointSlices === null || pods === null) return [];
  if (!request.exec) {
    apply(draft, host, {
      state: skipped('connections', '--no-exec: no command was run in any pod'),
      progress: ['connections', 'partial', 'left out (--no-exec)'],
    });
    return [];
  }
  const backends = choice.value.ports.flatMap(
    (port) => uniteEndpoints(endpointSlices, port, { namespace: metadata.namespace, pods }).backends,
  );
  const counted = draft.evidence.calls?.looks ?? [];
  const plan = planTargets(backends, pods, usage ?? [], { allPods: request.allPods, counted });
  const before = draft.evidence.connections ?? nothingSeen;
  // The choice among many pods is made anew.
  const failures = before.failures.filter((entry) => entry.reason !== 'not-sampled');
  const connections = withLeft({ ...before, failures }, plan.left);
  // Without a sample to come, what was left out is all that there is to say.
  const isAll = plan.targets.length === 0 && connections.failures.length > 0;
  apply(draft, host, isAll ? lookAtConnections(connections) : { patch: { connections } });
  return plan.targets;
}

/** With the pods that are not looked into, and why. */
export function withLeft(before: Connections, entries: Plan['left']): Connections {
  const left = entries.map((entry) => ({ ...entry, sample: 1 as const }));
  const leftUids = new Set(left.map((entry) => entry.podUid));
  return { ...before, failures: [...before.failures.filter((entry) => !leftUids.has(entry.podUid)), ...left] };
}

export interface SampleOptions {
  readonly host: CollectHost;
  readonly draft: Draft;
  readonly targets: readonly Target[];
  readonly known: KnownWays;
}

/** Reads the sockets of the targets as the first or the second sample. */
export async function sampleSockets({ host, draft, targets, known }: SampleOptions, sample: 1 | 2): Promise<void> {
  if (targets.length === 0) return;
  const round = await readAllSockets({ host, targets, known, sample });
  const before = draft.evidence.connections ?? nothingSeen;
  const connections = {
    ...before,
    looks: [...before.looks, ...round.looks],
    failures: [...before.failures, ...round.failures],
    execs: before.execs + round.execs,
  };
  apply(draft, host, { ...lookAtConnections(connections), progress: progressOf(round, targets.length) });
}

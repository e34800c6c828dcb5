import { uniteEndpoints } from '../evidence/endpoints.ts';
import { choosePorts } from '../evidence/ports.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import { complete, failed, partial, skipped } from '../signals/state.ts';
import { type CollectRequest, type Draft, noteTime } from './draft.ts';
import { type KnownWays, type Round, readAllSockets } from './exec-round.ts';
import type { CollectHost } from './looks.ts';
import { type Plan, planTargets, type Target } from './targets.ts';

type Connections = NonNullable<SkewEvidence['connections']>;

/** The pods to look into, or null when there is nothing to look into or exec is not wanted. */
export function planSockets(request: CollectRequest, host: CollectHost, draft: Draft): readonly Target[] | null {
  const { service, endpointSlices, pods, usage, metadata } = draft.evidence;
  const choice = service === null ? null : choosePorts(service, request.port, endpointSlices);
  if (choice === null || !choice.ok || endpointSlices === null || pods === null) return null;
  if (!request.exec) {
    draft.states.set('connections', skipped('connections', '--no-exec: no command was run in any pod'));
    host.progress('connections', 'partial', 'left out (--no-exec)');
    return null;
  }
  const backends = choice.ports.flatMap(
    (port) => uniteEndpoints(endpointSlices, port, { namespace: metadata.namespace, pods }).backends,
  );
  const plan = planTargets(backends, pods, usage ?? [], { allPods: request.allPods });
  const { connections: before } = draft.evidence;
  if (before !== null) {
    // The choice among many pods is made anew.
    const failures = before.failures.filter((entry) => entry.reason !== 'not-sampled');
    draft.evidence = { ...draft.evidence, connections: { ...before, failures } };
  }
  const connections = noteLeft(draft, plan.left);
  // Without a sample to come, what was left out is all that there is to say.
  if (plan.targets.length === 0 && connections.failures.length > 0) noteConnections(draft, connections);
  return plan.targets;
}

/** Puts the pods that are not looked into, and why, into the evidence. */
export function noteLeft(draft: Draft, entries: Plan['left']): Connections {
  const before = draft.evidence.connections ?? { looks: [], failures: [], execs: 0 };
  const left = entries.map((entry) => ({ ...entry, sample: 1 as const }));
  const leftUids = new Set(left.map((entry) => entry.podUid));
  const failures = [...before.failures.filter((entry) => !leftUids.has(entry.podUid)), ...left];
  const connections = { ...before, failures };
  draft.evidence = { ...draft.evidence, connections };
  return connections;
}

export interface SampleOptions {
  readonly host: CollectHost;
  readonly draft: Draft;
  readonly targets: readonly Target[];
  readonly known: KnownWays;
  readonly startsPerSecond?: number;
}

/** Reads the sockets of the targets as the first or the second sample. */
export async function sampleSockets(options: SampleOptions, sample: 1 | 2): Promise<void> {
  const { host, draft, targets } = options;
  if (targets.length === 0) return;
  const round = await readRound(options, sample);
  const before = draft.evidence.connections ?? { looks: [], failures: [], execs: 0 };
  noteConnections(draft, {
    looks: [...before.looks, ...round.looks],
    failures: [...before.failures, ...round.failures],
    execs: before.execs + round.execs,
    ...(before.elsewhere && { elsewhere: before.elsewhere }),
  });
  host.progress(
    'connections',
    round.failures.length === 0 ? 'done' : round.looks.length === 0 ? 'failed' : 'partial',
    describeRound(round, targets.length),
  );
}

/** One round, without noting it: live, what is shown stays until the round is whole. */
export function readRound(options: SampleOptions, sample: 1 | 2): Promise<Round> {
  const { host, targets, known, startsPerSecond } = options;
  host.progress('connections', 'running', `${targets.length} pods to look into`);
  return readAllSockets({
    kube: host.kube,
    targets,
    sample,
    known,
    ...(startsPerSecond !== undefined && { startsPerSecond }),
    ...(host.signal && { signal: host.signal }),
    onPod: (done, all) => host.progress('connections', 'running', `${done} of ${all} pods`),
  });
}

/** Puts the connections into the evidence, with the state of their signal. */
export function noteConnections(draft: Draft, connections: Connections): void {
  draft.evidence = { ...draft.evidence, connections };
  for (const look of connections.looks) noteTime(draft, look.lookedAt);
  draft.states.set('connections', stateOf(connections));
}

function stateOf({ looks, failures }: Connections): SignalState {
  const times = looks.map((look) => look.lookedAt).sort();
  const lookedAt = times.at(-1) ?? null;
  const seen = new Set(looks.map((look) => look.podUid));
  const missing = failures.filter((failure) => !seen.has(failure.podUid));
  const [first] = missing.length > 0 || looks.length > 0 ? missing : failures;
  if (first === undefined) return complete('connections', lookedAt);
  if (seen.size > 0) {
    const all = seen.size + missing.length;
    return partial('connections', `${missing.length} of ${all} pods not seen: ${first.message}`, lookedAt);
  }
  const kind = first.reason === 'forbidden' ? 'forbidden' : 'refused';
  return failed('connections', { kind, request: 'exec', message: first.message });
}

function describeRound(round: Round, planned: number): string {
  const connections = round.looks.reduce((sum, look) => sum + look.sockets.length, 0);
  if (round.looks.length === 0) return round.failures[0]?.reason ?? 'nothing to look into';
  return `${connections} in ${round.looks.length === planned ? `${planned} pods` : `${round.looks.length} of ${planned} pods`}`;
}

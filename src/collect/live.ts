import type { SocketLook } from '../evidence/looks.ts';
import { endsTheRound } from '../signals/connections.ts';
import { lookAtCalls } from './calls.ts';
import { type Collected, collectInto, stateOf } from './collect.ts';
import { type CollectRequest, type Draft, newDraft } from './draft.ts';
import type { KnownWays, Round } from './exec-round.ts';
import { noteFormerPods, planFormer } from './former.ts';
import { type CollectHost, lookAtCluster } from './looks.ts';
import { noteMemoryOf } from './memory.ts';
import { lookAtPeers } from './peers.ts';
import { lookAtProbeMetricsAgain } from './probe-metrics.ts';
import { lookAtPrometheusAgain } from './prometheus.ts';
import { noteConnections, planSockets, readRound } from './sockets.ts';
import type { Target } from './targets.ts';

/**
 * The pace of a live look, in seconds. Each exec is an event of the audit log and runs in the cgroup of its container, and
 * API Priority and Fairness does not throttle it: so sockets are looked at far less often than lists.
 */
export const livePace = {
  /** Between two looks at Service, slices, pods, usage and Events. */
  lists: 3,
  /** A full round of sockets is no faster than this, and starts at most so many execs a second. */
  sockets: 30,
  socketStartsPerSecond: 2,
  /** Without a key for so long, no more commands are run in pods. */
  sleepAfter: 600,
} as const;

/** What the person at the keyboard has said. */
export interface LiveControl {
  readonly paused: () => boolean;
  /** Seconds since the last key. */
  readonly idleSeconds: () => number;
  /** Settles when somebody asks to look again at once; asked anew after each time. */
  readonly again: () => Promise<void>;
}

/**
 * Looks at the cluster until the signal aborts: first as a one-shot diagnosis does, then the lists every 3 s and the
 * sockets by rounds, within the exec budget. Yields after each look that gave something.
 */
export async function* collectLive(
  request: CollectRequest,
  host: CollectHost,
  control: LiveControl,
): AsyncGenerator<Collected> {
  const draft = newDraft(request);
  const known: KnownWays = new Map();
  const patient = pausable(host, control);
  for await (const collected of collectInto(draft, known, request, patient)) {
    yield collected;
    if (collected.problem !== null) return;
  }
  const sockets = openRounds(host.now);
  const calls = openRounds(host.now);
  let chosenFrom = settledPods(draft);
  let again = control.again();
  const ended = () => host.signal?.aborted === true;
  while (!ended()) {
    const asked = await Promise.race([host.wait(livePace.lists).then(() => false), again.then(() => true)]);
    if (ended()) return;
    if (asked) again = control.again();
    if (control.paused() && !asked) continue;
    const cluster = await lookAtCluster(request, quiet(host), draft);
    await cluster.rest;
    if (cluster.problem !== null) {
      yield stateOf(draft, host, 'second-sample', cluster.problem);
      continue;
    }
    forgetGone(draft);
    const isFull = asked || sockets.isDue();
    const targets = targetsOf(request, host, draft, { asked, idleSeconds: control.idleSeconds() });
    const due = isFull ? targets : newcomers(draft, targets, chosenFrom);
    const look = () => lookAtSockets(request, asked ? host : quiet(patient), draft, { targets: due, known });
    if (due.length > 0 && sockets.take(look, isFull) && isFull) chosenFrom = settledPods(draft);
    if (asked || calls.isDue()) calls.take(() => countAgain(request, host, draft), true);
    yield stateOf(draft, host, 'second-sample');
  }
}

interface Rounds {
  readonly isDue: () => boolean;
  /** Takes a look beside the lists, unless the one before is still under way; after a full one the next is due in 30 s. */
  take(look: () => Promise<void>, isFull: boolean): boolean;
}

function openRounds(now: () => number): Rounds {
  let isUnderWay = false;
  let next = now() + livePace.sockets * 1000;
  return {
    isDue: () => now() >= next,
    take(look, isFull) {
      if (isUnderWay) return false;
      isUnderWay = true;
      if (isFull) next = now() + livePace.sockets * 1000;
      void look().finally(() => {
        isUnderWay = false;
      });
      return true;
    },
  };
}

/** Once there is a report its figures are what is looked at, not the progress of the next look. */
function quiet(host: CollectHost): CollectHost {
  return { ...host, progress: () => {} };
}

/**
 * The pods that commands may be run in now. None while nobody watches; and none where every exec would be refused like
 * the first one, unless somebody asks: it would only add audit events.
 */
function targetsOf(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  { asked, idleSeconds }: { readonly asked: boolean; readonly idleSeconds: number },
): readonly Target[] {
  const targets = [...(planSockets(request, host, draft) ?? []), ...(request.exec ? planFormer(draft).targets : [])];
  const { looks, failures } = draft.evidence.connections ?? { looks: [], failures: [] };
  const isRefused = looks.length === 0 && failures.some((failure) => endsTheRound(failure.reason));
  return asked || (idleSeconds < livePace.sleepAfter && !isRefused) ? targets : [];
}

/** A pause holds back the commands of a round that has begun, too; after it they go on at the pace of a round. */
function pausable(host: CollectHost, control: LiveControl): CollectHost {
  const { kube } = host;
  let held = 0;
  let turn: Promise<void> = Promise.resolve();
  const resumed = async () => {
    while (control.paused() && host.signal?.aborted !== true) await host.wait(1);
    await host.wait(1 / livePace.socketStartsPerSecond);
    held--;
  };
  const exec: typeof kube.exec = (target, options) => {
    if (!control.paused() && held === 0) return kube.exec(target, options);
    held++;
    turn = turn.then(resumed);
    return turn.then(() => kube.exec(target, options));
  };
  return { ...host, kube: { ...kube, exec } };
}

/** The pods that a full round has to do with: all that were there, but for those that nothing was running in. */
function settledPods(draft: Draft): ReadonlySet<string> {
  const waiting = podsOf(draft, 'failures', (failure) => failure.reason === 'not-running');
  return new Set(draft.evidence.pods?.flatMap(({ uid }) => (waiting.has(uid) ? [] : [uid])));
}

/** Pods that have come since the last full round and that nothing has been tried in yet. */
function newcomers(draft: Draft, targets: readonly Target[], chosenFrom: ReadonlySet<string>): readonly Target[] {
  const tried = podsOf(draft, 'failures', (failure) => failure.reason !== 'not-running');
  const seen = podsOf(draft, 'looks', () => true);
  return targets.filter(({ pod }) => !chosenFrom.has(pod.uid) && !seen.has(pod.uid) && !tried.has(pod.uid));
}

type Connections = NonNullable<Draft['evidence']['connections']>;

/** The pods of those looks, or failures, that fit. */
function podsOf<K extends 'looks' | 'failures'>(
  draft: Draft,
  kind: K,
  fits: (entry: Connections[K][number]) => boolean,
): ReadonlySet<string> {
  const entries: readonly Connections[K][number][] = draft.evidence.connections?.[kind] ?? [];
  return new Set(entries.filter(fits).map((entry) => entry.podUid));
}

/** What was seen of pods that are no more: it would count as not seen for ever, and grow with every rollout. */
function forgetGone(draft: Draft): void {
  const { connections, calls, pods, formerPods } = draft.evidence;
  const present = new Set([...(pods ?? []), ...(formerPods ?? [])].map((pod) => pod.uid));
  const kept = <T extends { readonly podUid: string }>(entries: readonly T[]) =>
    entries.filter((entry) => present.has(entry.podUid));
  if (calls != null)
    draft.evidence = { ...draft.evidence, calls: { looks: kept(calls.looks), failures: kept(calls.failures) } };
  if (connections !== null)
    noteConnections(draft, {
      ...connections,
      looks: kept(connections.looks),
      failures: kept(connections.failures),
    });
}

/** Reads sockets; what was the second sample becomes the first, so that rates are those of the last half minute. */
async function lookAtSockets(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  { targets, known }: { readonly targets: readonly Target[]; readonly known: KnownWays },
): Promise<void> {
  const paced = { host: quiet(host), draft, targets, known, startsPerSecond: livePace.socketStartsPerSecond };
  const round = await readRound(paced, 2);
  noteConnections(draft, joinRound(draft, round));
  noteFormerPods(draft, await lookAtPeers(request, quiet(host), draft));
  await noteMemoryOf(host, draft, draft.evidence.formerPods ?? []);
}

/** All that is counted: by the pods themselves, by their kubelets, and what Prometheus has of it. */
async function countAgain(request: CollectRequest, host: CollectHost, draft: Draft): Promise<void> {
  await Promise.all([
    lookAtCallsAgain(request, host, draft),
    lookAtProbeMetricsAgain(request, quiet(host), draft),
    lookAtPrometheusAgain(host, draft),
  ]);
}

/** The newest counters become the first sample; the draft keeps what it had until the second one is whole. */
async function lookAtCallsAgain(request: CollectRequest, host: CollectHost, draft: Draft): Promise<void> {
  const { calls } = draft.evidence;
  if (calls == null) return;
  const newestOfPod = new Map(calls.looks.toSorted(byTime).map((look) => [look.podUid, look]));
  const looks = [...newestOfPod.values()].map((look) => ({ ...look, sample: 1 as const }));
  const next: Draft = { ...draft, evidence: { ...draft.evidence, calls: { looks, failures: calls.failures } } };
  await lookAtCalls(request, quiet(host), next, 2);
  draft.latest = Math.max(draft.latest, next.latest);
  draft.evidence = { ...draft.evidence, calls: next.evidence.calls ?? null };
}

function joinRound(draft: Draft, round: Round): Connections {
  const before = draft.evidence.connections ?? { looks: [], failures: [], execs: 0 };
  const fresh = new Set([...round.looks, ...round.failures].map((entry) => entry.podUid));
  const kept = before.looks.filter((look) => !fresh.has(look.podUid));
  const earlier = round.looks.flatMap((look): SocketLook[] => {
    const last = newest(before.looks.filter((other) => other.podUid === look.podUid));
    return last === null ? [] : [{ ...last, sample: 1 }];
  });
  return {
    looks: [...kept, ...earlier, ...round.looks],
    failures: [...before.failures.filter((failure) => !fresh.has(failure.podUid)), ...round.failures],
    execs: before.execs + round.execs,
    ...(before.elsewhere && { elsewhere: before.elsewhere }),
  };
}

function newest(looks: readonly SocketLook[]): SocketLook | null {
  return looks.toSorted(byTime).at(-1) ?? null;
}

function byTime(a: { readonly lookedAt: string }, b: { readonly lookedAt: string }): number {
  return a.lookedAt < b.lookedAt ? -1 : 1;
}

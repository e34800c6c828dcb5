import { lookAtCalls } from '../signals/calls/look.ts';
import { lookAtPeers } from '../signals/clients/look.ts';
import { endsTheRound } from '../signals/connections/ask.ts';
import {
  type Connections,
  type KnownWays,
  lookAtConnections,
  type Round,
  readAllSockets,
  type Target,
} from '../signals/connections/look.ts';
import type { SignalUpdate } from '../signals/look.ts';
import { lookAtProbeMetrics } from '../signals/probe-metrics/look.ts';
import { lookAtCluster } from './cluster.ts';
import { askPrometheus, type Collected, collectInto, stateOf } from './collect.ts';
import { apply, type CollectRequest, type Draft, newDraft } from './draft.ts';
import { collectFormerPods, planFormer } from './former.ts';
import type { CollectHost } from './host.ts';
import { nothingSeen, planSockets } from './sockets.ts';

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
  // Its rounds go on anyway.
  const draft = newDraft({ ...request, longestWindowSeconds: null });
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
    forgetGone(draft, host);
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
  const targets = [...planSockets(request, host, draft), ...(request.exec ? planFormer(draft).targets : [])];
  const { looks, failures } = draft.evidence.connections ?? nothingSeen;
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
function forgetGone(draft: Draft, host: CollectHost): void {
  const { connections, calls, pods, formerPods } = draft.evidence;
  const present = new Set([...(pods ?? []), ...(formerPods ?? [])].map((pod) => pod.uid));
  const kept = <T extends { readonly podUid: string }>(entries: readonly T[]) =>
    entries.filter((entry) => present.has(entry.podUid));
  if (calls != null)
    apply(draft, host, { patch: { calls: { looks: kept(calls.looks), failures: kept(calls.failures) } } });
  if (connections === null) return;
  const { looks, failures } = connections;
  apply(draft, host, lookAtConnections({ ...connections, looks: kept(looks), failures: kept(failures) }));
}

/** Reads sockets; what was the second sample becomes the first, so that rates are those of the last half minute. */
async function lookAtSockets(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  { targets, known }: { readonly targets: readonly Target[]; readonly known: KnownWays },
): Promise<void> {
  const silent = quiet(host);
  const { socketStartsPerSecond: startsPerSecond } = livePace;
  const round = await readAllSockets({ host: silent, targets, known, sample: 2, startsPerSecond });
  apply(draft, silent, lookAtConnections(joinRound(draft, round)));
  const peers = await lookAtPeers(silent, draft.evidence, request.namespace);
  apply(draft, silent, peers);
  await collectFormerPods(request, silent, draft, peers.items);
}

/**
 * All that is counted: by the pods themselves, by their kubelets, and what Prometheus has of it. The newest counters become
 * the first sample; the draft keeps what it had until the second one is whole.
 */
async function countAgain(request: CollectRequest, host: CollectHost, draft: Draft): Promise<void> {
  const silent = quiet(host);
  const { pods, calls, probeMetrics } = draft.evidence;
  const counted = calls && { ...calls, looks: newestAsFirst(calls.looks, podOf) };
  const probed = probeMetrics && { looks: newestAsFirst(probeMetrics.looks, (look) => look.node) };
  const { metricsPort = null, probeMetrics: wanted = false } = request;
  const note = (found: SignalUpdate) => apply(draft, silent, found);
  await Promise.all([
    counted && lookAtCalls(silent, { pods, calls: counted }, 2, metricsPort).then(note),
    probed && lookAtProbeMetrics(silent, { pods, probeMetrics: probed }, 2, wanted).then(note),
    draft.prometheus && askPrometheus(silent, draft, draft.prometheus, []),
  ]);
}

const podOf = (entry: { readonly podUid: string }) => entry.podUid;

function newestAsFirst<T extends { readonly sample: 1 | 2; readonly lookedAt: string }>(
  looks: readonly T[],
  keyOf: (look: T) => string,
): T[] {
  const byTime = looks.toSorted((a, b) => (a.lookedAt < b.lookedAt ? -1 : 1));
  const newestOf = new Map(byTime.map((look) => [keyOf(look), look]));
  return [...newestOf.values()].map((look) => ({ ...look, sample: 1 }));
}

function joinRound(draft: Draft, round: Round): Connections {
  const before = draft.evidence.connections ?? nothingSeen;
  const fresh = new Set([...round.looks, ...round.failures].map(podOf));
  const kept = before.looks.filter((look) => !fresh.has(look.podUid));
  const firsts = new Map(newestAsFirst(before.looks, podOf).map((look) => [podOf(look), look]));
  const earlier = round.looks.flatMap((look) => firsts.get(look.podUid) ?? []);
  return {
    ...before,
    looks: [...kept, ...earlier, ...round.looks],
    failures: [...before.failures.filter((failure) => !fresh.has(failure.podUid)), ...round.failures],
    execs: before.execs + round.execs,
  };
}

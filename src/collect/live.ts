import type { SocketLook } from '../evidence/schema.ts';
import { endsTheRound } from '../signals/connections.ts';
import { type Collected, collectInto, stateOf } from './collect.ts';
import { type CollectRequest, type Draft, newDraft } from './draft.ts';
import type { KnownWays, Round } from './exec-round.ts';
import { type CollectHost, lookAtCluster } from './looks.ts';
import { lookAtPeers, peerAddresses } from './peers.ts';
import { noteConnections, planSockets, readRound } from './sockets.ts';
import type { Target } from './targets.ts';

/** The pace of a live look, in seconds (design: exec budget). */
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
  let nextSockets = host.now() + livePace.sockets * 1000;
  let round: Promise<void> | null = null;
  let again = control.again();
  const ended = () => host.signal?.aborted === true;
  while (!ended()) {
    const asked = await Promise.race([host.wait(livePace.lists).then(() => false), again.then(() => true)]);
    if (ended()) return;
    if (asked) again = control.again();
    if (control.paused() && !asked) continue;
    const passedOver = podsOf(draft, 'failures', (failure) => failure.reason === 'not-sampled');
    const cluster = await lookAtCluster(request, quiet(host), draft);
    await cluster.rest;
    if (cluster.problem !== null) {
      yield stateOf(draft, host, 'second-sample', cluster.problem);
      continue;
    }
    const awake = control.idleSeconds() < livePace.sleepAfter;
    forgetGone(draft);
    const targets = planSockets(request, host, draft) ?? [];
    const due = asked || host.now() >= nextSockets ? targets : newcomers(draft, targets, passedOver);
    if (round === null && awake && due.length > 0 && (asked || !isHopeless(draft))) {
      if (due === targets) nextSockets = host.now() + livePace.sockets * 1000;
      round = takeRound(request, asked ? host : patient, draft, { targets: due, known }).finally(() => {
        round = null;
      });
    }
    yield stateOf(draft, host, 'second-sample');
  }
}

/** Lists come every few seconds: their progress is not news. */
function quiet(host: CollectHost): CollectHost {
  return { ...host, progress: () => {} };
}

/** Every exec would be refused like the first one: asking on would only add audit events. */
function isHopeless(draft: Draft): boolean {
  const { looks, failures } = draft.evidence.connections ?? { looks: [], failures: [] };
  return looks.length === 0 && failures.some((failure) => endsTheRound(failure.reason));
}

/** A pause holds back the commands of a round that has begun, too. */
function pausable(host: CollectHost, control: LiveControl): CollectHost {
  const { kube } = host;
  const resumed = async () => {
    while (control.paused() && host.signal?.aborted !== true) await host.wait(1);
  };
  return { ...host, kube: { ...kube, exec: (target, options) => resumed().then(() => kube.exec(target, options)) } };
}

/** Pods that nothing has been tried in yet: they have come since the last round, or were not running then. */
function newcomers(
  draft: Draft,
  targets: readonly Target[],
  passedOver: ReadonlySet<string>,
): readonly Target[] {
  const tried = podsOf(draft, 'failures', (failure) => failure.reason !== 'not-running');
  const seen = podsOf(draft, 'looks', () => true);
  return targets.filter(({ pod }) => !seen.has(pod.uid) && !tried.has(pod.uid) && !passedOver.has(pod.uid));
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
  const { connections, pods } = draft.evidence;
  if (connections === null) return;
  const present = new Set(pods?.map((pod) => pod.uid));
  const isPresent = (entry: { readonly podUid: string }) => present.has(entry.podUid);
  noteConnections(draft, {
    ...connections,
    looks: connections.looks.filter(isPresent),
    failures: connections.failures.filter(isPresent),
  });
}

/** Reads sockets; what was the second sample becomes the first, so that rates are those of the last half minute. */
async function takeRound(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  { targets, known }: { readonly targets: readonly Target[]; readonly known: KnownWays },
): Promise<void> {
  const named = peerAddresses(draft);
  const round = await readRound({ host, draft, targets, known, startsPerSecond: livePace.socketStartsPerSecond }, 2);
  noteConnections(draft, joinRound(draft, round));
  host.progress('connections', round.failures.length === 0 ? 'done' : 'partial', 'looked again');
  if ([...peerAddresses(draft)].some((address) => !named.has(address))) await lookAtPeers(request, quiet(host), draft);
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
  };
}

function newest(looks: readonly SocketLook[]): SocketLook | null {
  return [...looks].sort((a, b) => (a.lookedAt < b.lookedAt ? 1 : -1))[0] ?? null;
}

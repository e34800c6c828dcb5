import type { SocketLook } from '../evidence/looks.ts';
import { lookAtCalls } from '../signals/calls/look.ts';
import { lookAtConnections, type Round, readAllSockets } from '../signals/connections/look.ts';
import { apply, snapshot } from './draft.ts';
import { nothingSeen, type SampleOptions } from './sockets.ts';

export interface CountingOptions extends SampleOptions {
  readonly metricsPort: number | null;
  /** When the first sample was whole, in milliseconds since the epoch. */
  readonly sampledAt: number;
  readonly longestSeconds: number;
}

/** A look that would come so near to the last one that can be is made then. */
const nearlyLongest = 0.6;
/** What comes by chance comes later, too: so many times the time that is probably enough. */
const slack = 1.25;

/**
 * Takes the second sample again where what was counted so far decides nothing: once when it is probably enough, and once
 * when the longest window is over. The counters of the pods are read again for it, which costs a GET each; sockets, which
 * cost an exec each, only where the pods looked at do not all count their calls. Yields after each.
 */
export async function* countOn(options: CountingOptions): AsyncGenerator<void> {
  const { host, draft, sampledAt, longestSeconds } = options;
  for (let isFirst = true; ; isFirst = false) {
    const elapsed = (host.now() - sampledAt) / 1000;
    if (elapsed >= longestSeconds || host.enoughSeconds === undefined) return;
    const enough = await host.enoughSeconds(snapshot(draft, host.now));
    if (enough === null || isOver(options)) return;
    const isNear = isFirst && slack * enough < nearlyLongest * longestSeconds;
    const until = isNear ? Math.max(slack * enough, elapsed + 1) : longestSeconds;
    const targets = socketsToo(options, until / elapsed);
    if (targets.length === 0 && !countsCalls(options)) return;
    host.beforeLonger?.({ elapsed, until, enough, execs: targets.length });
    await host.wait(until - (host.now() - sampledAt) / 1000);
    if (isOver(options)) return;
    await Promise.all([countAgain(options), sampleAgain({ ...options, targets })]);
    yield;
    // By what was to be and not by the clock: a timer may fire a moment early.
    if (until >= longestSeconds) return;
  }
}

const isOver = ({ host }: CountingOptions) => host.signal?.aborted === true;

function countsCalls({ draft }: CountingOptions): boolean {
  return draft.evidence.calls?.looks.some(({ family }) => family !== null) === true;
}

/** The pods whose sockets are read again: none where all count their calls, or where few connections will have stayed. */
function socketsToo({ draft, targets }: CountingOptions, times: number): CountingOptions['targets'] {
  const { calls, connections } = draft.evidence;
  const counting = new Set(calls?.looks.flatMap((look) => (look.family === null ? [] : look.podUid)));
  const former = new Set(draft.evidence.formerPods?.map(({ uid }) => uid));
  if (targets.every(({ pod }) => counting.has(pod.uid) || former.has(pod.uid))) return [];
  const looks = connections?.looks ?? [];
  const stays = partThatStayed(sampleOf(looks, 1), sampleOf(looks, 2)) ** times;
  const seen = new Set(sampleOf(looks, 2).map(({ podUid }) => podUid));
  return stays < mostGone ? [] : targets.filter(({ pod }) => seen.has(pod.uid));
}

/** Where more of the connections than this are gone, a window shows what came and went, and not what was carried. */
const mostGone = 0.5;

const sampleOf = (looks: readonly SocketLook[], sample: 1 | 2) => looks.filter((look) => look.sample === sample);

/** Of the sockets of earlier looks those that later ones at the same pods still show; 1 without any. */
function partThatStayed(before: readonly SocketLook[], after: readonly SocketLook[]): number {
  const later = new Map(after.map((look) => [look.podUid, new Set(look.sockets.map(ends))]));
  let all = 0;
  let stayed = 0;
  for (const { podUid, sockets } of before) {
    const now = later.get(podUid);
    if (now === undefined) continue;
    all += sockets.length;
    stayed += sockets.filter((socket) => now.has(ends(socket))).length;
  }
  return all === 0 ? 1 : stayed / all;
}

const ends = ({ localPort, peerAddress, peerPort }: SocketLook['sockets'][number]) =>
  `${localPort} ${peerAddress} ${peerPort}`;

/** Reads the counters of the pods; of a pod that gives none now, the second sample stays as it was. */
async function countAgain({ host, draft, metricsPort }: CountingOptions): Promise<void> {
  const { pods, calls } = draft.evidence;
  if (calls == null) return;
  const first = calls.looks.filter(({ sample }) => sample === 1);
  const found = await lookAtCalls(host, { pods, calls: { ...calls, looks: first } }, 2, metricsPort);
  const again = new Set(found.patch?.calls?.looks.flatMap(({ sample, podUid }) => (sample === 2 ? podUid : [])));
  const kept = calls.looks.filter(({ sample, podUid }) => sample === 2 && !again.has(podUid));
  const fresh = found.patch?.calls ?? calls;
  apply(draft, host, { ...found, patch: { calls: { ...fresh, looks: [...fresh.looks, ...kept] } } });
}

/** Reads the sockets of the targets; where most connections have gone meanwhile, the second sample stays as it was. */
async function sampleAgain({ host, draft, targets, known }: CountingOptions): Promise<void> {
  if (targets.length === 0) return;
  const round = await readAllSockets({ host, targets, known, sample: 2 });
  const before = draft.evidence.connections ?? nothingSeen;
  const looks = withRound(before.looks, round);
  apply(draft, host, lookAtConnections({ ...before, looks, execs: before.execs + round.execs }));
}

function withRound(looks: readonly SocketLook[], { looks: fresh }: Pick<Round, 'looks'>): SocketLook[] {
  if (partThatStayed(sampleOf(looks, 1), fresh) < mostGone) return [...looks];
  const again = new Set(fresh.map(({ podUid }) => podUid));
  return [...looks.filter(({ sample, podUid }) => sample === 1 || !again.has(podUid)), ...fresh];
}

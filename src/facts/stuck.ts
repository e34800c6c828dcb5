import { maxOf, minOf } from '../figures/extremes.ts';
import type { Confidence } from '../report/ids.ts';
import type { MeasuredPod } from './measured.ts';
import type { Connection, PodConnections } from './peers/connections.ts';

/** Seconds: longer than the pauses of garbage collectors as a rule, and the period of a probe where none is set. */
const stuckSeconds = 10;

/** A pod whose kernel receives what clients send while its program does not read it. */
export interface StuckPod {
  readonly pod: MeasuredPod;
  /** Connections on which data waits, and how many bytes. */
  readonly waiting: number;
  readonly bytes: number;
  /** For how long nothing has been read, at least. */
  readonly seconds: number;
  /** certain and likely: what was read was counted; possible: only the queues were seen. */
  readonly confidence: Confidence;
}

/**
 * Pods that stand still. The kernel counts what it received, and what still waits to be read: where the first grew by
 * as much as the second, the program has read nothing.
 */
export function findStuck(pods: readonly MeasuredPod[]): readonly StuckPod[] {
  return pods.flatMap((pod) => {
    const { sockets, calls } = pod;
    if (sockets === null || (calls?.calls ?? 0) > 0) return [];
    const found = sockets.seconds === null ? inOneSample(sockets) : inTwoSamples(sockets, sockets.seconds);
    return found === null ? [] : [{ pod, ...found }];
  });
}

type Standing = Omit<StuckPod, 'pod'>;

/** What waits was there before, and no connection of the pod was read from or sent to. */
function inTwoSamples({ connections, knowsBytes }: PodConnections, seconds: number): Standing | null {
  const waits = (entry: Connection) => (entry.receiveQueueBytes ?? 0) > 0;
  const stands = (entry: Connection) =>
    waits(entry) && (entry.receiveQueueBefore ?? 0) > 0 && growth(entry) >= 0 && entry.kept;
  const standing = connections.filter(stands);
  if (standing.length === 0) return null;
  if (!knowsBytes) {
    // A busy program may read and be sent as much again, so all that waits has to stand.
    const all = connections.filter((entry) => waits(entry) && entry.kept).every(stands);
    return all ? { ...sizeOf(standing), seconds, confidence: 'possible' } : null;
  }
  const silent = connections.every((entry) => entry.windowRead === 0 && (!entry.kept || entry.windowSent === 0));
  if (!silent) return null;
  const longest = maxOf(
    standing.map((entry) => unreadSeconds(entry, seconds)),
    seconds,
  );
  return {
    ...sizeOf(standing),
    seconds: longest,
    confidence: longest >= stuckSeconds ? 'certain' : 'likely',
  };
}

/** One look tells no more than that data waits, and that the pod has sent nothing to anyone for a while. */
function inOneSample({ connections }: PodConnections): Standing | null {
  const waiting = connections.filter((entry) => (entry.receiveQueueBytes ?? 0) > 0);
  const silence = minOf(connections.map((entry) => entry.lastSentMs ?? 0)) / 1000;
  if (waiting.length === 0 || silence < stuckSeconds) return null;
  return { ...sizeOf(waiting), seconds: silence, confidence: 'possible' };
}

/**
 * Data that came last waits since then. Where more keeps coming, what waits ÷ the rate at which it comes is the time, but
 * no more than the time since the pod last sent anything there.
 */
function unreadSeconds(entry: Connection, windowSeconds: number): number {
  const sinceReceived = (entry.lastReceivedMs ?? 0) / 1000;
  const grown = growth(entry);
  const filling = grown > 0 ? ((entry.receiveQueueBytes ?? 0) * windowSeconds) / grown : 0;
  return Math.max(sinceReceived, Math.min(filling, (entry.lastSentMs ?? 0) / 1000));
}

function growth(entry: Connection): number {
  return (entry.receiveQueueBytes ?? 0) - (entry.receiveQueueBefore ?? 0);
}

function sizeOf(waiting: readonly Connection[]): Pick<StuckPod, 'waiting' | 'bytes'> {
  return {
    waiting: waiting.length,
    bytes: waiting.reduce((sum, entry) => sum + (entry.receiveQueueBytes ?? 0), 0),
  };
}

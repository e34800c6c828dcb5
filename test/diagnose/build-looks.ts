/** What a look into a pod shows: its sockets and its counters, from the rates that a case states. */
import type { CallLook, Socket } from '../../src/evidence/looks.ts';

export const nowMs = Date.parse('2026-03-01T12:00:00Z');
export const ago = (seconds: number): string => new Date(nowMs - seconds * 1000).toISOString();

export interface ConnectionPlan {
  /** Name of a client (one pod each; made where it is not among the clients), or an address. */
  readonly from: string;
  readonly to: string;
  readonly bytesPerSecond?: number;
  readonly segmentsPerSecond?: number;
  readonly ageSeconds?: number;
  /** What it has carried in all, where the rate was another one before. */
  readonly lifetimeBytes?: number;
  /** Closed between the samples. */
  readonly gone?: boolean;
  readonly localPort?: number;
  readonly peerPort?: number;
  readonly receiveQueueBytes?: number;
  /** For so long the server has read and sent nothing there; what the client sends waits. */
  readonly unreadSeconds?: number;
}

/** What the counters of a pod say: in all, and how fast they grow. */
export interface CallsPlan {
  readonly pod: string;
  readonly perSecond?: number;
  readonly total?: number;
  readonly messagesPerSecond?: number;
  /** Started and not ended. */
  readonly inFlight?: number;
  /** The same in the first sample, where it was another number. */
  readonly inFlightBefore?: number;
  /** false: it counts calls that end, and not those that begin. */
  readonly begun?: boolean;
  /** false: its page names no series of the family. */
  readonly counted?: boolean;
}

export const uidOf = (name: string): string => `uid-${name}`;

export function callLooks(plan: CallsPlan, samples: readonly (1 | 2)[], windowSeconds: number): CallLook[] {
  return samples.map((sample) => {
    const back = sample === samples.at(-1) ? 0 : windowSeconds;
    const handled = Math.round((plan.total ?? 100_000) - (plan.perSecond ?? 0) * back);
    const messages = 1_000_000 - (plan.messagesPerSecond ?? 0) * back;
    const open = (back > 0 ? plan.inFlightBefore : undefined) ?? plan.inFlight ?? 0;
    const method = {
      service: 'shop.Echo',
      method: 'Say',
      streaming: null,
      started: plan.begun === false ? null : handled + open,
      handled,
      messages: plan.messagesPerSecond === undefined ? null : messages,
    };
    return {
      pod: plan.pod,
      podUid: uidOf(plan.pod),
      sample,
      lookedAt: ago(back),
      family: plan.counted === false ? null : 'grpc_server_handled_total',
      methods: plan.counted === false ? [] : [method],
    };
  });
}

/** Where and when a connection is looked at. */
export interface Ground {
  readonly sample: 1 | 2;
  readonly windowSeconds: number;
  readonly address: string;
  readonly peerAddress: string;
  readonly peerPort: number;
  readonly port: number;
  readonly knowsBytes: boolean;
}

export function socketsOf(plan: ConnectionPlan, ground: Ground): Socket[] {
  const { sample, windowSeconds } = ground;
  const age = plan.ageSeconds ?? 40_000;
  const lived = windowSeconds === 0 || sample === 2 ? age : age - windowSeconds;
  if (lived < 0 || (plan.gone === true && sample === 2)) return [];
  const rate = plan.bytesPerSecond ?? 1000;
  const segmentRate = plan.segmentsPerSecond ?? 20;
  const bytes = Math.round((plan.lifetimeBytes ?? rate * age) - rate * (age - lived));
  // Half of the rate comes from the client; all of that waits since the server stopped.
  const unread = Math.max(0, (plan.unreadSeconds ?? 0) - (age - lived));
  const waiting = Math.round((rate / 2) * unread);
  const sent = Math.round(bytes / 2) - waiting;
  return [
    {
      localAddress: ground.address,
      localPort: plan.localPort ?? ground.port,
      peerAddress: ground.peerAddress,
      peerPort: plan.peerPort ?? ground.peerPort,
      receiveQueueBytes: (plan.receiveQueueBytes ?? 0) + waiting,
      sendQueueBytes: 0,
      ...(ground.knowsBytes && {
        bytesReceived: bytes - Math.round(bytes / 2),
        bytesAcked: sent,
        segmentsIn: Math.round(segmentRate * lived),
        segmentsOut: Math.round(segmentRate * lived),
        lastReceivedMs: 100,
        lastSentMs: 100 + 1000 * unread,
      }),
    },
  ];
}

import type { Backends } from '../evidence/endpoints.ts';
import type { Pod } from '../evidence/objects.ts';
import { millisecondsOf } from '../evidence/times.ts';
import type { MeasuredPod } from './measured.ts';

/** A pod that has been Ready for less than this may not be in the slices yet; one as young may still be starting. */
const settleMs = 30_000;

/** Pods that get no traffic although they should, apart from those that leave on purpose or are still starting. */
export interface MissingPods {
  /** Endpoints that are not ready. */
  readonly notReady: readonly MeasuredPod[];
  /** Pods of the selector that are not Ready and that no slice names: not scheduled, or without an address. */
  readonly pending: readonly Pod[];
  /** Ready pods of the selector that no slice names. */
  readonly unnamed: readonly Pod[];
  /** Names of pods whose slice does not serve the port. */
  readonly withoutPort: readonly string[];
}

/** @param now in milliseconds since the epoch */
export function findMissing({
  unreadyPods,
  podsWithoutEndpoint,
  united,
  now,
}: {
  readonly unreadyPods: readonly MeasuredPod[];
  readonly podsWithoutEndpoint: readonly Pod[];
  readonly united: Backends;
  readonly now: number;
}): MissingPods {
  const isSettled = (time: string | null) => now - (millisecondsOf(time) ?? now) > settleMs;
  const staying = podsWithoutEndpoint.filter((pod) => pod.deletedAt === null);
  return {
    notReady: unreadyPods.filter((pod) => !isLeaving(pod) && !isStarting(pod, now)),
    pending: staying.filter((pod) => pod.ready === false && isSettled(pod.createdAt)),
    unnamed: staying.filter((pod) => pod.ready === true && isSettled(pod.readySince)),
    withoutPort: united.withoutPort,
  };
}

function isLeaving(pod: MeasuredPod): boolean {
  return pod.backend.terminating || pod.pod?.deletedAt != null;
}

function isStarting(pod: MeasuredPod, now: number): boolean {
  return pod.createdAt !== null && now - pod.createdAt < settleMs && pod.restarts === 0;
}

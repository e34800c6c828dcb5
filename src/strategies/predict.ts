import type { Facts } from '../facts/facts.ts';
import { readStreams } from '../facts/streams.ts';
import { simulatePlacement } from '../figures/placement.ts';
import type { Prediction } from '../report/advice.ts';
import { countOf, figure, plural } from '../report/words.ts';

/** Part of the pods that balancing by call used at least in measurements: 60 calls on 3 pods came out as 21, 20, 19. */
const leastOfCalls = 0.95;

/**
 * What a strategy gives that chooses a pod for every call: all pods. Where the load is streams that do not end, each of
 * them stays where it began, so that what counts is their number: they are taken for alike and placed at random, which
 * is no better than what any policy does.
 */
export function byCall(facts: Facts): Pick<Prediction, 'effectivePods' | 'effectivePodsRange' | 'peakToMean'> {
  const pods = facts.replicas.length;
  if (pods === 0) return { effectivePods: null, effectivePodsRange: null, peakToMean: null };
  const streams = openStreams(facts);
  const placed =
    streams === null || streams > manyStreams
      ? null
      : simulatePlacement({ weights: Array.from({ length: streams }, () => 1), pods });
  if (placed === null) return { effectivePods: pods, effectivePodsRange: [leastOfCalls * pods, pods], peakToMean: 1 };
  const { effectivePods, peakToMean } = placed;
  return {
    effectivePods: effectivePods.mean,
    effectivePodsRange: [effectivePods.p10, effectivePods.p90],
    peakToMean: peakToMean.mean,
  };
}

/** More streams than this lie about even on any number of pods that was seen (4(P−1) use 80 % of P), and take time to deal. */
const manyStreams = 2000;

/**
 * Calls under way, where more of them are under way than end in the window: then they are streams, and each is a unit that
 * no balancing splits. Null where calls are short, or not counted.
 */
export function openStreams(facts: Facts): number | null {
  const streams = readStreams(facts);
  return streams !== null && streams.open > streams.ended ? streams.open : null;
}

/** Calls that are under way end on the pod that they began on, whatever chooses pods for the next ones. */
export function callsUnderWay({ replicas }: Facts): readonly string[] {
  const count = replicas.reduce((sum, { calls }) => sum + (calls?.inFlight ?? 0), 0);
  return count === 0
    ? []
    : [`${countOf(count, 'call in flight stays', 'calls in flight stay')} on their pods to the end`];
}

/** `2.4 reconnects per second`, `0.8 reconnects per minute`: whichever is a number to read. */
export function rate(perSecond: number, what: string): string {
  return perSecond >= 1 ? `${figure(perSecond)} ${what} per second` : `${figure(60 * perSecond)} ${what} per minute`;
}

/** `4 clients × 10 pods = 40 connections`. */
export function fullMesh(clients: number, pods: number): string {
  if (clients === 0) return 'a connection from each client to each pod';
  return `${plural(clients, 'client')} × ${plural(pods, 'pod')} = ${plural(clients * pods, 'connection')}`;
}

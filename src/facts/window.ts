import {
  decides,
  type LoadDistribution,
  type MeasuredValues,
  type ReadingContext,
  readDistribution,
} from './distribution.ts';

/** None in a window: fewer than this many come in one of its length, in 19 of 20 (the rule of three). */
const mostUnseen = 3;
/** A load near a limit is told from it by very many events only: no more than so many times those that tell an even one. */
const mostTimes = 16;
/** Of events; a window has fewer. */
const mostEvents = 1e9;

/**
 * The window that would probably decide a measure, in seconds, were the events as frequent as they were: so long that it
 * would be told whether the load lies as it was seen or evenly. Null: it is decided, or no number of events would do it.
 */
export function enoughSeconds(measure: LoadDistribution, around: ReadingContext): number | null {
  const { seconds, events, values, shares, barred } = measure;
  if (measure.span !== 'window' || decides(measure) || seconds === null || events === null) return null;
  const seen = Math.max(events, mostUnseen);
  const needed = (spread: MeasuredValues, most: number) => {
    let count = seen;
    while (count < most && !decides(readDistribution({ ...spread, events: Math.round(count) }, around))) count *= 1.1;
    return Math.min(count, most);
  };
  // A pod that no connection leads to makes an even load impossible.
  const isBarred = barred !== undefined && barred.size > 0;
  const even = { ...measure, values: values.map((value, pod) => (value === null ? null : fairOf(pod, around))) };
  const ofEven = isBarred ? seen : needed(even, mostEvents);
  if (ofEven === mostEvents) return null;
  const isMoving = shares.some((share) => share !== null);
  const ofSeen = isMoving ? needed(measure, mostTimes * Math.max(ofEven, seen)) : seen;
  return (seconds * Math.max(ofEven, ofSeen)) / seen;
}

function fairOf(pod: number, { expected }: ReadingContext): number {
  return expected == null ? 1 : (expected[pod] ?? 0);
}

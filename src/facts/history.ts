import type { Pod } from '../evidence/objects.ts';
import type { PrometheusHistory } from '../evidence/prometheus.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { maxOf } from '../figures/extremes.ts';
import { type LoadDistribution, readDistribution } from './distribution.ts';
import type { EvidenceIndex } from './evidence-index.ts';

/** How the load was spread at one time of the past. */
interface PastPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly pods: number;
  readonly effectivePods: number;
  readonly peakToMean: number;
  readonly reading: LoadDistribution['reading'];
}

/** How the load was spread over the last hour, on one basis. */
export interface LoadHistory {
  readonly basis: PrometheusHistory['basis'];
  readonly stepSeconds: number;
  /** Each point stands for so many seconds before it. */
  readonly rateSeconds: number;
  readonly points: readonly PastPoint[];
  /** How many even shares each pod that is still there had, in at most `courseParts` equal parts of the time; by uid, null: not known. */
  readonly courses: ReadonlyMap<string, readonly (number | null)[]>;
  /** Uneven from then to the end, single lulls apart; null where it is not uneven at the end. Milliseconds. */
  readonly unevenSince: number | null;
  /** The last time before that at which it was not uneven; null where it was uneven from the first point on. */
  readonly evenUntil: number | null;
}

/** One uneven minute is a burst, and one even one a lull: so many points in a row are a state. */
const fewestPoints = 2;

/** Reads the past of the load from Prometheus; a basis without a single point that can be read is left out. */
export function readPast({ evidence, pods }: EvidenceIndex): LoadHistory[] {
  const counting = new Set(evidence.prometheus?.calls.map((look) => look.podUid));
  return (evidence.prometheus?.history ?? []).flatMap((history) => {
    const steps = ratesOf(history, pods, counting);
    const points = steps.flatMap(({ at, rates }) =>
      pointOf(
        history,
        at,
        rates.map(({ rate }) => rate),
      ),
    );
    if (points.length === 0) return [];
    const isEven = (at: number) => points[at] !== undefined && points[at].reading !== 'uneven';
    const lastEven = points.findLastIndex((_, at) => isEven(at) && isEven(at - fewestPoints + 1));
    const tail = points.slice(lastEven + 1);
    const isUneven = !isEven(points.length - 1) && tail.length >= fewestPoints;
    return [
      {
        basis: history.basis,
        stepSeconds: history.stepSeconds,
        rateSeconds: history.rateSeconds,
        points,
        courses: coursesOf(steps),
        unevenSince: isUneven ? (tail[0]?.at ?? null) : null,
        evenUntil: isUneven ? (points[lastEven]?.at ?? null) : null,
      },
    ];
  });
}

/** Milliseconds from 1970 that a date can hold. */
const lastMoment = 8.64e15;

/** A rate is no less than 0, and no record makes it more than can be added up. */
function believable(rate: number): number {
  return Math.min(Math.max(0, rate), 1e15);
}

/** What each pod that was there did at one time of the past. */
interface Step {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A second; without a uid: of a pod that is gone. */
  readonly rates: readonly { readonly podUid: string | null; readonly rate: number }[];
}

function ratesOf(history: PrometheusHistory, pods: ReadonlyMap<string, Pod>, counting: ReadonlySet<string>): Step[] {
  const from = millisecondsOf(history.from);
  if (from === null || history.stepSeconds <= 0) return [];
  const steps = maxOf(
    history.pods.map((pod) => pod.values.length),
    0,
  );
  const known = new Set(history.pods.map((pod) => pod.podUid));
  // A pod that was never called has no series, from its start on.
  const silent = [...counting].flatMap((uid) => (known.has(uid) ? [] : (pods.get(uid) ?? [])));
  return Array.from({ length: steps }, (_, step) => step).flatMap((step) => {
    const at = from + step * history.stepSeconds * 1000;
    if (!(Math.abs(at) <= lastMoment)) return [];
    const wasThere = (pod: Pod) =>
      (millisecondsOf(pod.startedAt ?? pod.createdAt) ?? at) + history.rateSeconds * 1000 <= at;
    const rates = history.pods.flatMap(({ podUid, values }) => {
      const value = values[step] ?? null;
      const pod = podUid === null ? undefined : pods.get(podUid);
      if (value !== null) return [{ podUid, rate: believable(value) }];
      const isSilent = history.basis === 'calls' && pod !== undefined && counting.has(pod.uid) && wasThere(pod);
      return isSilent ? [{ podUid, rate: 0 }] : [];
    });
    if (history.basis === 'calls')
      for (const pod of silent) if (wasThere(pod)) rates.push({ podUid: pod.uid, rate: 0 });
    return [{ at, rates }];
  });
}

/** Five minutes of an hour each: a minute is a burst as often as not. */
const courseParts = 12;

function coursesOf(steps: readonly Step[]): LoadHistory['courses'] {
  const courses = new Map<string, (number | null)[]>();
  const parts = Math.min(courseParts, steps.length);
  for (let part = 0; part < parts; part += 1) {
    const [first, end] = [part, part + 1].map((at) => Math.round((at * steps.length) / parts));
    const sums = new Map<string, { own: number; even: number }>();
    for (const { rates } of steps.slice(first, end)) {
      if (rates.length < 2) continue;
      const even = rates.reduce((total, { rate }) => total + rate, 0) / rates.length;
      for (const { podUid, rate } of rates) {
        if (podUid === null) continue;
        const sum = sums.get(podUid) ?? { own: 0, even: 0 };
        sums.set(podUid, { own: sum.own + rate, even: sum.even + even });
      }
    }
    for (const [podUid, { own, even }] of sums) {
      const course = courses.get(podUid) ?? Array.from({ length: parts }, () => null);
      if (even > 0) course[part] = own / even;
      courses.set(podUid, course);
    }
  }
  return courses;
}

function pointOf({ basis, rateSeconds }: PrometheusHistory, at: number, values: readonly number[]): PastPoint[] {
  if (values.length < 2) return [];
  const sum = values.reduce((total, value) => total + value, 0);
  const read = readDistribution(
    {
      basis,
      span: 'window',
      seconds: rateSeconds,
      values: basis === 'cpu' ? values.map((value) => value * 1000) : values,
      events: basis === 'calls' ? Math.round(believable(sum * rateSeconds)) : null,
      source: basis === 'bytes' ? 'interface' : 'prometheus',
    },
    { excluded: new Set(), nearLimit: false },
  );
  const { effectivePods, peakToMean, reading } = read;
  // Where too little was going on to tell, it was neither even nor uneven.
  const isDecided = reading === 'even' || reading === 'between' || reading === 'uneven';
  if (effectivePods === null || peakToMean === null || !isDecided) return [];
  return [{ at, pods: values.length, effectivePods, peakToMean, reading }];
}

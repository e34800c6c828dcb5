import { estimatedPods } from '../figures/counts.ts';
import { figureInterval, type Interval } from '../figures/intervals.ts';
import { boundedEffectivePods, sampledEffectivePods } from '../figures/sampling.ts';
import { toShares } from '../figures/shares.ts';
import type { Basis } from '../report/ids.ts';
import type { ComparedReport } from './read.ts';

/** Measures that show the load of now, the nearest to it first. Connections are its mechanism and prove nothing. */
const comparable = ['calls', 'messages', 'bytes', 'cpu'] as const;
type Comparable = (typeof comparable)[number];
/** Calls and messages are both counted by the pods themselves: which of them is the load depends on how long calls are. */
const nearness: Readonly<Record<Comparable, number>> = { calls: 0, messages: 0, bytes: 1, cpu: 2 };

type Pod = ComparedReport['status']['pods'][number];
type Distribution = ComparedReport['status']['distributions'][number];

/** What one run is measured by: a distribution, and the share in it of each pod. */
export interface Measure {
  readonly basis: Basis;
  readonly distribution: Distribution;
  readonly amountOf: (pod: Pod) => number | null;
}

/** One run by a measure: each ready endpoint with its share, null where it was not measured. */
export interface MeasuredRun {
  readonly basis: Basis;
  readonly span: Distribution['span'];
  readonly pods: number;
  readonly shares: ReadonlyMap<string, number | null>;
  readonly effectivePods: number;
  /** With the noise of the measurement, and with the pods that were not seen. */
  readonly range: Interval;
}

/**
 * The measures by which both runs can be compared, best first, all of one basis: the nearest to the load of those on
 * which, or on a nearer one, both verdicts rest. A verdict that passed over a measure had a reason: too few events, or
 * connections that come and go. A measure on which a skew does not show cannot show that it is gone either.
 *
 * The later run needs a window, or a moment: its totals still hold the time before a change. Those of the earlier run
 * hold nothing else, so they stand for it where its verdict rests on them.
 */
export function sharedMeasures(
  before: ComparedReport,
  after: ComparedReport,
): readonly (readonly [before: Measure, after: Measure])[] {
  const past = verdictMeasure(before);
  const isPast = (basis: Comparable) => past?.distribution.span === 'lifetime' && isKin(past.basis, basis);
  for (const basis of comparable) {
    const now = allowed(after, basis);
    if (now === null) continue;
    const then = [allowed(before, basis), isPast(basis) ? past : null];
    const pairs = then.flatMap((entry) => (entry === null ? [] : [[entry, now] as const]));
    if (pairs.length > 0) return pairs;
  }
  return [];
}

function allowed(report: ComparedReport, basis: Comparable): Measure | null {
  const { verdict } = report.status;
  if (verdict.basis === null || verdict.basis === 'connections' || nearness[basis] < nearness[verdict.basis])
    return null;
  const distribution = presentOf(report.status, basis);
  if (distribution === null || (verdict.state === 'skewed' && distribution.reading !== 'uneven')) return null;
  const key = basis === 'messages' ? 'calls' : basis;
  return { basis, distribution, amountOf: basis === 'cpu' ? (pod) => pod.cpuMillicores : ({ shares }) => shares[key] };
}

function presentOf({ distributions }: ComparedReport['status'], basis: Comparable): Distribution | null {
  // The shares of the pods are those of the first distribution that counts calls or messages, or bytes.
  // All traffic of a pod is not what the connections of the port carry, and the pods' shares are of the latter.
  const first = distributions.find((entry) => entry.source !== 'interface' && isKin(entry.basis, basis));
  return first?.basis === basis && first.span !== 'lifetime' && first.effectivePods !== null ? first : null;
}

/** What the verdict of a run rests on; null where it rests on nothing. */
export function verdictMeasure({ status }: ComparedReport): Measure | null {
  const { basis, span, source } = status.verdict;
  const distribution = status.distributions.find(
    (entry) =>
      entry.basis === basis &&
      // Reports of an earlier version do not name them.
      (span === undefined || entry.span === span) &&
      (source === undefined || entry.source === source),
  );
  if (basis === null || distribution === undefined) return null;
  return { basis, distribution, amountOf: basis === 'cpu' ? (pod) => pod.cpuMillicores : ({ load }) => load };
}

const isCount = (basis: Basis) => basis === 'calls' || basis === 'messages';
const isKin = (one: Basis, other: Basis) => one === other || (isCount(one) && isCount(other));

/**
 * Reads one run by a measure; null where none of its pods has a value, or none carries anything.
 * @param times as if so many times the events had been counted
 */
export function measure({ status }: ComparedReport, by: Measure, times = 1): MeasuredRun | null {
  const { basis, distribution, amountOf } = by;
  const endpoints = status.pods.filter((pod) => pod.endpoint);
  const values = endpoints.map(amountOf);
  const seen = values.filter((value) => value !== null);
  const shares = toShares(seen);
  if (shares === null) return null;
  const events = (distribution.events ?? 0) * times;
  const isCounted = basis !== 'cpu' && basis !== 'connections';
  const expected = shares.map(() => 1 / shares.length);
  const figure = estimatedPods({ shares, expected, events: isCounted ? events : Number.POSITIVE_INFINITY });
  const noise =
    basis === 'cpu'
      ? (boundedEffectivePods(seen, status.limits['cpuNoiseMillicores'] ?? 0) ?? [figure, figure])
      : isCounted
        ? sampledEffectivePods(shares, events)
        : ([figure, figure] as const);
  const unseen = seen.length === values.length ? null : figureInterval(values);
  const within = (value: number) => Math.min(endpoints.length, Math.max(1, value));
  // What the report of the run says: held against what the pods should have, and not of shares that were rounded.
  const said = times === 1 ? (distribution.effectivePods ?? figure) : figure;
  let next = 0;
  return {
    basis,
    span: distribution.span,
    pods: endpoints.length,
    shares: new Map(
      endpoints.map((pod, index) => [pod.name, values[index] === null ? null : (shares[next++] ?? null)]),
    ),
    effectivePods: said,
    // What was not seen and the noise of what was are independent of one another: the factors multiply.
    range: [
      within(((((unseen?.effectivePods[0] ?? figure) * noise[0]) / figure) * said) / figure),
      within(((((unseen?.effectivePods[1] ?? figure) * noise[1]) / figure) * said) / figure),
    ],
  };
}

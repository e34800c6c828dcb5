import { figureInterval, type Interval } from '../figures/intervals.ts';
import { boundedEffectivePods, sampledEffectivePods } from '../figures/sampling.ts';
import { effectivePods, toShares } from '../figures/shares.ts';
import type { Basis } from '../report/ids.ts';
import type { ComparedReport } from './read.ts';

/** Measures that show the load of now, the nearest to it first. Connections are its mechanism and prove nothing. */
const comparable = ['calls', 'messages', 'bytes', 'cpu'] as const;
type Comparable = (typeof comparable)[number];
/** Calls and messages are both counted by the pods themselves: which of them is the load depends on how long calls are. */
const nearness: Readonly<Record<Comparable, number>> = { calls: 0, messages: 0, bytes: 1, cpu: 2 };

type Pod = ComparedReport['status']['pods'][number];

/** One run on one basis: each ready endpoint with its share, null where it was not measured. */
export interface MeasuredRun {
  readonly pods: number;
  readonly shares: ReadonlyMap<string, number | null>;
  readonly effectivePods: number;
  /** With the noise of the measurement, and with the pods that were not seen. */
  readonly range: Interval;
}

/**
 * The basis on which both runs can be compared: the nearest to the load of those on which, or on a nearer one, both
 * verdicts rest. A verdict that passed over a measure had a reason: too few events, or connections that come and go. A
 * measure on which a skew does not show cannot show that it is gone either.
 */
export function sharedBasis(before: ComparedReport, after: ComparedReport): Comparable | null {
  return comparable.find((basis) => allows(before, basis) && allows(after, basis)) ?? null;
}

function allows({ status }: ComparedReport, basis: Comparable): boolean {
  const verdict = status.verdict.basis;
  if (verdict === null || verdict === 'connections' || nearness[basis] < nearness[verdict]) return false;
  const distribution = distributionOf(status, basis);
  return distribution !== null && (status.verdict.state !== 'skewed' || distribution.reading === 'uneven');
}

/** Lifetime totals still hold the time before a change: only a window, or a moment, shows the load of now. */
function distributionOf(
  { distributions }: ComparedReport['status'],
  basis: Comparable,
): ComparedReport['status']['distributions'][number] | null {
  // The shares of the pods are those of the first distribution that counts calls or messages, or bytes.
  const isKin = (entry: Basis) => entry === basis || (isCount(entry) && isCount(basis));
  // All traffic of a pod is not what the connections of the port carry, and the pods' shares are of the latter.
  const first = distributions.find((entry) => entry.source !== 'interface' && isKin(entry.basis));
  return first?.basis === basis && first.span !== 'lifetime' && first.effectivePods !== null ? first : null;
}

const isCount = (basis: Basis) => basis === 'calls' || basis === 'messages';

/** Reads one run on a basis; null where none of its pods has a value, or none carries anything. */
export function measure(report: ComparedReport, basis: Comparable): MeasuredRun | null {
  const { status } = report;
  const endpoints = status.pods.filter((pod) => pod.endpoint);
  const values = endpoints.map((pod) => amountOf(pod, basis));
  const seen = values.filter((value) => value !== null);
  const shares = toShares(seen);
  if (shares === null) return null;
  const figure = effectivePods(shares);
  const noise =
    basis === 'cpu'
      ? (boundedEffectivePods(seen, status.limits['cpuNoiseMillicores'] ?? 0) ?? [figure, figure])
      : sampledEffectivePods(shares, distributionOf(status, basis)?.events ?? 0);
  const unseen = seen.length === values.length ? null : figureInterval(values);
  const within = (value: number) => Math.min(endpoints.length, Math.max(1, value));
  let next = 0;
  return {
    pods: endpoints.length,
    shares: new Map(
      endpoints.map((pod, index) => [pod.name, values[index] === null ? null : (shares[next++] ?? null)]),
    ),
    effectivePods: figure,
    // What was not seen and the noise of what was are independent of one another: the factors multiply.
    range: [
      within(((unseen?.effectivePods[0] ?? figure) * noise[0]) / figure),
      within(((unseen?.effectivePods[1] ?? figure) * noise[1]) / figure),
    ],
  };
}

function amountOf(pod: Pod, basis: Comparable): number | null {
  if (basis === 'cpu') return pod.cpuMillicores;
  return pod.shares[basis === 'messages' ? 'calls' : basis];
}

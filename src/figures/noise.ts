import { chiSquareQuantile, upperGamma } from './gamma.ts';

/** How far a fairly served Service strays from even, seen through a limited number of events. */
export interface FairRange {
  /** Half of all looks show less than `median`; one in 1/level shows more than `upper`. */
  readonly peakToMean: { readonly median: number; readonly upper: number };
  /** One look in 1/level shows less than `lower`. */
  readonly effectivePods: { readonly median: number; readonly lower: number };
}

/** Beyond the noise: fair traffic looks like that in fewer than this part of all windows. */
export const noiseLevel = 0.01;
/** Fewer counted events a pod than this cannot show a skew. */
export const eventsPerPod = 20;
/** Above it the noise is under half a percent; to count on would only cost time. */
const mostPerPod = 1_000_000;

/** Counts in a window are Poisson: with fewer than 20 expected events a pod they say nothing about evenness. */
export function enoughEvents(events: number, pods: number): boolean {
  return events >= eventsPerPod * pods;
}

/**
 * What N events look like that fall on the pods by their expected shares (which sum to 1). In closed form, so that it is
 * quick and always the same. Within 5 % of a simulation from 20 events a pod on, and near it below.
 */
export function fairRange(
  events: number,
  expectedShares: readonly number[],
  { level = noiseLevel }: { readonly level?: number } = {},
): FairRange {
  const shares = expectedShares.filter((share) => share > 0);
  const counted = Math.min(Math.max(1, events), mostPerPod * shares.length);
  if (shares.length < 2) return { peakToMean: { median: 1, upper: 1 }, effectivePods: { median: 1, lower: 1 } };
  return {
    peakToMean: { median: peakQuantile(counted, shares, 0.5), upper: peakQuantile(counted, shares, 1 - level) },
    effectivePods: {
      median: effectiveQuantile(counted, shares, 0.5),
      lower: effectiveQuantile(counted, shares, level),
    },
  };
}

/**
 * The peak stays within t where every pod stays within t times its expected count. The counts are nearly independent, so
 * the probabilities multiply.
 */
function peakQuantile(events: number, shares: readonly number[], level: number): number {
  const alike = new Map<number, number>();
  for (const share of shares) alike.set(share, (alike.get(share) ?? 0) + 1);
  const isWithin = (peak: number) => {
    let logProbability = 0;
    for (const [share, pods] of alike) {
      logProbability += pods * Math.log(binomialUpTo(Math.floor(peak * events * share + 1e-6), events, share));
    }
    return logProbability >= Math.log(level);
  };
  let low = 1;
  let high = 2;
  while (!isWithin(high)) high *= 2;
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (isWithin(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * P(count ≤ k) of a binomial count, as a Poisson one squeezed to its variance N·e·(1 − e): on two pods a count strays
 * by only 0.7 of what Poisson says.
 */
function binomialUpTo(count: number, events: number, share: number): number {
  if (count >= events) return 1;
  const squeeze = 1 - share;
  return upperGamma((count + 0.5) / squeeze + 0.5, (events * share) / squeeze);
}

/**
 * P / Σ(s²/e) is P / (1 + X²/N), where X² is Pearson's statistic. X² is taken as a multiple of χ² with the mean and the
 * variance that X² has for this N (Haldane 1937).
 */
function effectiveQuantile(events: number, shares: readonly number[], level: number): number {
  const pods = shares.length;
  const mean = pods - 1;
  const inverse = shares.reduce((sum, share) => sum + 1 / share, 0);
  const variance = 2 * mean + (inverse - pods * pods - 2 * pods + 2) / events;
  const isSpread = variance > 1e-9 * mean;
  const statistic = isSpread ? (variance / (2 * mean)) * chiSquareQuantile(level, (2 * mean * mean) / variance) : mean;
  return pods / (1 + statistic / events);
}

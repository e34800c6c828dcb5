import { concentration, dealAtRandom } from './deal.ts';
import { chiSquareQuantile, chiSquareTail } from './gamma.ts';
import { equalOccupancy, unequalOccupancy } from './occupancy.ts';
import { type Outcome, type Spread, spreadOf, tailProbability } from './outcomes.ts';
import { effectiveConnections } from './placement.ts';
import { fixedSeed } from './random.ts';
import { remembering } from './remember.ts';

export interface PlacementChance {
  /** P(random placement is at least as concentrated as what was observed). */
  readonly probability: number;
  readonly expectedEffectivePods: number;
  readonly expectedEffectivePodsSpread: { readonly p10: number; readonly p90: number };
  readonly method: 'exact' | 'chi-square' | 'monte-carlo';
  /** How often the connections were dealt; only for monte-carlo. */
  readonly draws?: number;
}

/** About 50 ms of dealing. Counted, not timed: the same evidence has to give the same report. */
const dealtConnections = 4_000_000;
const fewestDraws = 999;
const mostDraws = 19_999;
/** From here on the fewest draws take longer than those 50 ms. */
const tooManyToDeal = dealtConnections / fewestDraws;

/**
 * Could random placement alone look like this? Null hypothesis: every connection, with its weight, lands on any of the
 * pods with equal probability, independently. Statistic: Σ load², one-sided. `observed` are the counts or loads of the
 * pods in any unit (pods without any may be left out). Null where there is no pod, no weight or no load.
 */
export const placementChance = remembering(assess, (placed, observed) =>
  [placed.pods, placed.weights.join(' '), observed.join(' ')].join('|'),
);

function assess(
  placed: { readonly weights: readonly number[]; readonly pods: number },
  observed: readonly number[],
): PlacementChance | null {
  const weights = placed.weights.filter((weight) => weight > 0);
  const { pods } = placed;
  if (pods < 1 || weights.length === 0 || !observed.some((load) => load > 0)) return null;
  const seen = concentration(observed);
  const isEqual = areEqual(weights);

  const exact = isEqual ? equalOccupancy(weights.length, pods) : unequalOccupancy(weights, pods);
  if (exact !== null) return { probability: tailProbability(exact, seen), ...expected(exact), method: 'exact' };

  const effective = isEqual ? weights.length : effectiveConnections(weights);
  const isLarge = isEqual || weights.length + pods > tooManyToDeal;
  if (isLarge && effective >= 5 * pods) return chiSquareChance(effective, pods, seen);

  const draws = drawsFor(weights.length, pods);
  const outcomes: Outcome[] = [];
  dealAtRandom({ weights, pods, draws, seed: fixedSeed }, (loads) => {
    outcomes.push({ value: concentration(loads), probability: 1 / draws });
  });
  const reached = Math.round(tailProbability(outcomes, seen) * draws);
  return { probability: (reached + 1) / (draws + 1), ...expected(outcomes), method: 'monte-carlo', draws };
}

/**
 * (P Σs² − 1) C is χ² distributed with P − 1 degrees of freedom: Pearson's statistic of the counts. For unequal weights
 * with the effective number of connections in the place of C.
 */
function chiSquareChance(connections: number, pods: number, seen: number): PlacementChance {
  const effectiveAt = (statistic: number) => pods / (1 + statistic / connections);
  return {
    probability: pods === 1 ? 1 : chiSquareTail((pods * seen - 1) * connections, pods - 1),
    expectedEffectivePods: (pods * connections) / (connections + pods - 1),
    expectedEffectivePodsSpread: {
      p10: pods === 1 ? 1 : effectiveAt(chiSquareQuantile(0.1, pods - 1)),
      p90: pods === 1 ? 1 : effectiveAt(chiSquareQuantile(0.9, pods - 1)),
    },
    method: 'chi-square',
  };
}

function expected(
  outcomes: readonly Outcome[],
): Pick<PlacementChance, 'expectedEffectivePods' | 'expectedEffectivePodsSpread'> {
  const effective = outcomes.map(({ value, probability }) => ({ value: 1 / value, probability }));
  const { mean, p10, p90 }: Spread = spreadOf(effective);
  return { expectedEffectivePods: mean, expectedEffectivePodsSpread: { p10, p90 } };
}

function drawsFor(connections: number, pods: number): number {
  const affordable = Math.floor(dealtConnections / (connections + pods));
  return Math.min(mostDraws, Math.max(fewestDraws, affordable));
}

function areEqual(weights: readonly number[]): boolean {
  const first = weights[0] ?? 0;
  return weights.every((weight) => Math.abs(weight - first) <= 1e-9 * first);
}

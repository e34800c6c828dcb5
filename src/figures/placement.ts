import { concentration, dealAtRandom, type Reach } from './deal.ts';
import { type Spread, spreadOf } from './outcomes.ts';
import { fixedSeed } from './random.ts';
import { remembering } from './remember.ts';

export interface PlacementForecast {
  readonly effectivePods: Spread;
  readonly peakToMean: Spread;
  readonly draws: number;
}

const dealtConnections = 2_000_000;
const fewestDraws = 100;
const mostDraws = 10_000;

/**
 * (Σw)² / Σw²: how many connections of equal load would be as unevenly spread; 1 to C. 0 where there is no load.
 */
export function effectiveConnections(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? 1 / concentration(weights) : 0;
}

/** 4(P−1): effective connections from which random placement uses at least 80 % of the pods. */
export function enoughConnections(pods: number): number {
  return 4 * (pods - 1);
}

/** Implementations of a connection age spread it by so much either way, so that clients do not all return at once (gRFC A9). */
const ageJitter = 0.1;

/** Seconds after which a maximum connection age of `age` seconds has dealt every connection anew: 1.1 times the age. */
export function movedBy(age: number): number {
  return (1 + ageJitter) * age;
}

/**
 * min(t/A, 1): the part of its share (1/P of the load) that a new pod has on average, `seconds` after its start. By then
 * t/A of the connections have ended once, and one in P of them has come to it.
 */
export function partOfNewPod(seconds: number, age: number): number {
  return Math.min(Math.max(0, seconds) / age, 1);
}

/** C/A: reconnects per second of C connections under an age of A seconds. */
export function reconnectsPerSecond(connections: number, age: number): number {
  return connections / age;
}

/**
 * What a maximum connection age gives: every connection is dealt anew, at random, with its load. It does not split
 * connections. The spread is over the draws: at any one time the Service is in one of them. Null without pods or load.
 */
export const simulatePlacement = remembering(simulate, ({ weights, reach, pods, seed, draws }) =>
  [pods, seed, draws, ...weights, ...keysOf(reach ?? [])].join(' '),
);

/** Each set of pods once, then which of them each connection may reach. */
function keysOf(reach: Reach): readonly string[] {
  const sets = [...new Set(reach)];
  const numbers = new Map(sets.map((set, number) => [set, number]));
  return [...sets.map((set) => set.join(',')), ...reach.map((set) => `r${numbers.get(set)}`)];
}

function simulate(options: {
  readonly weights: readonly number[];
  /** Where not every connection may land on every pod. */
  readonly reach?: Reach | null;
  readonly pods: number;
  readonly seed?: number;
  readonly draws?: number;
}): PlacementForecast | null {
  const isLoaded = (_: unknown, connection: number) => (options.weights[connection] ?? 0) > 0;
  const weights = options.weights.filter(isLoaded);
  const reach = options.reach?.filter(isLoaded) ?? null;
  const { pods, seed = fixedSeed, draws = drawsFor(weights.length, pods) } = options;
  if (pods < 1 || weights.length === 0) return null;
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / pods;
  const probability = 1 / draws;
  const effective: { value: number; probability: number }[] = [];
  const peaks: { value: number; probability: number }[] = [];
  dealAtRandom({ weights, reach, pods, draws, seed }, (loads) => {
    effective.push({ value: 1 / concentration(loads), probability });
    peaks.push({ value: loads.reduce((most, load) => Math.max(most, load), 0) / mean, probability });
  });
  return { effectivePods: spreadOf(effective), peakToMean: spreadOf(peaks), draws };
}

/** Enough for a mean within a twentieth of a pod; of many pods fewer draws give as much. */
const partDraws = 2000;

/**
 * Effective pods on average when some connections are dealt anew and the rest stays. `fixed[i]` is the load that stays on
 * pod i, in the unit of the weights. Exact for one connection. 0 where there is no load. `reach`: where not every
 * connection may land on every pod.
 */
export function dealSomeAnew(fixed: readonly number[], weights: readonly number[], reach: Reach | null = null): number {
  const [only = 0, ...others] = weights;
  if ([...fixed, ...weights].every((load) => load === 0)) return 0;
  if (others.length === 0) {
    const sum = fixed.reduce((total, load) => total + load, only);
    const squares = fixed.reduce((total, load) => total + load * load, only * only);
    const slots = reach?.[0] ?? fixed.map((_, pod) => pod);
    return (
      slots.reduce((total, pod) => total + (sum * sum) / (squares + 2 * (fixed[pod] ?? 0) * only), 0) / slots.length
    );
  }
  let sum = 0;
  const draws = Math.min(partDraws, drawsFor(weights.length, fixed.length));
  dealAtRandom({ weights, reach, pods: fixed.length, draws, seed: fixedSeed }, (loads) => {
    sum += 1 / concentration(fixed.map((load, pod) => load + (loads[pod] ?? 0)));
  });
  return sum / draws;
}

/** By count, not by clock: the same evidence gives the same forecast. */
function drawsFor(connections: number, pods: number): number {
  const affordable = Math.floor(dealtConnections / (connections + pods));
  return Math.min(mostDraws, Math.max(fewestDraws, affordable));
}

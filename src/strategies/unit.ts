import type { StrategyId } from '../report/ids.ts';
import type { Prediction, StrategyAnswer } from '../report/schema.ts';
import type { Facts } from '../verdict/facts.ts';
import type { Ownership } from './ownership.ts';

export interface StrategyContext {
  readonly facts: Facts;
  readonly ownership: Ownership;
}

/** One strategy as a unit: when it fits, what it presupposes, and what it would give here. */
export interface StrategyUnit {
  readonly id: StrategyId;
  readonly title: string;
  assess(context: StrategyContext): Omit<StrategyAnswer, 'id' | 'title'>;
}

/** What a strategy that chooses a pod for every call gives: all pods, unless single calls are endless streams. */
export function perCallPrediction(facts: Facts, newPod: string, cost: readonly string[]): Prediction {
  const pods = facts.replicas.length;
  if (pods === 0) return { effectivePods: null, effectivePodsRange: null, peakToMean: null, newPod, cost: [...cost] };
  return { effectivePods: pods, effectivePodsRange: [0.95 * pods, pods], peakToMean: 1, newPod, cost: [...cost] };
}

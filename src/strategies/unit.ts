import type { Facts } from '../facts/facts.ts';
import type { Precondition, StrategyAnswer } from '../report/advice.ts';
import type { LanguageId, StrategyId } from '../report/ids.ts';
import type { Lines } from '../report/words.ts';
import type { Ownership } from './ownership.ts';

export interface StrategyContext {
  readonly facts: Facts;
  readonly ownership: Ownership;
  /** The language of the clients; null where nobody says it and nothing shows it. */
  readonly language: LanguageId | null;
}

/** What must be so for a strategy to work, and what this Service's evidence says of it. */
interface Requirement {
  readonly text: string;
  /** Null where it does not concern this Service: a cache of the JVM, where the clients are in Go. */
  status(context: StrategyContext): Precondition['status'] | null;
}

/** One strategy as a unit: what it is, when it fits, what it presupposes, and what it would give here. */
export interface StrategyUnit {
  readonly id: StrategyId;
  readonly title: string;
  /** What it is and how it works. */
  readonly what: string;
  /** When it is the one to take. */
  readonly fitsWhen: string;
  readonly requirements: readonly Requirement[];
  /** When a new pod gets traffic. */
  readonly newPods: string;
  readonly costs: readonly string[];
  /** What speaks for it and against it here, and what it would give. */
  assess(context: StrategyContext): Record<'fits' | 'against', Lines> & Pick<StrategyAnswer, 'prediction'>;
}

/** The preconditions that concern a Service, with their status. */
export function preconditionsOf(unit: StrategyUnit, context: StrategyContext): Precondition[] {
  return unit.requirements.flatMap(({ text, status }) => {
    const found = status(context);
    return found === null ? [] : [{ text, status: found }];
  });
}

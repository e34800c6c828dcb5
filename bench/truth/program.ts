/** The only file here that runs the program: loaded when the truths are made already, so that they cannot depend on it. */
import type { SkewReport } from '../../schemas/types.d.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import type { Cause, Confidence, State, Strategy } from './family.ts';

/** What the report says, as far as it is judged. */
export interface Answer {
  readonly state: State;
  readonly confidence: Confidence;
  readonly causes: readonly { readonly id: Cause; readonly confidence: Confidence }[];
  readonly strategy: Strategy;
  readonly action: SkewReport['status']['recommendation']['action'];
  /** Something is to be done before, or in the place of, a strategy. */
  readonly hasFirst: boolean;
  readonly rule: number;
  readonly predictions: readonly {
    readonly strategy: Strategy;
    readonly mean: number | null;
    readonly range: readonly [number, number] | null;
  }[];
}

export type Program = (evidence: SkewEvidence) => Answer;

export async function openProgram(): Promise<Program> {
  const { diagnose } = await import('../../src/diagnose.ts');
  return (evidence) => {
    const diagnosis = diagnose(evidence);
    if (!diagnosis.ok) throw new Error(`no report: ${diagnosis.error.message}`);
    // Only what is published is read.
    const report: SkewReport = diagnosis.value;
    const { verdict, causes, recommendation } = report.status;
    return {
      ...{ state: verdict.state, confidence: verdict.confidence },
      causes: causes.map(({ id, confidence }) => ({ id, confidence })),
      ...{ strategy: recommendation.strategy, action: recommendation.action, rule: recommendation.rule },
      hasFirst: recommendation.first.length > 0,
      predictions: recommendation.strategies.map(({ id, prediction }) => ({
        ...{ strategy: id, mean: prediction.effectivePods },
        range:
          prediction.effectivePodsRange === null
            ? null
            : [prediction.effectivePodsRange[0], prediction.effectivePodsRange[1]],
      })),
    };
  };
}

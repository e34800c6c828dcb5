/** Holds what a report claims against what is known to be true, and hands the count to the scoreboard of the run. */
import { expect, TestRunner } from 'vitest';
import type { Confidence, State } from '../../src/report/ids.ts';
import type { SkewReport } from '../../src/report/schema.ts';

/** What is known to be true where a report was made. */
export interface Truth {
  /** Causes that hold, by id; any other that is named is wrong. */
  readonly causes: readonly string[];
  /** The state, where it is known. */
  readonly state?: State | readonly State[];
}

/** One claim of a report: that a cause holds, or that the Service is in a state. */
export interface Claim {
  readonly kind: 'cause' | 'state';
  readonly id: string;
  readonly confidence: Confidence;
  readonly right: boolean;
}

/** How a public case came out. */
export interface Score {
  readonly number: number;
  readonly result: 'right' | 'wrong' | 'unknown';
  readonly why: string;
}

declare module 'vitest' {
  interface TaskMeta {
    claims?: Claim[];
    scores?: Score[];
    /** Figures of the simulation, one a line. */
    truth?: readonly string[];
  }
}

/** What a report claims, each claim right or wrong. A state that is `unknown` claims nothing. */
export function claimsOf({ causes, verdict }: SkewReport['status'], truth: Truth): Claim[] {
  const { state, confidence } = verdict;
  const states = truth.state === undefined ? null : [truth.state].flat();
  return [
    ...causes.map((cause): Claim => {
      const right = truth.causes.includes(cause.id);
      return { kind: 'cause', id: cause.id, confidence: cause.confidence, right };
    }),
    ...(states === null || state === 'unknown'
      ? []
      : [{ kind: 'state' as const, id: state, confidence, right: states.includes(state) }]),
  ];
}

/** Fails on a `certain` that is wrong; counts the rest. */
export function judge(status: SkewReport['status'], truth: Truth): void {
  const claims = claimsOf(status, truth);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta !== undefined) meta.claims = [...(meta.claims ?? []), ...claims];
  expect(claims.filter(({ confidence, right }) => confidence === 'certain' && !right)).toEqual([]);
}

/** Keeps how a public case came out for the scoreboard. */
export function keepScore(score: Score): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta !== undefined) meta.scores = [...(meta.scores ?? []), score];
}

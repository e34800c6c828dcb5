import { expect, TestRunner } from 'vitest';
import { type DiagnoseOptions, diagnose } from '../../src/diagnose.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import type { CauseId, Confidence } from '../../src/report/ids.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { judge, type Truth } from '../cases/judge.ts';
import { buildEvidence, type Plan } from './build.ts';

export type Status = SkewReport['status'];

export function reportOf(evidence: SkewEvidence, options?: DiagnoseOptions): SkewReport {
  const diagnosis = diagnose(evidence, options);
  if (!diagnosis.ok) throw new Error(`no report: ${diagnosis.error.message}`);
  return diagnosis.value;
}

export function statusOf(plan: Plan, options?: DiagnoseOptions): Status {
  const { status } = reportOf(buildEvidence(plan), options);
  if (plan.truth !== undefined) judge(status, truthOfThisTest(plan.truth));
  return status;
}

/**
 * In a group of tests that is named by a cause, a twin or a trap is a world in which that cause does not hold: then it is
 * wrong to name it, whatever the plan says that the twin was made from.
 */
function truthOfThisTest(truth: Truth): Truth {
  const test = TestRunner.getCurrentTest();
  if (test === undefined || !/^(twin|trap)\b/.test(test.name)) return truth;
  return { ...truth, causes: truth.causes.filter((id) => id !== test.suite?.name) };
}

/** The causes of a report: `{ 'few-connections': 'certain' }`. */
export function causesOf(status: Status): Partial<Record<CauseId, Confidence>> {
  return Object.fromEntries(status.causes.map((cause) => [cause.id, cause.confidence]));
}

export function reading(status: Status, basis: 'bytes' | 'cpu' | 'connections'): string | undefined {
  return status.distributions.find((entry) => entry.basis === basis)?.reading;
}

/** Near, with the tolerance that the test states. */
export function expectNear(value: number | null | undefined, wanted: number, tolerance: number): void {
  expect(value).toBeGreaterThanOrEqual(wanted - tolerance);
  expect(value).toBeLessThanOrEqual(wanted + tolerance);
}

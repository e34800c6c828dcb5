import { compareRuns, mismatch } from '../baseline/compare.ts';
import { type ComparedReport, readBaseline } from '../baseline/read.ts';
import { type DiagnoseOptions, diagnosePorts } from '../diagnose.ts';
import { inputs, readInput, reasonOf } from '../files/read.ts';
import type { SkewReport } from '../report/schema.ts';
import { compute } from './compute.ts';
import type { Host } from './host.ts';

/** The run that --baseline names, ready to compare another one with. */
export interface Baseline {
  /** The problem of a Service that is about to be looked at and is another one; null: it is the same. */
  other(subject: { readonly name: string; readonly namespace: string }): BaselineProblem | null;
  /** The reports with their comparisons, each with its own port; a problem when one is of another Service or port, or older. */
  compareAll(
    reports: readonly SkewReport[],
  ): { readonly ok: true; readonly reports: readonly SkewReport[] } | BaselineProblem;
}

/** Why there is nothing to compare with. */
export interface BaselineProblem {
  readonly ok: false;
  readonly kind: 'usage' | 'failed';
  readonly message: string;
  readonly hint: string;
}

/** Opens the file of --baseline: evidence is diagnosed anew, by the rules of today; a report stands as it is. */
export async function openBaseline(
  path: string,
  options: DiagnoseOptions,
  host: Host,
): Promise<{ readonly ok: true; readonly baseline: Baseline } | BaselineProblem> {
  const text = await readInput(path, inputs.record, host.interrupted);
  if (typeof text !== 'string') {
    return failed(`--baseline ${path}: ${reasonOf(text)}`, 'name a file that --record or -o json wrote');
  }
  const read = await compute(host, text, () => readBaseline(text, path));
  if (read === null) return interrupted;
  if (!read.ok) return { ...read, kind: 'failed' };
  if (read.kind === 'reports') return { ok: true, baseline: baselineOf(read.reports, path) };
  const { evidence } = read;
  const diagnosis = await compute(host, evidence, () => diagnosePorts(evidence, options));
  if (diagnosis === null) return interrupted;
  if (!diagnosis.ok) {
    const hint = 'a baseline must be of a run that gave a verdict: record it again';
    return failed(`the baseline ${path} gives no verdict: ${diagnosis.message}`, hint);
  }
  return { ok: true, baseline: baselineOf(diagnosis.reports, path) };
}

const failed = (message: string, hint: string): BaselineProblem => ({ ok: false, kind: 'failed', message, hint });

/** Nobody reads it: who interrupted knows. */
const interrupted = failed('interrupted', 'run it again');

/** `before`: of each port that the baseline has a verdict for. */
function baselineOf(before: readonly ComparedReport[], path: string): Baseline {
  const usage = (message: string): BaselineProblem => ({
    ok: false,
    kind: 'usage',
    message,
    hint: 'compare a run with an earlier one of the same Service and port',
  });
  return {
    other(subject) {
      const metadata = before[0]?.metadata ?? subject;
      return subject.name === metadata.name && subject.namespace === metadata.namespace
        ? null
        : usage(
            `the baseline ${path} is of service ${metadata.name} in ${metadata.namespace}, not of ${subject.name} in ${subject.namespace}`,
          );
    },
    compareAll(reports) {
      const compared: SkewReport[] = [];
      for (const report of reports) {
        const earlier = before.find(({ spec }) => spec.port?.port === report.spec.port?.port) ?? before[0];
        if (earlier === undefined) return usage(`the baseline ${path} has no verdict`);
        const different = mismatch(earlier, report, path);
        if (different !== null) return usage(different);
        compared.push({ ...report, status: { ...report.status, comparison: compareRuns(earlier, report) } });
      }
      return { ok: true, reports: compared };
    },
  };
}

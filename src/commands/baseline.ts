import { compareRuns, mismatch } from '../baseline/compare.ts';
import { type ComparedReport, readBaseline } from '../baseline/read.ts';
import { type DiagnoseOptions, diagnosePorts } from '../diagnose.ts';
import { inputs, readInput, reasonOf } from '../files/read.ts';
import type { SkewReport } from '../report/schema.ts';
import { err, ok, type Problem, type Result, wrongUsage } from '../result/result.ts';
import { compute } from './compute.ts';
import type { Host } from './host.ts';

/** The run that --baseline names, ready to compare another one with. */
export interface OpenBaseline {
  /** The problem of a Service that is about to be looked at and is another one; null: it is the same. */
  other(subject: { readonly name: string; readonly namespace: string }): Problem | null;
  /** The reports with their comparisons, each with its own port; a problem when one is of another Service or port, or older. */
  compareAll(reports: readonly SkewReport[]): Result<readonly SkewReport[]>;
}

/** Opens the file of --baseline: evidence is diagnosed anew, by the rules of today; a report stands as it is. */
export async function openBaseline(path: string, options: DiagnoseOptions, host: Host): Promise<Result<OpenBaseline>> {
  const text = await readInput(path, inputs.record, host.interrupted);
  if (typeof text !== 'string') {
    return failed(`--baseline ${path}: ${reasonOf(text)}`, 'name a file that --record or -o json wrote');
  }
  const read = await compute(host, text, () => readBaseline(text, path));
  if (read === null) return interrupted;
  if (!read.ok) return read;
  if (read.value.kind === 'reports') return ok(baselineOf(read.value.reports, path));
  const { evidence } = read.value;
  const diagnosis = await compute(host, evidence, () => diagnosePorts(evidence, options));
  if (diagnosis === null) return interrupted;
  if (!diagnosis.ok) {
    const hint = 'a baseline must be of a run that gave a verdict: record it again';
    return failed(`the baseline ${path} gives no verdict: ${diagnosis.error.message}`, hint);
  }
  return ok(baselineOf(diagnosis.value, path));
}

const failed = (message: string, hint: string) => err<Problem>({ kind: 'failed', message, hint });

/** Nobody reads it: who interrupted knows. */
const interrupted = failed('interrupted', 'run it again');

/** `before`: of each port that the baseline has a verdict for. */
function baselineOf(before: readonly ComparedReport[], path: string): OpenBaseline {
  const usage = (message: string) =>
    wrongUsage(message, 'compare a run with an earlier one of the same Service and port');
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
        if (earlier === undefined) return err(usage(`the baseline ${path} has no verdict`));
        const different = mismatch(earlier, report, path);
        if (different !== null) return err(usage(different));
        compared.push({ ...report, status: { ...report.status, comparison: compareRuns(earlier, report) } });
      }
      return ok(compared);
    },
  };
}

import { readFile } from 'node:fs/promises';
import { compareRuns, mismatch } from './baseline/compare.ts';
import { type ComparedReport, readBaseline } from './baseline/read.ts';
import { type DiagnoseOptions, diagnose } from './diagnose.ts';
import type { SkewReport } from './report/schema.ts';

/** The run that --baseline names, ready to compare another one with. */
export interface Baseline {
  /** The problem of a Service that is about to be looked at and is another one; null: it is the same. */
  other(subject: { readonly name: string; readonly namespace: string }): BaselineProblem | null;
  /** The report with the comparison in it; a problem when it is of another Service or port, or older than the baseline. */
  compare(report: SkewReport): { readonly ok: true; readonly report: SkewReport } | BaselineProblem;
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
): Promise<{ readonly ok: true; readonly baseline: Baseline } | BaselineProblem> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string') {
    const why = text.code === 'ENOENT' ? 'no such file' : `it cannot be read: ${text.code ?? text.message}`;
    return failed(`--baseline ${path}: ${why}`, 'name a file that --record or -o json wrote');
  }
  const read = readBaseline(text, path);
  if (!read.ok) return { ...read, kind: 'failed' };
  if (read.kind === 'report') return { ok: true, baseline: baselineOf(read.report, path) };
  const diagnosis = diagnose(read.evidence, options);
  if (!diagnosis.ok) {
    const hint = 'a baseline must be of a run that gave a verdict: record it again';
    return failed(`the baseline ${path} gives no verdict: ${diagnosis.message}`, hint);
  }
  return { ok: true, baseline: baselineOf(diagnosis.report, path) };
}

const failed = (message: string, hint: string): BaselineProblem => ({ ok: false, kind: 'failed', message, hint });

function baselineOf(before: ComparedReport, path: string): Baseline {
  const { name: service, namespace } = before.metadata;
  const usage = (message: string): BaselineProblem => ({
    ok: false,
    kind: 'usage',
    message,
    hint: 'compare a run with an earlier one of the same Service and port',
  });
  return {
    other: (subject) =>
      subject.name === service && subject.namespace === namespace
        ? null
        : usage(
            `the baseline ${path} is of service ${service} in ${namespace}, not of ${subject.name} in ${subject.namespace}`,
          ),
    compare(report) {
      const different = mismatch(before, report, path);
      if (different !== null) return usage(different);
      return { ok: true, report: { ...report, status: { ...report.status, comparison: compareRuns(before, report) } } };
    },
  };
}

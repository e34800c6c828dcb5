import type { ComparisonResult, State, VerdictKind } from '../report/ids.ts';

/** The published exit codes. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  stateMet: 3,
  cannotTell: 4,
  tooLate: 5,
  interrupted: 130,
} as const;

/** What flags may name of a verdict. */
export interface Judged {
  readonly state: State;
  readonly kind?: VerdictKind | null | undefined;
}

/** A report, as far as the exit code asks. */
export interface JudgedReport {
  readonly status: {
    readonly verdict: Judged;
    readonly comparison?: { readonly result: ComparisonResult } | null | undefined;
  };
}

/** Whether one of the words is the state, the kind or what the comparison came to. */
export function isNamed(
  { state, kind = null }: Judged,
  words: readonly string[],
  comparison: ComparisonResult | null = null,
): boolean {
  return [state, kind, comparison].some((word) => word !== null && words.includes(word));
}

/**
 * The exit code of a diagnosis that was made, and compared where there was a baseline. `failOn` null: --fail-on was not
 * given. What --fail-on names outweighs what could not be told.
 */
export function exitCodeFor(
  judged: Judged,
  failOn: readonly string[] | null,
  comparison: ComparisonResult | null = null,
): number {
  if (failOn === null) return exitCodes.done;
  if (isNamed(judged, failOn, comparison)) return exitCodes.stateMet;
  return judged.state === 'unknown' || comparison === 'cannot-tell' ? exitCodes.cannotTell : exitCodes.done;
}

/** The same for several: what --fail-on names outweighs one that could not be told. */
export function exitCodeForAll(found: readonly Judged[], failOn: readonly string[] | null): number {
  return worst(found.map((judged) => exitCodeFor(judged, failOn)));
}

/** Of the reports of one run: one for each port. */
export function exitCodeForReports(reports: readonly JudgedReport[], failOn: readonly string[] | null): number {
  return worst(reports.map(({ status }) => exitCodeFor(status.verdict, failOn, status.comparison?.result)));
}

function worst(codes: readonly number[]): number {
  return [exitCodes.stateMet, exitCodes.cannotTell].find((code) => codes.includes(code)) ?? exitCodes.done;
}

import type { ComparisonResult, State } from '../report/ids.ts';

/** The published exit codes. */
export const exitCodes = { done: 0, failed: 1, usage: 2, stateMet: 3, cannotTell: 4, interrupted: 130 } as const;

/**
 * The exit code of a diagnosis that was made, and compared where there was a baseline. `failOn` null: --fail-on was not
 * given. A state of --fail-on outweighs what could not be told.
 */
export function exitCodeFor(
  state: State,
  failOn: readonly string[] | null,
  comparison: ComparisonResult | null = null,
): number {
  if (failOn === null) return exitCodes.done;
  if (failOn.includes(state) || (comparison !== null && failOn.includes(comparison))) return exitCodes.stateMet;
  return state === 'unknown' || comparison === 'cannot-tell' ? exitCodes.cannotTell : exitCodes.done;
}

/** The same for several: a state of --fail-on outweighs one that could not be told. */
export function exitCodeForAll(found: readonly State[], failOn: readonly string[] | null): number {
  return worst(found.map((state) => exitCodeFor(state, failOn)));
}

/** Of the reports of one run: one for each port. */
export function exitCodeForReports(
  reports: readonly {
    readonly status: {
      readonly verdict: { readonly state: State };
      readonly comparison?: { readonly result: ComparisonResult } | null | undefined;
    };
  }[],
  failOn: readonly string[] | null,
): number {
  return worst(reports.map(({ status }) => exitCodeFor(status.verdict.state, failOn, status.comparison?.result)));
}

function worst(codes: readonly number[]): number {
  return [exitCodes.stateMet, exitCodes.cannotTell].find((code) => codes.includes(code)) ?? exitCodes.done;
}

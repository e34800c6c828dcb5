import { exitCodeForReports, exitCodes, isNamed } from '../cli/exit-codes.ts';
import { livePace } from '../collect/live.ts';
import { renderAgain } from '../render/report.ts';
import type { SkewReport } from '../report/schema.ts';
import { duration } from '../report/words.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';
import { type EachLook, pause, type RunOptions } from './request.ts';

/** Seconds from the start of a look to that of the next, where none runs a command in a pod. */
const listsApart = 10;

/**
 * `--watch`: one look after the other, each whole and printed, until `--until` is met, `--fail-on` is, `--for` has passed
 * or somebody interrupts. Answers the exit code. A look that fails ends it only where there was none before: an API server
 * that is away for a minute is no answer to what is waited for.
 */
export async function lookAgain(
  look: (each: EachLook, host: Host) => Promise<number>,
  options: RunOptions,
  host: Host,
): Promise<number> {
  const { forSeconds = null, until = null } = options.watch ?? {};
  const { failOn, exec } = options;
  const over = new AbortController();
  const timer = forSeconds === null ? undefined : setTimeout(() => over.abort(), forSeconds * 1000);
  const interrupted = AbortSignal.any([host.interrupted, over.signal]);
  let last: readonly SkewReport[] | null = null;
  try {
    while (!interrupted.aborted) {
      const startedAt = host.now();
      let seen: readonly SkewReport[] | null = null;
      const isFirst: boolean = last === null;
      const render = (reports: readonly SkewReport[]) => {
        seen = reports;
        return renderAgain(reports, { output: options.output ?? 'table', color: options.color, isFirst }, host);
      };
      const code = await look({ isFirst, render }, { ...host, interrupted });
      if (interrupted.aborted) break;
      // What can be asked better, and a record that cannot be written, stay so.
      if (code === exitCodes.usage || (code === exitCodes.failed && (isFirst || seen !== null))) return code;
      last = seen ?? last;
      if (code === exitCodes.stateMet) return code;
      if (until !== null && seen !== null && areNamed(seen, until)) return exitCodes.done;
      const apart = exec ? livePace.sockets : listsApart;
      await pause(Math.max(0, apart - (host.now() - startedAt) / 1000), interrupted);
    }
  } finally {
    clearTimeout(timer);
  }
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (until === null && last !== null) return exitCodeForReports(last, failOn);
  return tooLate(until, last, forSeconds ?? 0, host);
}

function areNamed(reports: readonly SkewReport[], words: readonly string[]): boolean {
  return reports.every(({ status }) => isNamed(status.verdict, words, status.comparison?.result));
}

function tooLate(
  until: readonly string[] | null,
  last: readonly SkewReport[] | null,
  forSeconds: number,
  host: Host,
): number {
  const time = duration(forSeconds);
  const states = last?.map(({ status: { verdict } }) => verdict.kind ?? verdict.state).join(', ');
  const message =
    states === undefined
      ? `no look was whole within ${time}`
      : `not ${until?.join(' or ')} within ${time}: the last look says ${states}`;
  fail(host, { kind: 'failed', message, hint: 'wait longer with --for, or see why with -o wide' });
  return until === null ? exitCodes.failed : exitCodes.tooLate;
}

import type { Arguments } from '../cli/arguments.ts';
import { completionScript, type Shell, shells } from '../cli/completion-scripts.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wrongUsage } from '../result/result.ts';
import { didYouMean } from '../spelling/nearest.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

/** `grpc-skew completion SHELL`: prints a script, changes nothing. */
export function printCompletionScript(given: Arguments, host: Host): number {
  const [shell, ...rest] = given.positionals;
  const hint = `choose one of ${shells.join(', ')}`;
  if (shell === undefined) return fail(host, wrongUsage('no shell is named', hint));
  if (rest.length > 0) return fail(host, wrongUsage('one shell at a time', hint));
  if (!shells.includes(shell as Shell)) {
    const meant = didYouMean(shell, shells);
    return fail(host, wrongUsage(`completion does not know ${shell}`, meant === null ? hint : `${meant} ${hint}`));
  }
  host.stdout(completionScript(shell as Shell));
  return exitCodes.done;
}

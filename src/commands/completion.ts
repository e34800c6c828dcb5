import type { Arguments } from '../cli/arguments.ts';
import { completionScript, type Shell, shells } from '../cli/completion-scripts.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { didYouMean } from '../spelling/nearest.ts';
import type { Host } from './host.ts';
import { usage } from './run.ts';

/** `grpc-skew completion SHELL`: prints a script, changes nothing. */
export function runCompletion(given: Arguments, host: Host): number {
  const [shell, ...rest] = given.positionals;
  const hint = `choose one of ${shells.join(', ')}`;
  if (shell === undefined) return usage(host, { message: 'no shell is named', hint });
  if (rest.length > 0) return usage(host, { message: 'one shell at a time', hint });
  if (!shells.includes(shell as Shell)) {
    const meant = didYouMean(shell, shells);
    return usage(host, {
      message: `completion does not know ${shell}`,
      hint: meant === null ? hint : `${meant} ${hint}`,
    });
  }
  host.stdout(completionScript(shell as Shell));
  return exitCodes.done;
}

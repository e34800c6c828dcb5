import { exitCodes } from '../cli/exit-codes.ts';
import { renderError } from '../render/error.ts';
import type { Problem } from '../result/result.ts';
import type { Host } from './host.ts';

/** Says in one line why a command ends, and answers its exit code. */
export function fail(host: Pick<Host, 'stderr'>, problem: Problem): number {
  host.stderr(renderError(problem));
  return problem.kind === 'usage' ? exitCodes.usage : exitCodes.failed;
}

import { exitCodes } from '../cli/exit-codes.ts';
import { nextStep } from '../kube/errors/next-step.ts';
import type { KubeError } from '../kube/types.ts';
import { renderError } from '../render/error.ts';
import type { Problem } from '../result/result.ts';
import type { Host } from './host.ts';

/** Says in one line why a command ends, and answers its exit code. */
export function fail(host: Pick<Host, 'stderr'>, problem: Problem): number {
  host.stderr(renderError(problem));
  return problem.kind === 'usage' ? exitCodes.usage : exitCodes.failed;
}

/** What kept the cluster from being opened, in its own words. */
export function notOpened(error: KubeError): Problem {
  return { kind: 'failed', message: error.message, hint: nextStep(error) };
}

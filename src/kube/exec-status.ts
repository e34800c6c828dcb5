import type { ExecOutput } from './types.ts';
import { asArray, asObject, asText, parseJson } from './unknown-json.ts';

/** The words of runc and crun for a program that the image lacks; containerd passes them on. */
const noProgram = /executable file not found|no such file or directory/i;
/** v5 says it twice. */
const repeatedPrefix = /^(Internal error occurred: )+/;

/** How a command ended, from the status frame (client-go tools/remotecommand/v4.go). */
export function execEnd(frame: string): ExecOutput['end'] {
  const status = asObject(parseJson(frame));
  if (status === undefined) return { kind: 'failed', message: frame };
  if (status['status'] === 'Success') return { kind: 'exit', code: 0 };
  const message = (asText(status['message']) ?? asText(status['reason']) ?? 'no reason given').replace(
    repeatedPrefix,
    'Internal error occurred: ',
  );
  if (status['reason'] === 'NonZeroExitCode') {
    const causes = asArray(asObject(status['details'])?.['causes']).map(asObject);
    const code = Number(asText(causes.find((cause) => cause?.['reason'] === 'ExitCode')?.['message']));
    return Number.isInteger(code) ? { kind: 'exit', code } : { kind: 'failed', message };
  }
  return noProgram.test(message) ? { kind: 'no-such-program', message } : { kind: 'failed', message };
}

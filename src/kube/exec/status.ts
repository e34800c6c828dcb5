import { asArray, asObject, asText, parseJson } from '../errors/unknown-json.ts';
import type { ExecOutput } from '../types.ts';

/** The words of runc and crun for a program that the image lacks; containerd passes them on. */
const noProgram = /executable file not found|no such file or directory/i;

/** How a command ended, from the status frame (client-go tools/remotecommand/v4.go). */
export function execEnd(frame: string): ExecOutput['end'] {
  const status = asObject(parseJson(frame));
  if (status === undefined) return failedIn(frame.length);
  if (status['status'] === 'Success') return { kind: 'exit', code: 0 };
  const message = asText(status['message']) ?? '';
  if (status['reason'] === 'NonZeroExitCode') {
    const causes = asArray(asObject(status['details'])?.['causes']).map(asObject);
    const code = Number(asText(causes.find((cause) => cause?.['reason'] === 'ExitCode')?.['message']));
    return Number.isInteger(code) ? { kind: 'exit', code } : failedIn(message.length);
  }
  return noProgram.test(message)
    ? { kind: 'no-such-program', message: 'the image has no such program' }
    : failedIn(message.length);
}

/** Runtimes quote the program and its output, so that nothing of it is kept but how long it was. */
function failedIn(length: number): ExecOutput['end'] {
  const said = length === 0 ? 'said nothing' : `said why in ${length} characters, which are not kept`;
  return { kind: 'failed', message: `the command did not run: the container runtime ${said}` };
}

import { err, ok } from '../../result/result.ts';
import type { Credential } from '../credentials/credential.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import { transportError } from '../errors/transport-error.ts';
import type { Deadline } from '../requests/deadline.ts';
import { answerLimits, sizeOf } from '../requests/limits.ts';
import { retrying } from '../requests/retry.ts';
import { isoDate } from '../requests/send.ts';
import type { Session } from '../requests/session.ts';
import { ownTurn } from '../requests/turn.ts';
import type { ExecOptions, ExecOutput, ExecTarget, KubeError, KubeResult } from '../types.ts';
import { collectOutput, type OutputCollector } from './output.ts';
import { execPath } from './path.ts';
import { refusalError } from './refused.ts';
import { openExecSocket, type SocketEnd } from './socket.ts';
import { execEnd } from './status.ts';

/**
 * After the status frame the server closes the connection. Until then stdout may still be on its way: API servers copy
 * the streams side by side. No longer than this, though.
 */
const closeGraceMs = 1000;
const switchingProtocols = 101;
const longFrame = `a frame of the output is longer than ${sizeOf(answerLimits.stdoutBytes)}`;

/**
 * Runs a command in a container over a WebSocket. An exit code other than 0 is a result, not an error. Ending the
 * connection does not end the command: only commands that end by themselves may be run (kubernetes-client #2532).
 */
export async function exec(
  session: Session,
  target: ExecTarget,
  options: ExecOptions,
): Promise<KubeResult<ExecOutput>> {
  const request = `exec ${target.command[0] ?? ''} in pod ${target.namespace}/${target.pod}, container ${target.container}`;
  const path = execPath(target);
  if (path === null)
    return failure('config', request, 'no namespace, pod, container or command is given, or the name is none');
  const limits = { request, ...options };
  const result = await retrying(session, limits, async (credential, deadline) => {
    const output = collectOutput(options.maxBytes ?? answerLimits.stdoutBytes, session.held);
    const end = await runOnce(session, path, credential, output, deadline);
    const refused = end.kind === 'refused' ? end : undefined;
    const came = outcome(session, request, target, end, output, deadline);
    if (came.ok) await ownTurn(came.value.value.stdout);
    output.release();
    const { server } = session.connection;
    return {
      outcome: came.ok && deadline.aborted() ? err(transportError(request, undefined, server, deadline)) : came,
      status: end.kind === 'closed' ? switchingProtocols : (refused?.status ?? null),
      // A refused exec has not run: asking again is safe.
      retryAfter: refused?.retryAfter,
    };
  });
  return result.ok ? { ok: true, ...result.value } : result;
}

async function runOnce(
  session: Session,
  path: string,
  credential: Credential,
  output: OutputCollector,
  deadline: Deadline,
): Promise<SocketEnd> {
  const startedAt = performance.now();
  session.counts.execs += 1;
  const socket = openExecSocket(session, path, credential, (channel, payload) => {
    const state = output.take(channel, payload);
    if (state === 'too-long') socket.abandon();
    if (state === 'status') socket.abandonAfter(closeGraceMs);
  });
  const abandon = (): void => socket.abandon();
  if (deadline.signal.aborted) abandon();
  deadline.signal.addEventListener('abort', abandon, { once: true });
  const end = await socket.ended;
  deadline.signal.removeEventListener('abort', abandon);
  const status = end.kind === 'refused' ? end.status : end.kind === 'closed' ? switchingProtocols : 'no answer';
  const tookMs = Math.round(performance.now() - startedAt);
  session.host.log(6, `GET ${path.replace(/\?.*/, '')} ${status} in ${tookMs} ms`);
  return end;
}

function outcome(
  session: Session,
  request: string,
  target: ExecTarget,
  end: SocketEnd,
  output: OutputCollector,
  deadline: Deadline,
): KubeOutcome<{ readonly value: ExecOutput; readonly serverDate: string | null }> {
  const { server } = session.connection;
  const tooLong = output.tooLong() ?? (end.kind === 'closed' && end.frameTooLong ? longFrame : null);
  if (tooLong !== null) return failure('bad-answer', request, tooLong);
  if (end.kind === 'refused') return { ok: false, error: refusalError(request, end, target, server) };
  if (end.kind === 'not-connected') return { ok: false, error: notConnected(request, end.cause, server, deadline) };
  const status = output.status();
  if (status === undefined && deadline.signal.aborted) {
    const late = `the command did not end within ${deadline.limitMs / 1000} s`;
    if (deadline.expired()) return failure('timeout', request, late);
    return { ok: false, error: transportError(request, undefined, server, deadline) };
  }
  const value: ExecOutput = {
    stdout: output.stdout(),
    stderr: output.stderr(),
    end: status === undefined ? { kind: 'lost' } : execEnd(status),
    startedAt: session.clock.atServer(output.firstByteAt() ?? end.openedAt).toISOString(),
    endedAt: session.clock.atServer(output.statusAt() ?? end.closedAt).toISOString(),
  };
  return ok({ value, serverDate: isoDate(end.date) });
}

/** ws refuses a 101 that is no proper WebSocket answer with an error of its own. */
function notConnected(request: string, cause: unknown, server: string, deadline: Deadline): KubeError {
  const message = cause instanceof Error ? cause.message : '';
  if (/subprotocol|Sec-WebSocket|Invalid Upgrade/i.test(message) && !deadline.signal.aborted) {
    return failure('upgrade', request, `the WebSocket upgrade failed: ${message}`).error;
  }
  return transportError(request, cause, server, deadline);
}

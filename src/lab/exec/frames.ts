import type { WebSocket } from 'ws';

/** How a command in a container ended. */
export type CommandResult =
  | { readonly kind: 'exit'; readonly code: number; readonly stdout: readonly Buffer[]; readonly stderr: Buffer }
  /** The runtime could not start it; the text is the runtime's. */
  | { readonly kind: 'not-started'; readonly message: string };

/** The subprotocols of `remotecommand` that an API server speaks over WebSocket, the preferred ones first. */
export const subprotocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
] as const;
export type Subprotocol = (typeof subprotocols)[number] | '';

const stdoutChannel = 1;
const stderrChannel = 2;
const errorChannel = 3;

/** Sends a command's result as frames and closes. An empty frame on channel 1 comes first, as from a real server. */
export function sendResult(socket: WebSocket, subprotocol: Subprotocol, result: CommandResult): void {
  const send = (channel: number, content: Buffer | string) =>
    subprotocol.includes('base64')
      ? socket.send(`${channel}${Buffer.from(content).toString('base64')}`, { binary: false })
      : socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(content)]));
  send(stdoutChannel, '');
  if (result.kind === 'exit') {
    for (const chunk of result.stdout) if (chunk.length > 0) send(stdoutChannel, chunk);
    if (result.stderr.length > 0) send(stderrChannel, result.stderr);
  }
  const status = statusText(subprotocol, result);
  if (status !== null) send(errorChannel, status);
  socket.close(1000);
}

/** What goes over the error channel: a Status since v4, plain text (and nothing on success) before. */
function statusText(subprotocol: Subprotocol, result: CommandResult): string | null {
  const hasStatus = subprotocol.startsWith('v');
  if (result.kind === 'exit') {
    if (result.code === 0) return hasStatus ? JSON.stringify({ metadata: {}, status: 'Success' }) : null;
    const exited = `command terminated with exit code ${result.code}`;
    const message = `command terminated with non-zero exit code: ${exited}`;
    if (!hasStatus) return message;
    const causes = [{ reason: 'ExitCode', message: String(result.code) }];
    return JSON.stringify({
      metadata: {},
      status: 'Failure',
      message,
      reason: 'NonZeroExitCode',
      details: { causes },
    });
  }
  const wrapped = `Internal error occurred: ${result.message}`;
  if (!hasStatus) return wrapped;
  // Through v5 the error passes kubelet and the API server, and each of them says it in its own words.
  const [message, cause] = subprotocol.startsWith('v5')
    ? [`Internal error occurred: ${wrapped}`, wrapped]
    : [wrapped, result.message];
  return JSON.stringify({
    metadata: {},
    status: 'Failure',
    message,
    reason: 'InternalError',
    details: { causes: [{ message: cause }] },
    code: 500,
  });
}

import type { Agent } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { WebSocketHandler } from '@kubernetes/client-node/dist/web-socket-handler.js';
import WebSocket from 'ws';
import { isTls } from '../config/types.ts';
import type { Credential } from '../credentials/credential.ts';
import { defined } from '../errors/unknown-json.ts';
import { answerLimits } from '../requests/limits.ts';
import { commonHeaders, type Session } from '../requests/session.ts';
import { openTunnel } from '../requests/tunnel.ts';

/** How a socket ended. */
export type SocketEnd =
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly contentType: string;
      readonly text: string;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'not-connected'; readonly cause: unknown }
  | {
      readonly kind: 'closed';
      readonly openedAt: Date;
      readonly closedAt: Date;
      readonly date: string | undefined;
      /** It was ended because a frame was announced that is longer than may be. */
      readonly frameTooLong: boolean;
    };

export interface ExecSocket {
  /** Never rejects. */
  readonly ended: Promise<SocketEnd>;
  /** Ends the connection now. */
  abandon(): void;
  /** Ends the connection after so many milliseconds, unless the server does. */
  abandonAfter(ms: number): void;
}

/** v5 first: some servers answer 400 to clients that offer only v4 (kubernetes-client/python #2355). */
const subprotocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/**
 * Opens the WebSocket of an exec through client-node, with a socket of our own: its own loses the body of a refused
 * upgrade, and offers subprotocols that have no status frame.
 */
export function openExecSocket(
  session: Session,
  path: string,
  credential: Credential,
  onFrame: (channel: number, payload: Buffer) => void,
): ExecSocket {
  let socket: WebSocket | undefined;
  let abandoned = false;
  let timer: NodeJS.Timeout | undefined;
  const connecting = new AbortController();
  const abandon = (): void => {
    abandoned = true;
    connecting.abort();
    socket?.terminate();
  };
  const ended = new Promise<SocketEnd>((resolve) => {
    const fail = (cause: unknown): void => resolve({ kind: 'not-connected', cause });
    const open = (url: string, _protocols: string[], options: WebSocket.ClientOptions): WebSocket => {
      if (session.proxy !== null) leadThrough(session, session.proxy, options.agent as Agent, connecting.signal);
      socket = new WebSocket(url, subprotocols, {
        ...options,
        // ws writes a list as separate header lines; its types know only single ones.
        headers: { ...options.headers, ...commonHeaders(session, credential) } as Record<string, string>,
        perMessageDeflate: false,
        // With the byte of the channel.
        maxPayload: answerLimits.stdoutBytes + 1,
      });
      watch(socket, resolve);
      guardMessages(socket);
      if (abandoned) socket.terminate();
      return socket;
    };
    const handler = new WebSocketHandler(clientNodeConfig(session, credential), open, unusedStreams());
    handler
      .connect(path, null, (channel, payload) => {
        onFrame(channel, payload);
        return true;
      })
      .catch((event: unknown) =>
        fail(event instanceof Error ? event : ((event as WebSocket.ErrorEvent).error ?? event)),
      );
  }).finally(() => clearTimeout(timer));
  return {
    ended,
    abandon,
    abandonAfter(ms) {
      timer ??= setTimeout(abandon, ms);
    },
  };
}

function watch(socket: WebSocket, resolve: (end: SocketEnd) => void): void {
  let date: string | undefined;
  let openedAt: Date | undefined;
  let frameTooLong = false;
  socket.on('upgrade', (response) => {
    date = response.headers.date;
  });
  socket.on('open', () => {
    openedAt = new Date();
  });
  socket.on('unexpected-response', (request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (): void => {
      resolve({
        kind: 'refused',
        status: response.statusCode ?? 0,
        contentType: response.headers['content-type'] ?? '',
        text: Buffer.concat(chunks).toString('utf8'),
        retryAfter: response.headers['retry-after'],
      });
      request.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > answerLimits.statusBytes) done();
    });
    response.on('end', done);
    response.on('error', done);
  });
  socket.on('error', (cause) => {
    frameTooLong ||= (cause as NodeJS.ErrnoException).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    // After the upgrade, `close` follows and says what there is to say.
    if (openedAt === undefined) resolve({ kind: 'not-connected', cause });
  });
  socket.on('close', () => {
    if (openedAt === undefined) resolve({ kind: 'not-connected', cause: new Error('the connection was closed') });
    else resolve({ kind: 'closed', openedAt, closedAt: new Date(), date, frameTooLong });
  });
}

/** Gives an agent connections that go through the proxy. */
function leadThrough(session: Session, proxy: string, agent: Agent, signal: AbortSignal): void {
  const { cluster, server } = session.connection;
  const tls = { rejectUnauthorized: !cluster.insecureSkipTlsVerify, ...defined({ ca: session.authority }) };
  const to = new URL(server);
  const endpoint = { host: to.hostname, port: Number(to.port) || (isTls(server) ? 443 : 80) };
  const own = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    openTunnel({ url: new URL(proxy), tls }, endpoint, signal).then(
      (socket) => callback?.(null, isTls(server) ? (own({ ...options, socket } as typeof options) as Duplex) : socket),
      (error: Error) => callback?.(error, new PassThrough()),
    );
    return undefined;
  };
}

/** client-node's handler throws on a frame without a channel byte; thrown in an event it would end the process. */
function guardMessages(socket: WebSocket): void {
  Object.defineProperty(socket, 'onmessage', {
    set(handler: (event: WebSocket.MessageEvent) => void) {
      socket.addEventListener('message', (event) => {
        if (event.data instanceof Buffer && event.data.length > 0) handler(event);
      });
    },
  });
}

/** client-node closes these when the server says that a stream has ended; we go by the end of the connection. */
function unusedStreams(): { stdin: PassThrough; stdout: PassThrough; stderr: PassThrough } {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
}

/** One cluster and one user, resolved by us: client-node makes an agent with TLS options of them. */
function clientNodeConfig(session: Session, credential: Credential): KubeConfig {
  const { cluster, server } = session.connection;
  const base64 = (pem: string): string => Buffer.from(pem, 'utf8').toString('base64');
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: 'cluster',
        server,
        // client-node refuses plain http unless this is set; over http there is nothing to verify.
        skipTLSVerify: cluster.insecureSkipTlsVerify || server.startsWith('http:'),
        ...(session.authority === undefined ? {} : { caData: base64(session.authority) }),
        ...(cluster.tlsServerName === undefined ? {} : { tlsServerName: cluster.tlsServerName }),
      },
    ],
    users: [
      {
        name: 'user',
        ...(credential.cert === undefined ? {} : { certData: base64(credential.cert) }),
        ...(credential.key === undefined ? {} : { keyData: base64(credential.key) }),
      },
    ],
    contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
    currentContext: 'context',
  });
  return config;
}

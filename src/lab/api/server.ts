import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from '../certificate.ts';
import { type Answer, failureStatus } from './answer.ts';
import { type Faults, playFault } from './fault.ts';
import type { ApiRequest } from './handle.ts';
import { anonymous, type User } from './rbac.ts';
import { writeAnswer, writeRawAnswer } from './write.ts';

/** A request as it was answered: tests look at what was asked of the cluster, and by whom. */
export interface LoggedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly user: string;
  readonly status: number;
  /** The subprotocol of an upgrade: the one chosen, or what was offered where it was refused. */
  readonly subprotocol?: string;
}

/** An upgrade behind authentication; answers with the status and the subprotocol, for the log. */
export type UpgradeHandler = (
  request: ApiRequest,
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<Pick<LoggedRequest, 'status' | 'subprotocol'>>;

export interface ApiServerOptions {
  readonly port: number;
  readonly certificate: Certificate;
  readonly users: readonly User[];
  readonly faults: Faults;
  onRequest(request: ApiRequest): Promise<Answer>;
  readonly onUpgrade: UpgradeHandler;
  log(request: LoggedRequest): void;
}

export interface ApiServer {
  readonly port: number;
  close(): Promise<void>;
}

const maxBodyBytes = 1024 * 1024;

/** Serves HTTPS on 127.0.0.1: authentication, faults and the log; what is answered is the handlers' business. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { certificate, users, faults } = options;
  const sockets = new Set<Duplex>();
  const server = createServer(
    { cert: certificate.certificatePem, key: certificate.keyPem, ALPNProtocols: ['http/1.1'] },
    async (message, response) => {
      const { method = 'GET', url = '/' } = message;
      const user = authenticate(users, message);
      const done = (status: number) => options.log({ method, path: url, user: user?.name ?? '', status });
      const fault = faults.take(method, url);
      if (fault && (await playFault(fault, response))) return done(fault.answer?.status ?? 0);
      const answer = user ? await answerTo(options, message, user) : unauthorized;
      writeAnswer(response, answer);
      done(answer.status);
    },
  );
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(options, message, socket, head).catch(() => socket.destroy());
  });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`The lab cannot listen on 127.0.0.1:${options.port}: ${error.code}.`, { cause: error })),
    );
    server.listen({ host: '127.0.0.1', port: options.port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function upgrade(options: ApiServerOptions, message: IncomingMessage, socket: Duplex, head: Buffer) {
  const { method = 'GET', url = '/' } = message;
  const user = authenticate(options.users, message);
  const done = (rest: Pick<LoggedRequest, 'status' | 'subprotocol'>) =>
    options.log({ method, path: url, user: user?.name ?? '', ...rest });
  const fault = options.faults.take(method, url);
  if (fault && (await playFault(fault, socket))) return done({ status: fault.answer?.status ?? 0 });
  if (user) return done(await options.onUpgrade(apiRequest(message, user, Buffer.alloc(0)), message, socket, head));
  writeRawAnswer(socket, unauthorized);
  done({ status: 401 });
}

const unauthorized = failureStatus(401, 'Unauthorized', 'Unauthorized');

/** The user of a bearer token; anonymous without one; null for a wrong one. */
function authenticate(users: readonly User[], message: IncomingMessage): User | null {
  const { authorization } = message.headers;
  if (authorization === undefined) return anonymous;
  return users.find((user) => authorization === `Bearer ${user.token}`) ?? null;
}

async function answerTo(options: ApiServerOptions, message: IncomingMessage, user: User): Promise<Answer> {
  try {
    return await options.onRequest(apiRequest(message, user, await readBody(message)));
  } catch (error) {
    return failureStatus(500, 'InternalError', `Internal error occurred: ${(error as Error).message}`);
  }
}

function apiRequest(message: IncomingMessage, user: User, body: Buffer): ApiRequest {
  const { pathname, searchParams } = new URL(message.url ?? '/', 'https://lab');
  const { accept = '' } = message.headers;
  return { method: message.method ?? 'GET', path: pathname, query: searchParams, accept, body, user };
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += (chunk as Buffer).length;
    if (size > maxBodyBytes) throw new Error('the body is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Keys and certificates here are for tests alone: made by openssl, valid for a hundred years, trusted by nobody. */
export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ApiServer {
  readonly url: string;
  readonly port: number;
  /** Method and URL of each request, upgrades too. */
  readonly requests: string[];
  readonly rawHeaders: string[][];
  /** TCP connections so far. */
  connections(): number;
  answer: Answer;
  upgrade: Upgrade;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly http?: boolean;
  readonly certificate?: string;
  /** Asks for a client certificate of the test CA; the request then has it on its socket. */
  readonly clientCertificates?: boolean;
}

/** A real server on 127.0.0.1 whose answers the test sets. */
export async function startServer(answer: Answer, options: ServerOptions = {}): Promise<ApiServer> {
  const certificate = options.certificate ?? 'server';
  const tls = {
    cert: fixture(`${certificate}.pem`),
    key: fixture(`${certificate}.key`),
    ...(options.clientCertificates === true
      ? { requestCert: true, rejectUnauthorized: false, ca: fixture('ca.pem') }
      : {}),
  };
  const server = options.http === true ? createHttpServer() : createServer(tls);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const api: ApiServer = {
    url: '',
    port: 0,
    requests: [],
    rawHeaders: [],
    connections: () => connections,
    answer,
    upgrade: (_request, socket) => void socket.destroy(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  const note = (request: IncomingMessage): void => {
    api.requests.push(`${request.method} ${request.url}`);
    api.rawHeaders.push(request.rawHeaders);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    note(request);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => api.answer(request, response, body));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    socket.on('error', () => {});
    api.upgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(api, { port, url: `${options.http === true ? 'http' : 'https'}://127.0.0.1:${port}` });
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The values of each line of one header, in order. */
export function headerLines(raw: readonly string[], name: string): string[] {
  return raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name.toLowerCase());
}

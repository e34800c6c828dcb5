import { type ChildProcess, execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '../kube/api-server.ts';
import { base64 } from '../kube/open-client.ts';
import { startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram } from './program.ts';

/** What was asked of the proxies, and which connections they hold. */
const asked: string[] = [];
const sockets = new Set<Socket>();
const servers: Server[] = [];
const ports: Record<string, number> = {};

function pipe(socket: Socket, port: number, greeting: string | Buffer): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write(greeting);
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
  socket.on('close', () => onward.destroy());
}

function onConnect(request: IncomingMessage, socket: Socket): void {
  asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
  pipe(socket, Number(request.url?.split(':').at(-1)), 'HTTP/1.1 200 OK\r\n\r\n');
}

/** A plain request, sent on. */
function onRequest(request: IncomingMessage, response: ServerResponse): void {
  asked.push(`GET ${request.headers['proxy-authorization'] ?? ''}`.trim());
  const url = new URL(request.url ?? '');
  void fetch(url).then(async (answer) => {
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(await answer.text());
  });
}

/** Asks for a password, and takes names and addresses. */
function onSocks(socket: Socket): void {
  let step = 0;
  socket.on('error', () => {});
  socket.on('data', function read(data: Buffer) {
    step += 1;
    if (step === 1) return void socket.write(Buffer.from([5, data.includes(2) ? 2 : 0]));
    if (data[0] === 1) {
      asked.push(`password ${data.subarray(2).toString('latin1').replace(/[^ -~]/g, ':')}`);
      return void socket.write(Buffer.from([1, 0]));
    }
    socket.off('data', read);
    asked.push(`type ${data[3]}`);
    pipe(socket, data.readUInt16BE(data.length - 2), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  });
}

beforeAll(async () => {
  const tls = { cert: fixture('server.pem'), key: fixture('server.key') };
  const made = {
    http: createServer(onRequest).on('connect', onConnect),
    https: createTlsServer(tls, onRequest).on('connect', onConnect),
    socks5: createTcpServer(onSocks),
    // Takes connections, and never answers.
    silent: createTcpServer((socket) => void socket.on('error', () => {})),
  };
  for (const [name, server] of Object.entries(made)) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports[name] = (server.address() as AddressInfo).port;
    servers.push(server);
  }
});
afterAll(() => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
});

const proxyUrl = (scheme: string, host = '127.0.0.1', user = '') => `${scheme}://${user}${host}:${ports[scheme]}`;

describe.each([
  ['http', 'CONNECT'],
  ['https', 'CONNECT'],
  ['socks5', 'type'],
])('proxy-url %s://', (scheme, word) => {
  test.each(['127.0.0.1', 'localhost'])('at %s: a whole diagnosis with execs, nothing else on stderr, and the end', async (host) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one), { user: { token: 't' } });
    const before = asked.length;
    const run = await cluster.run(['echo', '--window', '0', '-o', 'json', '--proxy'].slice(0, -1), {
      env: { KUBECONFIG: cluster.withProxy(proxyUrl(scheme, host)) },
    });
    for (const one of clean) await one();
    expect([run.code, run.stderr.replace(/^.*execs? .*\n/gm, '')]).toEqual([0, '']);
    const { signals } = JSON.parse(run.stdout).status;
    expect(signals).toContainEqual(expect.objectContaining({ id: 'connections', state: 'ok' }));
    expect(asked.length - before).toBeGreaterThan(10);
    expect(asked.slice(before).every((line) => line.startsWith(word))).toBe(true);
  });
});

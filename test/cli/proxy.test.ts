import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '../kube/api-server.ts';
import { base64 } from '../kube/open-client.ts';
import { startCluster } from './cluster.ts';
import { expectError, expectNoTrace, type Run, type RunOptions } from './program.ts';

const caFile = fileURLToPath(new URL('../kube/fixtures/ca.pem', import.meta.url));

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
  const { subject } = (socket as TLSSocket).getPeerCertificate?.() ?? {};
  if (subject !== undefined) asked.push(`shown the certificate of ${subject.CN}`);
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
      asked.push(
        `password ${data
          .subarray(2)
          .toString('latin1')
          .replace(/[^ -~]/g, ':')}`,
      );
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
    https: createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, onRequest).on(
      'connect',
      onConnect,
    ),
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

const proxies = ['http', 'https', 'socks5'] as const;

const user = {
  'client-certificate-data': base64(fixture('client.pem')),
  'client-key-data': base64(fixture('client.key')),
};

/** A diagnosis of a cluster behind a proxy, which must not see the certificate that is for the cluster. */
async function through(proxy: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Run> {
  const clean: (() => void | Promise<void>)[] = [];
  try {
    const cluster = await startCluster((one) => clean.push(one), { user, clientCertificates: true });
    const config = JSON.parse(readFileSync(cluster.kubeconfigPath, 'utf8'));
    config.clusters[0].cluster['proxy-url'] = proxy;
    writeFileSync(cluster.kubeconfigPath, JSON.stringify(config));
    return await cluster.run(['echo', '--window', '0', '-o', 'json', ...args], options);
  } finally {
    for (const one of clean) await one();
  }
}

describe.each(proxies)('proxy-url %s://', (scheme) => {
  test.each(['127.0.0.1', 'localhost'])('at %s: a whole diagnosis, no word on stderr, and an end', async (host) => {
    asked.length = 0;
    const run = await through(`${scheme}://me:p%20w@${host}:${ports[scheme]}`);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const { signals } = JSON.parse(run.stdout).status;
    // By exec, and by requests.
    expect(signals).toContainEqual(expect.objectContaining({ id: 'connections', state: 'complete' }));
    expect(signals).toContainEqual(expect.objectContaining({ id: 'calls', state: 'complete' }));
    // IP addresses go to a SOCKS proxy as such: type 1.
    const words =
      scheme === 'socks5'
        ? ['password me:p w', 'type 1']
        : [expect.stringMatching(/^CONNECT 127\.0\.0\.1:\d+ Basic bWU6cCB3$/)];
    expect(asked.length).toBeGreaterThan(10);
    expect([...new Set(asked)].sort()).toEqual(words);
  });

  test('that nobody listens at: one line', async () => {
    const run = await through(`${scheme}://me:s3cret@127.0.0.1:1`);
    expectError(
      run,
      1,
      /the proxy does not connect to https:\S+: connect ECONNREFUSED 127\.0\.0\.1:1; check proxy-url/,
    );
    expect(run.stderr).not.toContain('s3cret');
  });

  test('that says nothing: Ctrl-C ends it', async () => {
    const silent = `${scheme}://127.0.0.1:${ports['silent']}`;
    const run = await through(silent, ['-v1'], { signalAfter: { text: /service: asking/, signal: 'SIGINT' } });
    expect([run.code, run.stdout]).toEqual([130, '']);
    expect(run.seconds).toBeLessThan(8);
    expectNoTrace(run);
  });
});

test.each(['http', 'https'] as const)(
  '%s_proxy sends a request without TLS on, and tunnels an exec',
  async (scheme) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    const config = JSON.parse(readFileSync(cluster.kubeconfigPath, 'utf8'));
    // The authority of an https proxy may be that of the cluster.
    Object.assign(config.clusters[0].cluster, {
      'proxy-url': `${scheme}://127.0.0.1:${ports[scheme]}`,
      'certificate-authority-data': base64(fixture('ca.pem')),
    });
    writeFileSync(cluster.kubeconfigPath, JSON.stringify(config));
    asked.length = 0;
    const run = await cluster.run(['echo', '--window', '0', '-o', 'json'], { env: { NODE_EXTRA_CA_CERTS: caFile } });
    for (const one of clean) await one();
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect([...new Set(asked.map((line) => line.split(' ')[0]))].sort()).toEqual(['CONNECT', 'GET']);
  },
);

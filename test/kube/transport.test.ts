import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { KubeClient } from '../../src/kube/types.ts';
import { type ApiServer, fixture, headerLines, json, type ServerOptions, startServer } from './api-server.ts';
import { execRecording, replay } from './exec-server.ts';
import { base64, errorOf, openClient, type Setup, testHost } from './open-client.ts';

const get = { request: 'get version' };
const target = { namespace: 'shop', pod: 'echo-1', container: 'server', command: ['ss'] };
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(options: ServerOptions = {}): Promise<ApiServer> {
  const server = await startServer((_request, response) => json(response, { fine: true }), options);
  server.upgrade = replay(execRecording('success-v5'));
  cleanups.push(() => server.close());
  return server;
}

async function open(url: string, setup: Setup = {}): Promise<KubeClient> {
  const client = await openClient(url, setup);
  cleanups.push(() => client.close());
  return client;
}

/** What a GET and an exec give: `ok`, or the kind of the failure and its hint. */
async function both(client: KubeClient): Promise<(string | undefined)[]> {
  const results = [await client.getJson('/version', get), await client.exec(target)];
  return results.flatMap((result) => (result.ok ? ['ok'] : [result.error.kind, result.error.hint]));
}

const noAuthority = { 'certificate-authority-data': '' };

describe('an answer that is none is not taken for a missing connection', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  test.each([
    ['gzip that is none', `${head}Content-Encoding: gzip\r\n\r\n{}`, 'the answer cannot be unpacked'],
    ['headers without an end', `${head}X: ${'x'.repeat(100_000)}\r\n\r\n{}`, 'the answer has more than 16384 bytes of'],
    ['a status that is none', 'HTTP/1.1 000 OK\r\n\r\n{}', 'the answer is no proper HTTP'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'the answer is no proper HTTP'],
    ['a length that is none', `${head}Content-Length: -5\r\n\r\n{}`, 'the answer is no proper HTTP'],
    ['chunks that are none', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`, 'the answer is no proper HTTP'],
  ])('%s', async (_what, answer, words) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    const client = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      cluster: { 'certificate-authority-data': undefined },
    });
    const { kind, message } = errorOf(await client.getJson('/version', get));
    expect(kind).toBe('bad-answer');
    expect(message).toContain(words);
  });
});

describe('TLS, for requests and for exec alike', () => {
  test('the authority of the kubeconfig is trusted, and no other', async () => {
    const server = await serve();
    expect(await both(await open(server.url))).toEqual(['ok', 'ok']);
    const hint = 'Set certificate-authority to the CA of this cluster.';
    expect(await both(await open(server.url, { cluster: noAuthority }))).toEqual(['tls', hint, 'tls', hint]);
  });

  test('a self-signed certificate is said to be one', async () => {
    const server = await serve({ certificate: 'self-signed' });
    const error = errorOf(await (await open(server.url, { cluster: noAuthority })).getJson('/version', get));
    expect(error.message).toBe(`${server.url}: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)`);
  });

  test('insecure-skip-tls-verify', async () => {
    const server = await serve({ certificate: 'other-name' });
    const cluster = { ...noAuthority, 'insecure-skip-tls-verify': true };
    expect(await both(await open(server.url, { cluster }))).toEqual(['ok', 'ok']);
    expect(await both(await open(server.url, { flags: { insecureSkipTlsVerify: true } }))).toEqual(['ok', 'ok']);
  });

  test('a wrong name, and tls-server-name', async () => {
    const server = await serve({ certificate: 'other-name' });
    const hint = 'Set tls-server-name to a name it holds.';
    expect(await both(await open(server.url))).toEqual(['tls', hint, 'tls', hint]);
    expect(await both(await open(server.url, { cluster: { 'tls-server-name': 'elsewhere.example' } }))).toEqual([
      'ok',
      'ok',
    ]);
    expect(await both(await open(server.url, { flags: { tlsServerName: 'elsewhere.example' } }))).toEqual(['ok', 'ok']);
  });

  test('https to a plain HTTP server, and the other way round', async () => {
    const plain = await serve({ http: true });
    const hint = 'Perhaps the server speaks plain http://.';
    expect(await both(await open(plain.url.replace('http:', 'https:')))).toEqual(['tls', hint, 'tls', hint]);
    const goAnswer = await startServer(
      (_request, response) => {
        response.writeHead(400);
        response.end('Client sent an HTTP request to an HTTPS server.\n');
      },
      { http: true },
    );
    cleanups.push(() => goAnswer.close());
    const error = errorOf(await (await open(goAnswer.url)).getJson('/version', get));
    expect(error).toMatchObject({ kind: 'tls', hint: 'Write the server in the kubeconfig with https://.' });
  });

  test('http:// servers get no credential', async () => {
    const server = await serve({ http: true });
    expect(await both(await open(server.url, { cluster: noAuthority, user: { token: 't' } }))).toEqual(['ok', 'ok']);
    expect(server.rawHeaders.map((raw) => headerLines(raw, 'authorization'))).toEqual([[], []]);
  });

  test('a client certificate', async () => {
    const server = await serve({ clientCertificates: true });
    const names: unknown[] = [];
    server.answer = (request, response) => {
      names.push(peerName(request.socket));
      json(response, {});
    };
    const good = replay(execRecording('success-v5'));
    server.upgrade = (request, socket, head) => {
      names.push(peerName(request.socket));
      good(request, socket, head);
    };
    const user = {
      'client-certificate-data': base64(fixture('client.pem')),
      'client-key-data': base64(fixture('client.key')),
    };
    expect(await both(await open(server.url, { user }))).toEqual(['ok', 'ok']);
    expect(names).toEqual(['tester', 'tester']);
  });

  test('a certificate that is none', async () => {
    const server = await serve();
    const user = { 'client-certificate-data': base64('no PEM'), 'client-key-data': base64('no PEM') };
    const client = await open(server.url, { user });
    expect(errorOf(await client.getJson('/version', get)).kind).toBe('tls');
    expect(errorOf(await client.exec(target)).kind).toBe('tls');
  });
});

function peerName(socket: object): unknown {
  return (socket as { getPeerCertificate(): { subject?: { CN?: string } } }).getPeerCertificate().subject?.CN;
}

describe('no connection', () => {
  test('refused', async () => {
    const server = await startServer(() => {});
    await server.close();
    const client = await open(server.url);
    const error = errorOf(await client.getJson('/version', get));
    expect(error).toMatchObject({ kind: 'unreachable', request: 'get version' });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.hint).toContain('Is the cluster up');
    expect(errorOf(await client.exec(target)).kind).toBe('unreachable');
  });

  test('refused on both addresses of localhost', async () => {
    const server = await startServer(() => {});
    await server.close();
    const error = errorOf(await (await open(`https://localhost:${server.port}`)).getJson('/version', get));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toContain('ECONNREFUSED');
  });

  test('a name that does not exist', async () => {
    const client = await open('https://cluster.invalid:6443');
    const error = errorOf(await client.getJson('/version', get));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('cannot be resolved');
    expect(errorOf(await client.exec(target)).kind).toBe('unreachable');
  });
});

describe('a proxy', () => {
  /** Understands CONNECT only; notes what it was asked for and with which password. */
  async function startProxy(): Promise<{ url: string; asked: string[]; server: Server }> {
    const asked: string[] = [];
    const server = createServer((_request, response) => void response.writeHead(501).end());
    server.on('connect', (request, socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const onward = connect(Number(port), host === 'api.example' ? '127.0.0.1' : host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.on('close', () => onward.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
  }

  test('proxy-url, with a password', async () => {
    const server = await serve();
    const proxy = await startProxy();
    const cluster = { 'proxy-url': `http://user:pass%20word@${proxy.url}`, 'tls-server-name': 'localhost' };
    const client = await open(`https://api.example:${server.port}`, { cluster });
    expect(await both(client)).toEqual(['ok', 'ok']);
    const authorization = `Basic ${base64('user:pass word')}`;
    expect(proxy.asked).toEqual(Array(2).fill(`api.example:${server.port} ${authorization}`));
  });

  test('HTTPS_PROXY, also for exec', async () => {
    const server = await serve();
    const proxy = await startProxy();
    const host = testHost({ env: { HTTPS_PROXY: proxy.url } });
    const setup = { host, cluster: { 'tls-server-name': 'localhost' } };
    expect(await both(await open(`https://api.example:${server.port}`, setup))).toEqual(['ok', 'ok']);
    expect(proxy.asked).toHaveLength(2);
  });

  test('SOCKS5', async () => {
    const server = await serve();
    const asked: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.on('error', () => {});
      // Greeting, answer without a password; then version, command, 0, type 3, length, name, port.
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (request: Buffer) => {
          asked.push(request.subarray(5, -2).toString());
          const onward = connect(request.readUInt16BE(request.length - 2), '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            socket.pipe(onward).pipe(socket);
          });
          onward.on('error', () => socket.destroy());
          socket.on('close', () => onward.destroy());
        });
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => proxy.close(resolve)));
    const { port } = proxy.address() as AddressInfo;
    for (const scheme of ['socks5', 'socks5h']) {
      const cluster = { 'proxy-url': `${scheme}://127.0.0.1:${port}`, 'tls-server-name': 'localhost' };
      expect(await both(await open(`https://localhost:${server.port}`, { cluster }))).toEqual(['ok', 'ok']);
    }
    expect(asked).toHaveLength(4);
  });

  test('that refuses', async () => {
    const proxy = await startProxy();
    proxy.server.removeAllListeners('connect');
    proxy.server.on(
      'connect',
      (_request, socket) => void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    const client = await open('https://api.example', { cluster: { 'proxy-url': `http://me:secret@${proxy.url}` } });
    for (const result of [await client.getJson('/version', get), await client.exec(target)]) {
      const error = errorOf(result);
      expect(error.kind).toBe('unreachable');
      expect(error.message).toBe('the proxy does not connect to https://api.example: HTTP 407');
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });

  test('of a kind we do not speak', async () => {
    await expect(open('https://api.example', { cluster: { 'proxy-url': 'ftp://me:secret@proxy' } })).rejects.toThrow(
      'config: the proxy is not an http, https or socks5 URL',
    );
  });

  test('not for a server that NO_PROXY names', async () => {
    const proxy = await startProxy();
    const host = testHost({ env: { HTTPS_PROXY: proxy.url, NO_PROXY: '.invalid' } });
    const client = await open('https://cluster.invalid', { host });
    expect(errorOf(await client.getJson('/version', get)).kind).toBe('unreachable');
    expect(proxy.asked).toEqual([]);
  });
});

test('impersonation: every group a line of its own', async () => {
  const server = await serve();
  const flags = {
    as: 'system:serviceaccount:shop:viewer',
    asGroups: ['a', 'b, c'],
    asUid: '42',
    asUserExtra: ['scopes=one', 'scopes=two', 'example.com/a b=x=y'],
  };
  expect(await both(await open(server.url, { flags }))).toEqual(['ok', 'ok']);
  expect(server.rawHeaders).toHaveLength(2);
  for (const raw of server.rawHeaders) {
    expect(headerLines(raw, 'impersonate-user')).toEqual(['system:serviceaccount:shop:viewer']);
    expect(headerLines(raw, 'impersonate-group')).toEqual(['a', 'b, c']);
    expect(headerLines(raw, 'impersonate-uid')).toEqual(['42']);
    expect(headerLines(raw, 'impersonate-extra-scopes')).toEqual(['one', 'two']);
    expect(headerLines(raw, 'impersonate-extra-example.com%2fa%20b')).toEqual(['x=y']);
  }
});

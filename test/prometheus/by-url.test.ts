import { afterEach, describe, expect, it } from 'vitest';
import type { KubeResult } from '../../src/kube/types.ts';
import { readAddress } from '../../src/prometheus/address.ts';
import { prometheusByUrl } from '../../src/prometheus/by-url.ts';
import { type PrometheusClient, pathOf } from '../../src/prometheus/types.ts';
import { readSeries } from '../../src/signals/read/prometheus-answer.ts';
import { type Answer, json, type ServerOptions, startServer } from '../kube/api-server.ts';
import { testHost } from '../kube/open-client.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const answered = { status: 'success', data: { resultType: 'vector', result: [] } };
const asked = { question: 'pods', query: 'up{pod="a b"}', range: null, timeoutMs: 4000 } as const;

async function start(answer: Answer, options: ServerOptions = { http: true }) {
  const server = await startServer(answer, options);
  opened.push(server.close);
  return server;
}

function open(url: string, authorization: string | null = null): PrometheusClient & { readonly lines: string[] } {
  const read = readAddress(url);
  if (!read.ok) throw new Error(read.error.message);
  const host = testHost();
  const client = prometheusByUrl({ ...read.value, authorization: authorization ?? read.value.authorization }, host);
  opened.push(client.close);
  return { ...client, lines: host.lines };
}

const failureOf = (result: KubeResult<unknown>) => {
  if (result.ok) throw new Error('it answered');
  return result.error;
};

describe('the address', () => {
  it.each([
    ['https://prom.example.com', 'https://prom.example.com'],
    ['http://prom:9090/', 'http://prom:9090'],
    ['http://gw/prom/', 'http://gw/prom'],
    ['http://gw/prom/api/v1/query', 'http://gw/prom'],
    ['http://[::1]:9090', 'http://[::1]:9090'],
  ])('%s', (text, base) => {
    expect(readAddress(text)).toEqual({ ok: true, value: { base, authorization: null } });
  });

  it('shows no user and no password, and sends both', () => {
    const read = readAddress('https://jo:p%40ss@prom.example.com');
    const authorization = `Basic ${Buffer.from('jo:p@ss').toString('base64')}`;
    expect(read).toEqual({ ok: true, value: { base: 'https://prom.example.com', authorization } });
  });

  it.each([
    'prom',
    'secret:@prom:9090',
    'secret:x@prom',
    'ftp://jo:secret@prom',
    'http://jo:secret@prom?token=secret',
    'http://jo:secret@prom#secret',
    '',
  ])('refuses %s without quoting it', (text) => {
    const read = readAddress(text);
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read)).not.toContain('secret');
  });
});

describe('a question', () => {
  it('is one GET with the credential', async () => {
    const server = await start((_, response) => json(response, answered));
    const client = open(`${server.url.replace('//', '//jo:pass@')}/prom`);
    expect(await client.ask(asked)).toMatchObject({ ok: true, value: answered });
    expect(server.requests).toEqual(['GET /prom/api/v1/query?query=up%7Bpod%3D%22a+b%22%7D']);
    const headers = server.rawHeaders[0] ?? [];
    const authorization = headers[headers.findIndex((name) => name.toLowerCase() === 'authorization') + 1];
    expect(authorization).toBe(`Basic ${Buffer.from('jo:pass').toString('base64')}`);
    expect(client.name).toBe(`${server.url}/prom`);
    expect(client.lines.join()).not.toContain('pass');
  });

  it('of a range names start, end and step in seconds', () => {
    expect(pathOf({ ...asked, range: { start: 100, end: 3700, step: 60 } })).toEqual({
      path: '/api/v1/query_range',
      query: { query: asked.query, start: '100', end: '3700', step: '60' },
    });
  });

  it.each([
    [
      'an error of Prometheus',
      400,
      '{"status":"error","errorType":"bad_data","error":"parse error"}',
      'bad-answer',
      'it answers with an error (bad_data)',
    ],
    [
      'a timeout of Prometheus',
      503,
      '{"status":"error","errorType":"timeout","error":"query timed out"}',
      'server',
      'it answers with an error (timeout)',
    ],
    ['an error that comes with 200', 200, '{"status":"error","error":"no"}', 'bad-answer', 'it answers with an error'],
    [
      'a kind of its own',
      400,
      '{"status":"error","errorType":"s3cr","error":"s3cr"}',
      'bad-answer',
      'it answers with an error',
    ],
    ['503 without words', 503, 'Service Unavailable', 'server', 'HTTP 503'],
    ['401', 401, 'Unauthorized', 'refused', 'HTTP 401: it wants a credential'],
    ['404', 404, '<html>', 'not-found', 'HTTP 404: no Prometheus answers there'],
    ['a page', 200, '<html>Log in</html>', 'bad-answer', 'something other than Prometheus answers there'],
    ['other JSON', 200, '[]', 'bad-answer', 'something other than Prometheus answers there'],
  ])('meets %s', async (_name, status, body, kind, message) => {
    const server = await start((_, response) => response.writeHead(status).end(body));
    expect(failureOf(await open(server.url).ask(asked))).toMatchObject({ kind, message });
  });

  it('does not wait beyond its time', async () => {
    const server = await start(() => {});
    const error = failureOf(await open(server.url).ask({ ...asked, timeoutMs: 50 }));
    expect(error).toMatchObject({ kind: 'timeout', hint: 'Check the network between here and Prometheus.' });
  });

  it('that nobody hears says so in a line, without the credential', async () => {
    const error = failureOf(await open('http://jo:secret@127.0.0.1:1').ask(asked));
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('http://127.0.0.1:1') });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('trusts no certificate that nobody vouches for', async () => {
    const server = await start((_, response) => json(response, answered), {});
    const error = failureOf(await open(server.url).ask(asked));
    expect(error).toMatchObject({ kind: 'tls', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
    expect(error.message).not.toContain('\n');
  });

  it('takes no more than 16 MiB', async () => {
    const server = await start((_, response) => {
      response.writeHead(200);
      for (let sent = 0; sent < 17; sent++) response.write(Buffer.alloc(1 << 20, 32));
      response.end();
    });
    const error = failureOf(await open(server.url).ask(asked));
    expect(error).toMatchObject({ kind: 'bad-answer', message: 'the answer is longer than 16 MiB' });
  });
});

it.each(['jo:s3cr%20et', 's3cr%20et:'])(
  'a credential that the server throws back is not said again: %s',
  async (user) => {
    const server = await startServer(
      (request, response) => {
        const sent = request.headers.authorization ?? '';
        const userinfo = Buffer.from(sent.slice(6), 'base64').toString();
        json(response, { status: 'error', error: `bad header ${sent}: ${userinfo} ${encodeURI(userinfo)}` }, 400);
      },
      { http: true },
    );
    opened.push(server.close);
    const { message } = failureOf(await open(server.url.replace('//', `//${user}@`)).ask(asked));
    expect(message).toBe('it answers with an error');
    expect(message).not.toMatch(/s3cr/);
  },
);

it('a credential in the warnings of an answer is not said either', async () => {
  const server = await start((request, response) =>
    json(response, { ...answered, warnings: [`you sent ${request.headers.authorization}`, 7] }),
  );
  const answer = await open(server.url, 'Bearer s3cret').ask(asked);
  const read = answer.ok ? readSeries(answer.value) : null;
  expect(read).toMatchObject({ ok: true, value: { warnings: 2 } });
  expect(JSON.stringify(read)).not.toContain('s3cret');
});

describe('a redirect', () => {
  it('within the origin is followed, with the credential', async () => {
    const server = await start((request, response) =>
      request.url?.startsWith('/prom/') === true
        ? json(response, answered)
        : response.writeHead(302, { Location: `/prom${request.url}` }).end(),
    );
    expect((await open(server.url, 'Bearer t').ask(asked)).ok).toBe(true);
    expect(server.rawHeaders.map((headers) => headers.includes('Bearer t'))).toEqual([true, true]);
  });

  it('to another origin is not: the credential would go with it', async () => {
    const other = await start((_, response) => json(response, answered));
    const server = await start((_, response) =>
      response.writeHead(302, { Location: `${other.url}/login?state=secret` }).end(),
    );
    const error = failureOf(await open(server.url, 'Bearer t').ask(asked));
    expect(error).toMatchObject({ kind: 'bad-answer', message: `it redirects to ${other.url}` });
    expect(other.requests).toEqual([]);
  });

  it('in a circle ends', async () => {
    const server = await start((request, response) => response.writeHead(302, { Location: request.url }).end());
    expect(failureOf(await open(server.url).ask(asked)).message).toBe('more than 3 redirects');
    expect(server.requests).toHaveLength(4);
  });
});

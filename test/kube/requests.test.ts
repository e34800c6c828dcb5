import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KubeClient } from '../../src/kube/types.ts';
import { type ApiServer, fixture, headerLines, json, startServer } from './api-server.ts';
import { errorOf, openClient, testHost } from './open-client.ts';

const get = { request: 'get service shop/echo' };
const path = '/api/v1/namespaces/shop/services/echo';

let server: ApiServer;
let client: KubeClient;
const host = testHost();

beforeAll(async () => {
  server = await startServer((_request, response) => json(response, {}));
  client = await openClient(server.url, { user: { token: 'secret-token' }, host });
});

afterEach(() => {
  server.requests.length = 0;
  server.rawHeaders.length = 0;
});

afterAll(async () => {
  await client.close();
  await server.close();
});

interface HttpRecording {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

function answerWith(name: string): void {
  const { status, headers, body } = JSON.parse(fixture(`http/${name}.json`)) as HttpRecording;
  server.answer = (_request, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

describe('one request', () => {
  test('gives the object and the time of the server', async () => {
    server.answer = (_request, response) =>
      json(response, { kind: 'Service' }, 200, { Date: 'Sun, 29 Nov 2026 15:44:00 GMT' });
    const result = await client.getJson(path, { ...get, query: { labelSelector: 'a=b,c in (d)' } });
    expect(result).toEqual({ ok: true, value: { kind: 'Service' }, serverDate: '2026-11-29T15:44:00.000Z' });
    expect(server.requests).toEqual([`GET ${path}?labelSelector=a%3Db%2Cc+in+%28d%29`]);
    const raw = server.rawHeaders[0] ?? [];
    expect(headerLines(raw, 'accept')).toEqual(['application/json']);
    expect(headerLines(raw, 'user-agent')).toEqual(['kubectl-grpc_skew/test']);
    expect(headerLines(raw, 'accept-encoding')).toEqual(['gzip']);
    expect(headerLines(raw, 'authorization')).toEqual(['Bearer secret-token']);
  });

  test('logs method, path, status and time, and never the credential', async () => {
    answerWith('bad-token-401');
    const error = errorOf(await client.getJson(path, { ...get, query: { q: '1' } }));
    expect(host.lines.at(-1)).toMatch(new RegExp(`^GET ${path} 401 in \\d+ ms$`));
    expect(host.lines.join() + JSON.stringify(error) + JSON.stringify(client.counts)).not.toContain('secret-token');
  });

  test('takes an echoed credential out of the words of an error', async () => {
    server.answer = (request, response) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' });
      response.end(`cannot pass ${request.headers.authorization}`);
    };
    expect(errorOf(await client.getJson(path, get)).message).toBe('cannot pass Bearer [redacted]');
  });

  test('a warning of the API server is logged once, without a credential; other codes and pods behind it are not', async () => {
    const warned = testHost();
    const other = await openClient(server.url, { user: { token: 'secret-token' }, host: warned });
    server.answer = (_request, response) =>
      json(response, {}, 200, {
        Warning: '299 - "v1beta1 is \\"old\\"", 299 apiserver "not secret-token", 199 - "miscellaneous"',
      });
    await other.getJson(path, get);
    await other.getJson(path, get);
    expect(warned.lines.filter((line) => !line.startsWith('GET'))).toEqual([
      'Warning: v1beta1 is "old"',
      'Warning: not [redacted]',
    ]);
    await other.close();
  });

  test('gzip', async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(gzipSync('{"zipped": true}'));
    };
    expect(await client.getJson(path, get)).toMatchObject({ value: { zipped: true } });
  });

  test('no gzip with --disable-compression', async () => {
    server.answer = (_request, response) => json(response, {});
    const plain = await openClient(server.url, { flags: { disableCompression: true } });
    await plain.getJson(path, get);
    await plain.close();
    expect(headerLines(server.rawHeaders[0] ?? [], 'accept-encoding')).toEqual([]);
  });

  test('text comes as it is', async () => {
    server.answer = (_request, response) => void response.end('# HELP x\nx 1\n');
    expect(await client.getText('/metrics', get)).toMatchObject({ ok: true, value: { text: '# HELP x\nx 1\n' } });
  });

  test('a 404 of a pod is one, though it is a page', async () => {
    server.answer = (_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html' });
      response.end('<html>no such page</html>');
    };
    const metrics = '/api/v1/namespaces/shop/pods/echo-1:9090/proxy/metrics';
    expect(errorOf(await client.getText(metrics, get)).kind).toBe('not-found');
    expect(errorOf(await client.getText('/metrics', get)).kind).toBe('bad-answer');
  });

  test('a path below the URL of the server is kept', async () => {
    const rancher = await openClient(`${server.url}/k8s/clusters/c-1/`);
    server.answer = (_request, response) => json(response, {});
    await rancher.getJson(path, get);
    await rancher.close();
    expect(server.requests).toEqual([`GET /k8s/clusters/c-1${path}`]);
  });

  test('five calls in a row use at most two connections', async () => {
    const fresh = await openClient(server.url);
    server.answer = (_request, response) => json(response, {});
    const before = server.connections();
    for (let call = 0; call < 5; call += 1) expect((await fresh.getJson(path, get)).ok).toBe(true);
    expect(server.connections() - before).toBeLessThanOrEqual(2);
    expect(fresh.counts).toEqual({ requests: 5, execs: 0 });
    await fresh.close();
  });
});

describe('refusals as a real API server words them', () => {
  test.each([
    ['bad-token-401', 'credential', 401, 'Unauthorized'],
    ['metrics-absent', 'not-found', 404, '404 page not found'],
    ['metrics-unavailable', 'server', 503, 'service unavailable'],
    ['service-missing', 'not-found', 404, 'services "nope" not found'],
  ])('%s', async (name, kind, status, message) => {
    answerWith(name);
    const error = errorOf(await client.getJson(path, get));
    expect(error).toMatchObject({ kind, status, message, request: get.request });
  });

  test.each([
    ['nodes-denied', 'Needs a ClusterRole with list on nodes.'],
    ['deployments-denied', 'Needs a Role with list on deployments.apps in namespace skew-scaleup.'],
    ['anonymous', 'The request carried no credential that the server knows: check the user in the kubeconfig.'],
  ])('%s names the right', async (name, hint) => {
    answerWith(name);
    expect(errorOf(await client.getJson(path, get))).toMatchObject({ kind: 'forbidden', status: 403, hint });
  });

  test('a policy is not RBAC', async () => {
    const message = 'pods "x" is forbidden: exceeded quota: requests.cpu';
    server.answer = (_request, response) => json(response, { kind: 'Status', message }, 403);
    expect(errorOf(await client.getJson(path, get))).toMatchObject({ kind: 'refused', message });
  });

  test('500, and a 500 that is a page', async () => {
    server.answer = (_request, response) => json(response, { kind: 'Status', message: 'etcd is gone' }, 500);
    expect(errorOf(await client.getJson(path, get))).toMatchObject({ kind: 'server', message: 'etcd is gone' });
    server.answer = (_request, response) => {
      response.writeHead(502, { 'Content-Type': 'text/html' });
      response.end('<html>Bad gateway</html>');
    };
    expect(errorOf(await client.getJson(path, get))).toMatchObject({ kind: 'server', status: 502 });
  });

  test.each([
    ['text/html', '<html>Log in</html>', 'an HTML page came instead of JSON'],
    ['application/json', '{"half":', 'the answer is not a JSON object'],
    ['application/json', '[1]', 'the answer is not a JSON object'],
    ['text/plain', '', 'the answer is not a JSON object'],
  ])('200 with %s %s', async (type, body, message) => {
    server.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Type': type });
      response.end(body);
    };
    expect(errorOf(await client.getJson(path, get))).toMatchObject({ kind: 'bad-answer', message });
  });

  test('a redirect is not followed with our credential', async () => {
    server.answer = (_request, response) => {
      response.writeHead(302, { Location: '/login' });
      response.end();
    };
    expect(errorOf(await client.getJson(path, get))).toMatchObject({ kind: 'bad-answer', status: 302 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('again and not again', () => {
  test('429 waits for Retry-After', async () => {
    let asked = 0;
    server.answer = (_request, response) => {
      asked += 1;
      if (asked < 3) json(response, {}, 429, { 'Retry-After': '0' });
      else json(response, { asked });
    };
    expect(await client.getJson(path, get)).toMatchObject({ value: { asked: 3 } });
  });

  test('429 that asks for more time than is left', async () => {
    server.answer = (_request, response) => json(response, {}, 429, { 'Retry-After': '60' });
    const startedAt = performance.now();
    const error = errorOf(await client.getJson(path, { ...get, timeoutMs: 2000 }));
    expect(error).toMatchObject({ kind: 'throttled', status: 429 });
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(server.requests).toHaveLength(1);
  });

  test('a GET whose connection closes before any byte is sent once more', async () => {
    server.answer = (request, response) => {
      server.answer = (_request, next) => json(next, { again: true });
      request.socket.destroy();
      response.destroy();
    };
    expect(await client.getJson(path, get)).toMatchObject({ value: { again: true } });
    server.requests.length = 0;
    server.answer = (request) => void request.socket.destroy();
    expect(errorOf(await client.getJson(path, get)).kind).toBe('closed');
    expect(server.requests).toHaveLength(2);
  });

  test('a body that ends midway is closed, and not asked for again', async () => {
    server.answer = (request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"items": [');
      setImmediate(() => request.socket.destroy());
    };
    expect(errorOf(await client.getJson(path, get)).kind).toBe('closed');
    expect(server.requests).toHaveLength(1);
  });
});

describe('time', () => {
  test('no answer', async () => {
    server.answer = () => {};
    const error = errorOf(await client.getJson(path, { ...get, timeoutMs: 50 }));
    expect(error).toMatchObject({ kind: 'timeout', message: `no answer from ${server.url} within 0.05 s` });
  });

  test('an answer that does not end', async () => {
    server.answer = (_request, response) => {
      response.writeHead(200);
      response.write('{');
    };
    expect(errorOf(await client.getJson(path, { ...get, timeoutMs: 50 })).kind).toBe('timeout');
  });

  test('--request-timeout holds for every request', async () => {
    server.answer = () => {};
    const hurried = await openClient(server.url, { flags: { requestTimeout: '50ms' } });
    expect(errorOf(await hurried.getJson(path, get)).kind).toBe('timeout');
    expect(errorOf(await hurried.getJson(path, { ...get, timeoutMs: 10_000 })).kind).toBe('timeout');
    await hurried.close();
  });

  test('our own signal', async () => {
    const controller = new AbortController();
    server.answer = () => controller.abort();
    expect(errorOf(await client.getJson(path, { ...get, signal: controller.signal })).kind).toBe('aborted');
    expect(errorOf(await client.getJson(path, { ...get, signal: AbortSignal.abort() })).kind).toBe('aborted');
  });
});

describe('the end', () => {
  test('close ends what is under way', async () => {
    server.answer = () => {};
    server.upgrade = () => {};
    const closing = await openClient(server.url);
    const target = { namespace: 'shop', pod: 'echo-1', container: 'server', command: ['ss'] };
    const pending = [closing.getJson(path, get), closing.exec(target), closing.getJson(path, get)];
    await expect.poll(() => server.requests.length, { timeout: 15_000 }).toBe(3);
    await closing.close();
    const results = await Promise.all(pending);
    expect(results.map((result) => errorOf(result).kind)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(errorOf(await closing.getJson(path, get)).kind).toBe('aborted');
  });

  test('many requests at once with one signal give no warning of Node', async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', note);
    server.answer = (_request, response) => json(response, {});
    const { signal } = new AbortController();
    const results = await Promise.all(Array.from({ length: 40 }, () => client.getJson(path, { ...get, signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(results.every((result) => result.ok)).toBe(true);
    expect(warnings).toEqual([]);
  });
});

describe('lists', () => {
  const list = { request: 'list pods in namespace shop' };
  const pods = '/api/v1/namespaces/shop/pods';

  test('come in pages of 500', async () => {
    server.answer = (request, response) => {
      const token = new URL(request.url ?? '', server.url).searchParams.get('continue');
      const next = { null: 'two', two: 'three', three: undefined }[String(token)];
      json(response, { kind: 'PodList', metadata: { continue: next ?? '' }, items: [token] });
    };
    const result = await client.list(pods, { ...list, query: { labelSelector: 'app=echo' } });
    expect(result).toMatchObject({ ok: true, value: { items: [null, 'two', 'three'], pages: 3 } });
    expect(server.requests).toEqual([
      `GET ${pods}?labelSelector=app%3Decho&limit=500`,
      `GET ${pods}?labelSelector=app%3Decho&limit=500&continue=two`,
      `GET ${pods}?labelSelector=app%3Decho&limit=500&continue=three`,
    ]);
  });

  test('start again once when the token has expired', async () => {
    let expired = 0;
    server.answer = (request, response) => {
      if (!request.url?.includes('continue=')) return json(response, { metadata: { continue: 'x' }, items: ['a'] });
      if (expired++ === 0) return json(response, { kind: 'Status', reason: 'Expired', message: 'too old' }, 410);
      json(response, { metadata: {}, items: ['b'] });
    };
    expect(await client.list(pods, list)).toMatchObject({ value: { items: ['a', 'b'], pages: 2 } });
    server.requests.length = 0;
    server.answer = (request, response) =>
      request.url?.includes('continue=')
        ? json(response, { kind: 'Status', message: 'too old' }, 410)
        : json(response, { metadata: { continue: 'x' }, items: ['a'] });
    expect(errorOf(await client.list(pods, list))).toMatchObject({ kind: 'gone', message: 'too old' });
    expect(server.requests).toHaveLength(4);
  });

  test('come page by page to whoever keeps none; what fails ends them', async () => {
    server.answer = (request, response) => {
      const token = new URL(request.url ?? '', server.url).searchParams.get('continue');
      if (token === 'three') return json(response, { kind: 'Status', reason: 'Expired', message: 'too old' }, 410);
      json(response, { metadata: { continue: token === null ? 'two' : 'three' }, items: [token] });
    };
    const seen: unknown[] = [];
    for await (const page of client.pages(pods, { ...list, chunkSize: 1 }))
      seen.push(page.ok ? [page.value, server.requests.length] : page.error.kind);
    expect(seen).toEqual([[[null], 1], [['two'], 2], 'gone']);
  });

  test('null items are none; other things are no list', async () => {
    server.answer = (_request, response) => json(response, { metadata: {}, items: null });
    expect(await client.list(pods, list)).toMatchObject({ value: { items: [], pages: 1 } });
    server.answer = (_request, response) => json(response, { kind: 'Pod' });
    expect(errorOf(await client.list(pods, list)).kind).toBe('bad-answer');
    server.answer = (_request, response) => json(response, { metadata: { continue: 'same' }, items: [] });
    expect(errorOf(await client.list(pods, list)).kind).toBe('bad-answer');
  });
});

describe('a path with a name that no object can have', () => {
  test.each(['..', '.', '%2e%2E', '.%2e', 'x?y', 'x#y', 'x\\y', 'x y'])('%s: nothing is asked', async (name) => {
    const answer = await client.getText(`/api/v1/namespaces/shop/pods/${name}/proxy/metrics`, get);
    expect(errorOf(answer)).toMatchObject({ kind: 'bad-answer', message: 'a name that no object can have' });
    expect(server.requests).toEqual([]);
  });
});

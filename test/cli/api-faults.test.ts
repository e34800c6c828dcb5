import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { failureStatus } from '../../src/lab/api/answer.ts';
import type { Answer } from '../kube/api-server.ts';
import { json } from '../kube/api-server.ts';
import { answerWith, type Cluster, type Json, plainText, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, type OnTestFinished, runProgram } from './program.ts';

const once = ['--window', '0'];
const html = '<!DOCTYPE html><html><body>Sign in</body></html>';
const page: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(html);
};
const cut: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"kind":', () => response.destroy());
};
const status = (code: number, reason: string, message: string): Answer =>
  answerWith(failureStatus(code, reason, message));
const forbidden = status(
  403,
  'Forbidden',
  'services "echo" is forbidden: User "jo" cannot get resource "services" in API group "" in the namespace "skew-scaleup"',
);

const fatal: readonly (readonly [string, Answer, RegExp])[] = [
  [
    '401',
    status(401, 'Unauthorized', 'Unauthorized'),
    /^error: could not get service skew-scaleup\/echo: unauthorized; log in again/i,
  ],
  [
    '403',
    forbidden,
    /^error: could not get service skew-scaleup\/echo: services "echo" is forbidden: .*; needs a Role with get on services/,
  ],
  [
    '429 that stays',
    (_, r) =>
      answerWith({ ...failureStatus(429, 'TooManyRequests', 'slow down'), headers: { 'Retry-After': '30' } })(_, r, ''),
    /slow down; the API server asks for fewer requests; try again later$/,
  ],
  [
    '500',
    status(500, 'InternalError', 'etcd is down'),
    /^error: could not get service skew-scaleup\/echo: etcd is down/,
  ],
  ['503 as text', (_, response) => plainText(response, 503, 'service unavailable\n'), /: service unavailable/],
  ['503 without a word', (_, response) => plainText(response, 503, ''), /: HTTP 503/],
  [
    'HTML instead of JSON',
    page,
    /: an HTML page came instead of JSON; something other than the API server answers at http:\/\/127/,
  ],
  ['no JSON', (_, response) => plainText(response, 200, 'hello'), /: the answer is not a JSON object/],
  ['the connection ends midway', cut, /: .*(closed|ended)/],
];

describe('the API fails for the Service itself', () => {
  test.concurrent.each(fatal)('%s', async (_name, answer, line) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    cluster.on(/services\/echo/, answer);
    const run = await cluster.run(['echo', ...once, '--record', 'seen.json']);
    for (const one of clean) await one();
    expectError(run, 1, line);
    expect(run.stderr).toContain('; '); // what to do next
  });
});

describe('the API cannot be reached', () => {
  test.concurrent('nobody listens', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '--server', 'http://127.0.0.1:9', ...once]);
    expectError(
      run,
      1,
      /^error: could not get service .*: no connection to http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED.*; is the cluster up/,
    );
  });

  test.concurrent('a black hole, with a short --request-timeout', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const port = await blackHole(onTestFinished);
    const run = await cluster.run(['echo', '--server', `http://127.0.0.1:${port}`, '--request-timeout=300ms', ...once]);
    expectError(run, 1, /: no answer from http:\/\/127\.0\.0\.1:\d+ within 0\.3 s; .*--request-timeout$/);
    expect(run.seconds).toBeLessThan(6);
  });

  test.concurrent('a name that does not exist', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '--server', 'http://api.invalid', ...once]);
    expectError(run, 1, /the name of http:\/\/api\.invalid cannot be resolved/);
  });

  test.concurrent('plain HTTP where TLS is expected, and an unknown authority', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const tls = await cluster.run(['echo', '--server', cluster.url.replace('http:', 'https:'), ...once]);
    expectError(tls, 1, /does not answer with TLS/);
    const other = await startCluster(onTestFinished, { http: false });
    const unknown = await cluster.run(['echo', '--server', other.url, ...once]);
    expectError(unknown, 1, /certificate .*; set certificate-authority to the CA of this cluster$/);
  });

  test.concurrent('slow, but there: waits', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(
      /services\/echo/,
      (_, response) => void setTimeout(() => json(response, cluster.objects['service']), 700),
    );
    expect((await cluster.run(['echo', ...once, '--request-timeout', '8'])).code).toBe(0);
  });

  test.concurrent('429 with Retry-After once: asked again', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    let times = 0;
    cluster.on(/services\/echo/, (request, response, body) => {
      times += 1;
      if (times > 1) json(response, cluster.objects['service']);
      else
        answerWith({ ...failureStatus(429, 'TooManyRequests', 'slow'), headers: { 'Retry-After': '1' } })(
          request,
          response,
          body,
        );
    });
    expect((await cluster.run(['echo', ...once])).code).toBe(0);
    expect(times).toBe(2);
  });
});

/** Takes connections and says nothing. */
async function blackHole(onTestFinished: OnTestFinished): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const optional: readonly (readonly [list: string, request: RegExp, signal: string])[] = [
  ['events', /\/events\?/, 'probes'],
  ['metrics', /metrics\.k8s\.io/, 'usage'],
  ['pods of all namespaces', /\/api\/v1\/pods\?/, 'clients'],
  ['deployments', /\/deployments\?/, ''],
  ['nodes', /\/nodes\?/, ''],
];
const ways: readonly (readonly [string, Answer])[] = [
  ['401', status(401, 'Unauthorized', 'Unauthorized')],
  [
    '403',
    status(
      403,
      'Forbidden',
      'it is forbidden: User "jo" cannot list resource "things" in API group "" at the cluster scope',
    ),
  ],
  ['404', (_, response) => plainText(response, 404, '404 page not found\n')],
  ['410', status(410, 'Expired', 'The provided continue parameter is too old')],
  [
    '429',
    (_, r) =>
      answerWith({ ...failureStatus(429, 'TooManyRequests', 'slow'), headers: { 'Retry-After': '60' } })(_, r, ''),
  ],
  ['500', status(500, 'InternalError', 'boom')],
  ['503 as text', (_, response) => plainText(response, 503, 'unavailable\n')],
  ['HTML', page],
  ['cut', cut],
  ['a list that is none', (_, response) => json(response, { kind: 'List', items: 'many' })],
  [
    'items that are none',
    (_, response) => json(response, { kind: 'List', items: [null, 7, 'x', [], {}, { metadata: 3 }] }),
  ],
];

describe('the API fails for what is optional: the diagnosis is there, and says what is missing', () => {
  test.concurrent.each(ways)('%s', async (way, answer) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    for (const [, request] of optional) cluster.on(request, answer);
    const run = await cluster.run(['echo', ...once, '-o', 'json']);
    for (const one of clean) await one();
    expectNoTrace(run);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const report = JSON.parse(run.stdout) as Json;
    expect(report.status.verdict.state).toBe('skewed');
    if (way === 'items that are none') return;
    const states = Object.fromEntries(report.status.signals.map((one: Json) => [one.id, one]));
    expect(states['usage'].state).toMatch(way === '403' ? /forbidden/ : /unavailable/);
    expect(states['probes']).toMatchObject({ state: 'partial', reason: expect.stringMatching(/Events not seen: \S/) });
    expect(states['clients'].state).toMatch(/partial|complete/);
  });

  test.concurrent.each(optional)('only %s', async (_list, request, signal) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    cluster.on(request, status(500, 'InternalError', 'boom'));
    const run = await cluster.run(['echo', ...once, '-o', 'json']);
    for (const one of clean) await one();
    const report = JSON.parse(run.stdout) as Json;
    const broken = report.status.signals.filter((one: Json) => one.state !== 'complete').map((one: Json) => one.id);
    // The recorded cluster has no Prometheus, which is said, too.
    expect(broken).toEqual([...(signal === '' || signal === 'clients' ? [] : [signal]), 'prometheus']);
  });
});

describe('the API fails for endpoints or pods: no diagnosis without them', () => {
  test.concurrent.each([
    ['endpointslices', /\/endpointslices\?/],
    ['pods', / \/api\/v1\/namespaces\/[^/]+\/pods\?/],
  ])('%s', async (list, request) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    cluster.on(
      request,
      status(
        403,
        'Forbidden',
        `${list} is forbidden: User "jo" cannot list resource "${list}" in API group "" in the namespace "n"`,
      ),
    );
    const run = await cluster.run(['echo', ...once, '--record', 'seen.json']);
    const recorded = await cluster.run(['--from', 'seen.json']);
    for (const one of clean) await one();
    expectError(
      run,
      1,
      new RegExp(`^error: could not list ${list} .*; the diagnosis needs the right to list ${list}$`),
    );
    expectError(recorded, 1, /^error: the evidence has no endpoints and pods; .*cannot list resource/);
  });
});

test('a list in pages whose token expires is begun again, once', async ({ onTestFinished }) => {
  const cluster: Cluster = await startCluster(onTestFinished);
  let pages = 0;
  cluster.on(/ \/api\/v1\/namespaces\/[^/]+\/pods\?/, (request, response: ServerResponse, body) => {
    pages += 1;
    const { items } = cluster.objects['pods'];
    if (pages === 2) return status(410, 'Expired', 'too old')(request, response, body);
    const last = request.url?.includes('continue=') === true;
    json(response, {
      kind: 'PodList',
      metadata: last ? {} : { continue: 'abc' },
      items: last ? items.slice(5) : items.slice(0, 5),
    });
  });
  const run = await cluster.run(['echo', ...once, '-o', 'json', '--no-exec']);
  expect([run.code, pages]).toEqual([0, 4]);
  expect(JSON.parse(run.stdout).status.pods).toHaveLength(10);
});

test('no answer of one optional list holds up the others for longer than its time', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  cluster.on(/\/events\?/, () => {});
  const run = await cluster.run(['echo', ...once, '--request-timeout', '4']);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/Events not seen: no answer/);
  expect(run.seconds).toBeLessThan(12);
});

test('without a kubeconfig nothing was seen, and nothing is recorded', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  expectError(
    await runProgram(['echo', '--record', `${cluster.folder}/no/such/folder.json`]),
    1,
    /no cluster is configured in .*\.kube\/config; set KUBECONFIG/,
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerError } from '../../src/kube/errors/status-error.ts';
import { json } from '../kube/api-server.ts';
import { frame, refuse, webSocket } from '../kube/exec-server.ts';
import { type Cluster, type Json, plainText, startCluster } from './cluster.ts';

const secret = 'hunter2-s3cret';
const words = `panic: dial DB_PASSWORD=${secret}`;
const status = (message: string, code: number) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  code,
});

/** All that a run leaves behind: what it prints in every way, and its record, with --redact and without. */
async function everythingOf(cluster: Cluster, args: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const more of [
    ['-o', 'wide'],
    ['-o', 'json', '--redact'],
  ]) {
    const run = await cluster.run(['echo', '--window', '0', '-v', '9', '--record', 'seen.json', ...args, ...more]);
    expect(run.code).toBe(0);
    texts.push(run.stdout, run.stderr, readFileSync(join(cluster.folder, 'seen.json'), 'utf8'));
  }
  return texts.join('\n');
}

/** A command that ends with this status frame. */
const ended = (text: string) =>
  webSocket((client) => {
    client.send(frame(3, text));
    client.close(1000);
  });

const execWays: readonly (readonly [string, Cluster['exec']])[] = [
  ['a status frame', () => ended(JSON.stringify(status(words, 500)))],
  ['a status frame that is no JSON', () => ended(words)],
  [
    'stderr and an exit code',
    () =>
      webSocket((client) => {
        client.send(frame(2, words));
        client.send(
          frame(
            3,
            JSON.stringify({
              status: 'Failure',
              reason: 'NonZeroExitCode',
              message: words,
              details: { causes: [{ reason: 'ExitCode', message: '3' }] },
            }),
          ),
        );
        client.close(1000);
      }),
  ],
  ['rubbish on stdout', () => `${words}\n`],
  ['a refusal as text', () => (_request, socket) => refuse(socket, 'HTTP/1.1 500 Internal Server Error', words)],
];

describe('words of a pod are neither printed nor recorded', () => {
  test.concurrent.each<readonly [string, (response: Parameters<typeof plainText>[0]) => void, RegExp]>([
    ['text', (response) => plainText(response, 500, words), /HTTP 500 with a body of \d+ bytes/],
    ['a Status of its own', (response) => json(response, status(words, 500), 500), /HTTP 500 with a body of \d+ bytes/],
    [
      'HTML',
      (response) => plainText(response, 503, `<html>${words}</html>`),
      /HTTP 503 with an HTML page of \d+ bytes/,
    ],
    [
      'what the proxy quotes',
      (response) =>
        json(
          response,
          status(
            `error trying to reach service: net/http: HTTP/1.x transport connection broken: malformed HTTP response "${words}"`,
            503,
          ),
          503,
        ),
      /error trying to reach service: malformed HTTP response/,
    ],
    ['a login', (response) => plainText(response, 401, words), /HTTP 401 with a body/],
  ])(
    'of a metrics page: %s',
    async (_name, answer, said) => {
      const clean: (() => void | Promise<void>)[] = [];
      const cluster = await startCluster((one) => clean.push(one));
      cluster.on(/\/proxy\//, (_request, response) => answer(response));
      const left = await everythingOf(cluster, ['--metrics-port', '9090', '--no-exec']);
      for (const one of clean) await one();
      expect(left).not.toContain(secret);
      expect(left).toMatch(said);
    },
    60_000,
  );

  test.concurrent.each(execWays)(
    'of a command: %s',
    async (_name, exec) => {
      const clean: (() => void | Promise<void>)[] = [];
      const cluster = await startCluster((one) => clean.push(one));
      cluster.exec = exec;
      const left = await everythingOf(cluster, []);
      for (const one of clean) await one();
      expect(left).not.toContain(secret);
    },
    60_000,
  );

  test.concurrent('of Prometheus, and of Events', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    for (const event of cluster.objects['events'].items as Json[]) {
      event.message = `Scaled up replica set DB_PASSWORD=${secret} from 1 to 3`;
      event.reason = 'ScalingReplicaSet';
      event.involvedObject.fieldPath = `spec.containers{${words}}`;
    }
    cluster.on(/prom\/api\/v1/, (_request, response) =>
      json(response, { status: 'error', errorType: words, error: words }, 503),
    );
    const left = await everythingOf(cluster, ['--no-exec', '--prometheus', `${cluster.url}/prom`]);
    expect(left).not.toContain(secret);
    expect(left).toMatch(/it answers with an error/);
  }, 60_000);
});

describe('what the API server says itself at a proxy path is kept', () => {
  const denied =
    'pods "echo-1" is forbidden: User "jo" cannot get resource "pods/proxy" in API group "" in the namespace "shop"';
  test.each([
    [403, denied, denied, 'forbidden'],
    [404, 'pods "echo-1" not found', 'pods "echo-1" not found', 'not-found'],
    [503, 'no endpoints available for service "prom"', 'no endpoints available for service "prom"', 'server'],
    [
      503,
      'error trying to reach service: dial tcp 10.1.2.3:9: connect: connection refused',
      'error trying to reach service: connection refused',
      'server',
    ],
    [503, `error trying to reach service: ${words}`, 'error trying to reach service', 'server'],
    [401, 'Unauthorized', 'Unauthorized', 'credential'],
    [500, `pods "x" not found: ${words}`, /^HTTP 500 with a body of \d+ bytes$/, 'server'],
  ])('%i %s', (code, message, said, kind) => {
    const answer = { status: code, contentType: 'application/json', text: JSON.stringify(status(message, code)) };
    const { error } = answerError('get', '/api/v1/namespaces/shop/pods/echo-1:9/proxy/metrics', answer, 'https://s');
    expect(error.message).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
    expect(error.kind).toBe(kind);
  });
});

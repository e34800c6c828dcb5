import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failureStatus } from '../../src/lab/api/answer.ts';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import type { Json } from './cluster.ts';
import { expectError, expectNoTrace, runProgram, temporaryFolder } from './program.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ scenario: 'scale-up' });
  await lab.ready;
}, 30_000);
afterAll(() => lab.stop());
afterEach(() => lab.faults.clear());

const once = ['echo', '--window', '0', '-o', 'json'];
const run = (...args: readonly string[]) => runProgram(args, { env: { KUBECONFIG: lab.kubeconfigPath } });
async function statusOf(...args: readonly string[]): Promise<Json> {
  const done = await run(...once, ...args);
  expectNoTrace(done);
  expect(done.code).toBe(0);
  return (JSON.parse(done.stdout) as Json).status;
}
const signalOf = (status: Json) => status.signals.find((one: Json) => one.id === 'prometheus');

describe('the Prometheus of the cluster', () => {
  test('is found, asked with the rights of the user, and named', async () => {
    const status = await statusOf();
    expect(signalOf(status).state).toBe('complete');
    expect(status.prometheus).toMatchObject({ source: 'monitoring/prometheus-operated:9090', way: 'service' });
    // The scaling of the lab is back-dated by 100 s: an hour of history holds the time before it.
    expect(status.prometheus.history.map((one: Json) => one.basis)).toEqual(['calls', 'bytes']);
    const [calls] = status.prometheus.history;
    expect([calls.points[0].pods, calls.points.at(-1).pods]).toEqual([3, 10]);
    expect(status.pods.every((pod: Json) => pod.throttledShare === 0)).toBe(true);
  });

  test('gives calls and CPU where pods and metrics API give none', async () => {
    const refused = failureStatus(
      403,
      'Forbidden',
      'pods "x" is forbidden: User "jo" cannot get resource "pods/proxy" in API group "" in the namespace "shop"',
    );
    lab.faults.inject({ request: /\/pods\/.*\/proxy\//, times: 1000, answer: refused });
    lab.faults.inject({
      request: /metrics\.k8s\.io/,
      times: 1000,
      answer: failureStatus(404, 'NotFound', 'the server could not find the requested resource'),
    });
    const status = await statusOf('--no-exec');
    expect(status.verdict).toMatchObject({
      state: 'skewed',
      basis: 'calls',
      source: 'prometheus',
      confidence: 'likely',
    });
    // Two clients at one pod, one at each of two others, none at seven.
    expect(status.skew).toMatchObject({ pods: 10, seenPods: 10, idlePods: 7 });
    expect(status.distributions.find((one: Json) => one.basis === 'cpu')).toMatchObject({
      source: 'prometheus',
      pods: 10,
    });
    expect(status.headline.notSeen.filter((line: string) => /^(usage|calls)/.test(line))).toEqual([]);
  });

  test('that is refused is named with the right and its namespace', async () => {
    const message =
      'services "prometheus-operated:9090" is forbidden: User "jo" cannot get resource "services/proxy" in API group "" in the namespace "monitoring"';
    lab.faults.inject({
      request: /\/services\/.*\/proxy\//,
      times: 1000,
      answer: failureStatus(403, 'Forbidden', message),
    });
    const status = await statusOf();
    expect(signalOf(status)).toMatchObject({ state: 'forbidden', needs: 'get services/proxy in monitoring' });
    expect(status.verdict.state).toBe('skewed');
    expect(status.headline.notSeen).toContain(
      'prometheus (needs get services/proxy in monitoring): since when the load is uneven, and which pods are throttled',
    );
  });

  test('that is down says so', async () => {
    const down = failureStatus(503, 'ServiceUnavailable', 'no endpoints available for service "prometheus-operated"');
    lab.faults.inject({ request: /\/services\/.*\/proxy\//, times: 1000, answer: down });
    expect(signalOf(await statusOf())).toMatchObject({
      state: 'unavailable',
      reason: 'monitoring/prometheus-operated:9090: no endpoints available for service "prometheus-operated"',
    });
  });

  test('is not asked with --prometheus none', async () => {
    const before = lab.requests.length;
    expect(signalOf(await statusOf('--prometheus', 'none'))).toMatchObject({ state: 'skipped' });
    expect(lab.requests.slice(before).filter(({ path }) => path.includes('/monitoring/'))).toEqual([]);
  });
});

describe('--prometheus URL', () => {
  test('is asked directly; its user is neither shown nor recorded', async ({ onTestFinished }) => {
    const record = join(temporaryFolder(onTestFinished), 'record.json');
    const before = lab.requests.length;
    const done = await run(
      ...once,
      '-v',
      '6',
      '--record',
      record,
      '--prometheus',
      lab.prometheusUrl.replace('//', '//jo:s3cret@'),
    );
    const { status } = JSON.parse(done.stdout) as Json;
    expect(status.prometheus).toMatchObject({ source: lab.prometheusUrl, way: 'url' });
    expect(lab.requests.slice(before).filter(({ path }) => path.includes('/monitoring/'))).toEqual([]);
    expect(done.stderr).toContain(`GET ${lab.prometheusUrl}/api/v1/query 200`);
    const replayed = await runProgram(['--from', record, '-o', 'json']);
    expect(JSON.parse(replayed.stdout).status.prometheus).toEqual(status.prometheus);
    expect(done.stdout + done.stderr + replayed.stdout).not.toContain('s3cret');
  });

  test('that nobody answers: the diagnosis is there, and one line says what to do', async () => {
    const done = await run('echo', '--window', '0', '-o', 'table', '--prometheus', 'http://jo:s3cret@127.0.0.1:1');
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/^SKEWED/m);
    expect(done.stdout.replaceAll(/\s+/g, ' ')).toContain('prometheus: no connection to http://127.0.0.1:1');
    expect(done.stdout + done.stderr).not.toContain('s3cret');
  });

  test.each([
    [['--prometheus', 'prom:9090'], /^error: --prometheus takes an http or https URL; write --prometheus https:/],
    [['--prometheus', 'nowhere'], /^error: --prometheus takes an http or https URL, or none; write/],
    [['--prometheus-token-file', 'x'], /^error: --prometheus-token-file goes with --prometheus URL; /],
    [
      ['--prometheus', 'http://a:b@c', '--prometheus-token-file', 'x'],
      /^error: the URL of --prometheus has a user, .*; give one of them$/,
    ],
  ])('%j is wrong usage', async (args, line) => {
    expectError(await run(...once, ...args), 2, line);
  });

  test('--from takes none', async () => {
    expectError(
      await runProgram(['--from', 'x.json', '--prometheus', 'http://c']),
      2,
      /^error: --from diagnoses what was recorded/,
    );
  });

  test('a token file that is not there, and one that holds no token', async ({ onTestFinished }) => {
    const file = join(temporaryFolder(onTestFinished), 'token');
    const asked = [...once, '--prometheus', lab.prometheusUrl, '--prometheus-token-file', file];
    expectError(await run(...asked), 1, /^error: the token file .* cannot be read: no such file; name another/);
    writeFileSync(file, 's3cret\nmore\n');
    const two = await run(...asked);
    expectError(two, 1, /^error: the token file .* holds no token of one line; /);
    expect(two.stderr).not.toContain('s3cret');
  });
});

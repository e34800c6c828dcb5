import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import type { Json } from './cluster.ts';
import { startCluster } from './cluster.ts';
import { expectError, expectNoTrace, type Run, runProgram, temporaryFolder } from './program.ts';

describe('probes, against the lab', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab({ scenario: 'scale-up' });
    await lab.ready;
  });
  afterAll(() => lab.stop());

  const probes = (...args: readonly string[]): Promise<Run> =>
    runProgram(['probes', ...args], { env: { KUBECONFIG: lab.kubeconfigPath } });
  const proxied = () => lab.requests.filter((request) => request.path.includes('/proxy/metrics/probes')).length;

  test('counts the probes of the namespace of the context', async () => {
    const run = await probes('-o', 'json');
    expectNoTrace(run);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      apiVersion: 'grpc-skew/v1alpha1',
      kind: 'ProbeCensus',
      metadata: { namespace: 'shop' },
      status: {
        pods: 14,
        probes: 20,
        kinds: { httpGet: 0, exec: 0, tcpSocket: 0, grpc: 20 },
        results: null,
        grpcProbes: [
          { workload: 'deployment/echo', type: 'liveness', port: 50_051, pods: 10, failedPods: 0 },
          { workload: 'deployment/echo', type: 'readiness', port: 50_051, pods: 10, failedPods: 0 },
        ],
        findings: [],
      },
    });
    expect(proxied()).toBe(0);
  });

  test('prints a table, and the counters of kubelets where they are asked for', async () => {
    const run = await probes('-A', '--probe-metrics', '--window', '0');
    expectNoTrace(run);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^\S+ \/ all namespaces/);
    expect(run.stdout).toMatch(/^PROBES {6}20 probes of 15 pods \(10 have some\): httpGet 0, exec 0, tcpSocket 0,$/m);
    expect(run.stdout).toMatch(/^shop\/deployment\/echo +readiness +grpc :50051 +5s\/1s +10 +0/m);
    expect(run.stdout).toMatch(/^TYPE .* OK\/FAILED$/m);
    expect(proxied()).toBe(2);
  });

  test('yaml says what json says', async () => {
    const run = await probes('-o', 'yaml');
    expect(run.stdout).toMatch(/^apiVersion: grpc-skew\/v1alpha1\nkind: ProbeCensus\n/);
  });

  test('goes on without Events and counters, and names the rights', async () => {
    const run = await probes('--context', `${lab.contextName}-viewer`, '--probe-metrics', '-o', 'json');
    expect(run.code).toBe(0);
    const { status } = JSON.parse(run.stdout) as Json;
    expect(status.signals.map(({ id, needs }: Json) => [id, needs])).toEqual([
      ['probes', 'list events'],
      ['probe-metrics', 'list nodes'],
    ]);
    expect(status.kinds.grpc).toBe(20);
  });

  test('needs pods', async () => {
    expectError(
      await probes('-A', '--context', `${lab.contextName}-viewer`),
      1,
      /^error: could not list pods in all namespaces: .*forbidden.*; needs a ClusterRole with list on pods$/,
    );
  });

  test('a namespace that does not exist is no empty one', async () => {
    expectError(
      await probes('-n', 'nope'),
      1,
      /^error: namespace nope does not exist in context .*; choose one with -n/,
    );
  });

  test('the diagnosis takes the counters along', async () => {
    const env = { KUBECONFIG: lab.kubeconfigPath };
    const run = await runProgram([lab.service, '--probe-metrics', '--no-exec', '--window', '1', '-o', 'json'], { env });
    const { status } = JSON.parse(run.stdout) as Json;
    expect(status.signals.find(({ id }: Json) => id === 'probe-metrics').state).toBe('complete');
    expect(status.probes[0].counted).toMatchObject({ failed: 0 });
  });
});

test('probes takes no argument, and no unknown flag', async () => {
  expectError(await runProgram(['probes', 'echo']), 2, /^error: probes takes no argument, not echo; choose with -n/);
  expectError(
    await runProgram(['probes', '-o', 'wide']),
    2,
    /^error: --output does not know wide; it takes json, table, yaml$/,
  );
  const help = await runProgram(['probes', '--help']);
  expect([help.code, help.stdout]).toEqual([
    0,
    expect.stringContaining('kubectl grpc-skew probes [-n NAMESPACE | -A]'),
  ]);
});

test('a Service of that name is reached as svc/probes', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  expectError(await cluster.run(['svc/probes', '--window', '0']), 1, /^error: services? probes not found/);
});

test('rbac leaves out what is as powerful as exec, unless it is asked for by name', async () => {
  expect((await runProgram(['rbac'])).stdout).not.toContain('nodes/proxy');
  const named = await runProgram(['rbac', '--for', 'probe-metrics']);
  expect(named.stdout).toMatch(
    /As powerful as exec in every pod of the node\.\n {2}- apiGroups: \[""\]\n {4}resources: \["nodes\/proxy"\]/,
  );
  expect(named.stdout).toMatch(/kind: ClusterRole/);
});

describe('probes --from', () => {
  const folder = fileURLToPath(new URL('../recordings/probe-broken', import.meta.url));

  test('a folder of raw answers and a record of it count the same probes', async ({ onTestFinished }) => {
    const record = join(temporaryFolder(onTestFinished), 'seen.json');
    await runProgram(['--from', folder, '-o', 'json', '--record', record]);
    const [whole, own] = await Promise.all(
      [[folder, '--probe-metrics'], [record]].map(async (from) => {
        const run = await runProgram(['probes', '-o', 'json', '--from', ...from]);
        expectNoTrace(run);
        expect([from, run.code, run.stderr]).toEqual([from, 0, '']);
        return (JSON.parse(run.stdout) as Json).status;
      }),
    );
    // The folder has all pods of its namespace, the record those of the Service; all probes of gRPC are of these.
    expect(own.pods).toBeLessThanOrEqual(whole.pods);
    expect(own.grpcProbes).toEqual(whole.grpcProbes);
    expect(own.findings.map(({ id }: Json) => id)).toContain('unknown-service');
    expect(whole.findings.map(({ id }: Json) => id)).toContain('unknown-service');
  });

  test('takes no argument beside', async () => {
    expectError(
      await runProgram(['probes', 'echo', '--from', folder]),
      2,
      /^error: probes takes no argument, not echo/,
    );
  });
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureStatus } from '../../src/lab/api/answer.ts';
import { json } from '../kube/api-server.ts';
import { answerWith, type Cluster, type Json, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram } from './program.ts';

const once = ['--window', '0'];
const ports = (cluster: Cluster, ...list: readonly Json[]): void => {
  cluster.objects['service'].spec.ports = list;
  cluster.objects['endpointslices'].items[0].ports = list
    .filter(({ protocol }) => protocol !== 'UDP')
    .map(({ name, protocol = 'TCP', targetPort = 50051 }) => ({ name, protocol, port: targetPort }));
};

describe('what is asked for is not there', () => {
  test.concurrent('no such Service: the others are named', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['checkout', ...once, '--record', 'seen.json']);
    expectError(
      run,
      1,
      /^error: service checkout not found in namespace skew-scaleup \(context test\); services there: echo/,
    );
  });

  test.concurrent('a name of a workload or of a pod: how to ask for it', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    expectError(
      await cluster.run(['client', ...once]),
      1,
      /^error: service client not found .*; there is a deployment client: write deploy\/client; services there: echo/,
    );
    const name = cluster.objects['pods'].items[0].metadata.name;
    expectError(await cluster.run([name, ...once]), 1, new RegExp(`; there is a pod ${name}: write pod/${name}; `));
  }, 20_000);

  test.concurrent('a name of a workload that may not be seen: what is known is said', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(/deployments\/client/, answerWith(failureStatus(403, 'Forbidden', 'no')));
    expectError(
      await cluster.run(['client', ...once]),
      1,
      /^error: service client not found in namespace skew-scaleup \(context test\); services there: echo/,
    );
  });

  test.concurrent('a name that is nearly one: of a Service, a command, a namespace, a context', async ({
    onTestFinished,
  }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.objects['namespaces'] = {
      kind: 'List',
      metadata: {},
      items: ['skew-scaleup', 'prod'].map((name) => ({ metadata: { name } })),
    };
    expectError(await cluster.run(['ehco', ...once]), 1, /; did you mean echo\? services there: echo/);
    expectError(
      await cluster.run(['probs', ...once]),
      1,
      /^error: service probs not found .*; there is a command probes; /,
    );
    expectError(
      await cluster.run(['svc/probs', ...once]),
      1,
      /^error: service probs not found in namespace skew-scaleup \(context test\); services there: /,
    );
    expectError(
      await cluster.run(['echo', '-n', 'skew-scalup', ...once]),
      1,
      /^error: namespace skew-scalup does not exist in context test; did you mean skew-scaleup\? choose one with -n/,
    );
    expectError(
      await cluster.run(['echo', '--context', 'tset']),
      1,
      /^error: context "tset" does not exist; did you mean test\? The kubeconfig has: test$/,
    );
  }, 30_000);

  test.concurrent('no such namespace', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '-n', 'nowhere', ...once]);
    expectError(run, 1, /^error: namespace nowhere does not exist in context test; choose one with -n/);
  });

  test.concurrent('no such context, cluster or user', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    for (const what of ['context', 'cluster', 'user']) {
      const run = await cluster.run(['echo', `--${what}`, 'prod']);
      expectError(run, 1, new RegExp(`^error: ${what} "prod" does not exist; the kubeconfig has: test`));
    }
    expect(cluster.requests).toEqual([]);
  }, 20_000);

  test.concurrent('the answer is no Service', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(/services\/echo/, (_, response) => json(response, { kind: 'Tea', metadata: { name: 'echo' } }));
    expectError(
      await cluster.run(['echo', ...once]),
      1,
      /is no Service; is --server the address of a Kubernetes API\?$/,
    );
  });
});

describe('Services that are odd', () => {
  test.concurrent('ExternalName', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.objects['service'].spec = { type: 'ExternalName', externalName: 'db.example.com' };
    const run = await cluster.run(['echo', ...once]);
    expectError(run, 1, /^error: service echo is an ExternalName for db\.example\.com: it has no pods to compare; /);
  });

  test.concurrent('no selector, and endpoints that are no pods', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    delete cluster.objects['service'].spec.selector;
    const [slice] = cluster.objects['endpointslices'].items;
    for (const endpoint of slice.endpoints) delete endpoint.targetRef;
    const run = await cluster.run(['echo', ...once]);
    expectError(run, 1, /^error: service echo has no selector and its 10 endpoints name no pods/);
  });

  test.concurrent('no selector, and endpoints that are pods: diagnosed', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    delete cluster.objects['service'].spec.selector;
    const run = await cluster.run(['echo', ...once, '-o', 'json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout).status.verdict.state).toBe('skewed');
  });

  test.concurrent('no endpoint is ready', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    for (const endpoint of cluster.objects['endpointslices'].items[0].endpoints) endpoint.conditions.ready = false;
    const run = await cluster.run(['echo', ...once]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/not ready/i);
    expectNoTrace(run);
  });

  test.concurrent('no endpoints at all', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.objects['endpointslices'].items = [];
    cluster.objects['pods'].items = [];
    const run = await cluster.run(['echo', ...once]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/no (pod|endpoint)s?/i);
    expectNoTrace(run);
  });

  test.concurrent('a null list, as Go writes an empty one', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.objects['endpointslices'].items = null;
    const run = await cluster.run(['echo', ...once, '-o', 'json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout).status.verdict.state).not.toBe('balanced');
  });

  test.concurrent('several ports, one of which looks like gRPC: taken, and said so', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    ports(cluster, { name: 'http', port: 80 }, { name: 'grpc', port: 50051 });
    const run = await cluster.run(['echo', ...once]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/port grpc \(50051\) taken of http \(80\), grpc \(50051\)/);
  });

  test.concurrent('several ports that look like gRPC: one look, a verdict each', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    ports(cluster, { name: 'grpc', port: 50051 }, { name: 'grpc-admin', port: 50052, targetPort: 50052 });
    // The recorded pods have all their connections at 50051.
    const run = await cluster.run(['echo', ...once, '-o', 'json', '--fail-on', 'skewed', '--record', 'both.json']);
    expect([run.code, run.stderr]).toEqual([3, '']);
    const list = JSON.parse(run.stdout);
    expect([list.kind, list.metadata.name]).toEqual(['SkewReportList', 'echo']);
    expect(list.items.map((one: Json) => [one.spec.port.name, one.status.verdict.state])).toEqual([
      ['grpc', 'skewed'],
      ['grpc-admin', 'no-traffic'],
    ]);
    const pods = cluster.requests.filter((line) => line.includes('/exec?')).map((line) => line.split('?')[0]);
    expect([pods.length, new Set(pods).size]).toEqual([10, 10]);
    expect(cluster.requests.find((line) => line.includes('/exec?'))).toMatch(/50051.*50052/);

    const record = join(cluster.folder, 'both.json');
    const again = await runProgram(['--from', record, '-o', 'json', '--fail-on', 'not-load-balancing,no-traffic']);
    expect([again.code, again.stdout]).toEqual([3, run.stdout]);
    const one = await runProgram(['--from', record, '--port', 'grpc-admin', '-o', 'json', '--fail-on', 'skewed']);
    expect([one.code, JSON.parse(one.stdout).kind]).toEqual([0, 'SkewReport']);
    const { stdout } = await runProgram(['--from', record]);
    const lines = stdout.split('\n');
    expect(lines.filter((line) => /svc\/echo :5005[12] grpc/.test(line))).toHaveLength(2);
    for (const shared of [/^measured .* execs /, /^port .*choose one with --port/])
      expect(lines.filter((line) => shared.test(line)).length, String(shared)).toBeLessThanOrEqual(1);
    const fix = await runProgram(['fix', '--from', record]);
    expectError(fix, 2, /several look like gRPC; choose one with --port: grpc \(50051\), grpc-admin \(50052\)$/);
  }, 30_000);

  test.concurrent('several ports, and none looks like gRPC: asks', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    ports(cluster, { name: 'http', port: 80 }, { name: 'admin', port: 81 });
    const run = await cluster.run(['echo', ...once]);
    expectError(
      run,
      2,
      /^error: service echo has 2 TCP ports and none looks like gRPC; choose one with --port: http \(80\), admin \(81\)$/,
    );
    expect(cluster.requests.filter((line) => line.includes('/exec'))).toEqual([]);
    const chosen = await cluster.run(['echo', ...once, '--port', 'admin', '-o', 'json']);
    expect(JSON.parse(chosen.stdout).spec.port).toMatchObject({ name: 'admin', port: 81 });
  });

  test.concurrent('a port that it has not', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', ...once, '--port', '99']);
    expectError(run, 2, /^error: service echo has no TCP port 99; its TCP ports: grpc \(50051\)/);
  });

  test.concurrent('UDP only, and no ports', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    ports(cluster, { name: 'dns', port: 53, protocol: 'UDP' });
    expectError(
      await cluster.run(['echo', ...once]),
      1,
      /^error: service echo has no TCP port, only UDP; gRPC runs over TCP/,
    );
    ports(cluster);
    expectError(await cluster.run(['echo', ...once]), 1, /^error: service echo has no ports; /);
  });
});

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram } from './program.ts';

const recordings = fileURLToPath(new URL('../recordings', import.meta.url));
const skewed = join(recordings, 'skew-scaleup');

describe('fix', () => {
  test.concurrent('as text, of one recorded Service', async () => {
    const run = await runProgram(['fix', '--from', skewed, '--language', 'node']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    await expect(run.stdout).toMatchFileSnapshot('golden/fix-skew-scaleup.txt');
    expectNoTrace(run);
  });

  test.concurrent.each(['skew-scaleup', 'named-port', 'headless-scaleup', 'two-services'])(
    '-o yaml of %s: manifests and nothing else',
    async (name) => {
      const args = ['fix', '--from', join(recordings, name), '--strategy', 'l7-proxy', '--mesh', 'istio', '-o', 'yaml'];
      const run = await runProgram(args);
      expect([run.code, run.stderr]).toEqual([0, '']);
      const documents = parseAllDocuments(run.stdout);
      expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
      expect(documents.map((document) => document.toJS().kind)).toContain('DestinationRule');
    },
  );

  test.concurrent('for a mesh: the pods of clients and server get a sidecar, their namespace stays as it is', async () => {
    const run = await runProgram(['fix', '--from', skewed, '--strategy', 'l7-proxy', '--mesh', 'istio', '-o', 'yaml']);
    const objects = parseAllDocuments(run.stdout).map((document) => document.toJS());
    expect(objects.map(({ kind }) => kind)).not.toContain('Namespace');
    const sidecar = { template: { metadata: { labels: { 'sidecar.istio.io/inject': 'true' } } } };
    const templates = objects.filter(({ kind }) => kind === 'Deployment');
    expect(templates.map(({ metadata }) => metadata.name).toSorted()).toEqual(['client', 'echo']);
    expect(templates.map(({ spec }) => spec)).toEqual([sidecar, sidecar]);
  });

  test.concurrent('of a port named grpclb: the second Service sends no client to a balancer', async ({
    onTestFinished,
  }) => {
    const cluster = await startCluster(onTestFinished);
    const { spec } = cluster.objects['service'];
    spec.ports[0].name = 'grpclb';
    for (const { ports } of cluster.objects['endpointslices'].items) ports[0].name = 'grpclb';
    const args = [
      'fix',
      'echo',
      '--port',
      '50051',
      '--window',
      '0',
      '--strategy',
      'headless-round-robin',
      '-o',
      'yaml',
    ];
    const run = await cluster.run(args);
    expect(run.code).toBe(0);
    const [service] = parseAllDocuments(run.stdout).map((document) => document.toJS());
    expect(service.spec.ports.map(({ name }: { name: string }) => name)).toEqual(['grpc']);
    expect(run.stdout).not.toMatch(/grpclb/);
  });

  test.concurrent('of a cluster: diagnoses, prints, and changes nothing', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['fix', 'svc/echo', '--window', '0', '--language', 'go']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/printed, not applied/);
    expect(run.stdout).toMatch(/name: echo-headless/);
    expect(run.stdout).toMatch(/MaxConnectionAge: +300 \* time\.Second/);
    const writes = cluster.requests.filter((line) => !/^GET /.test(line));
    expect(writes).toEqual([]);
    expectNoTrace(run);
  });

  test.concurrent('of several gRPC ports: asks for one before it runs any command', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const { spec } = cluster.objects['service'];
    spec.ports.push({ ...spec.ports[0], name: 'grpc-admin', port: 50052, targetPort: 50052 });
    const run = await cluster.run(['fix', 'echo']);
    expectError(run, 2, /several look like gRPC; choose one with --port: .*grpc-admin \(50052\)/);
    expect(run.stderr).not.toMatch(/execs/);
    expect(cluster.requests.filter((line) => line.includes('/exec'))).toEqual([]);
  });

  test.concurrent('of a Service that is not there', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    expectError(await cluster.run(['fix', 'nope']), 1, /^error: .*not found/);
  });

  test.concurrent.each([
    [['fix'], /^error: no Service is named; write kubectl grpc-skew fix SERVICE$/],
    [
      ['fix', 'echo', '--strategy', 'proxyless-xds', '--language', 'csharp'],
      /^error: proxyless-xds does not work with clients in C#: .*; instead: /,
    ],
    [
      ['fix', 'echo', '--strategy', 'headless-round-robin', '--languages', 'dart'],
      /^error: headless-round-robin does not work with clients in Dart: /,
    ],
    [['fix', 'echo', '--strategy', 'hope'], /^error: --strategy does not know hope; it takes cluster-ip, /],
    [
      ['fix', 'echo', '--mesh', 'consul'],
      /^error: --mesh does not know consul; it takes cilium, gateway, istio, linkerd$/,
    ],
    [['fix', 'echo', '--language', 'mixed'], /^error: --language does not know mixed; /],
    [['fix', 'echo', '-o', 'json'], /^error: --output does not know json; it takes yaml$/],
    [['fix', 'echo', '--fail-on', 'skewed'], /^error: unknown flag --fail-on/],
    [['fix', 'echo', 'other'], /^error: one Service at a time/],
  ] as const)('wrong usage: %j', async (args, line) => {
    const run = await runProgram([...args]);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr.trimEnd().split('\n').at(-1)).toMatch(line);
  });

  test.concurrent('--help', async () => {
    const run = await runProgram(['fix', '--help']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/nothing is applied/);
    expect(run.stdout).toMatch(/--mesh MESH +What chooses/);
    expect(run.stdout).not.toMatch(/--fail-on/);
  });
});

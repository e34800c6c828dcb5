import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import type { Json } from './cluster.ts';
import { expectError, expectNoTrace, type Run, runProgram, temporaryFolder } from './program.ts';

describe('scan, against the lab', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab({ scenario: 'scale-up' });
    await lab.ready;
  });
  afterAll(() => lab.stop());

  const scan = (...args: readonly string[]): Promise<Run> =>
    runProgram(['scan', ...args], { env: { KUBECONFIG: lab.kubeconfigPath } });
  const execs = () => lab.requests.filter((request) => request.path.includes('/exec')).length;

  test('finds the skew by CPU alone: one list of each kind, and no command in any pod', async () => {
    const before = lab.requests.length;
    const run = await scan('-o', 'json');
    expectNoTrace(run);
    expect([run.code, run.stderr]).toEqual([0, '1 service, 1 looks like gRPC\n']);
    const paths = lab.requests.slice(before).map((request) => new URL(request.path, 'http://lab').pathname);
    expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual(['endpointslices', 'pods', 'pods', 'services']);
    const { status, ...head } = JSON.parse(run.stdout) as Json;
    expect(head).toMatchObject({ kind: 'SkewScan', metadata: { namespace: 'shop' } });
    expect(status.items).toMatchObject([
      { namespace: 'shop', name: 'echo', sign: 'port-name', state: 'skewed', basis: 'cpu', pods: 10, execs: 0 },
    ]);
    expect(execs()).toBe(0);
  });

  test('--fail-on is met', async () => {
    expect((await scan('-A', '--fail-on', 'no-traffic')).code).toBe(0);
    const run = await scan('-A', '--fail-on', 'skewed');
    expect(run.code).toBe(3);
    expect(run.stdout).toMatch(/^shop\/echo:50051 +skewed +cpu/m);
    expect(run.stdout).toMatch(/^ +kubectl grpc-skew svc\/echo -n shop --context grpc-skew-lab \\\n +--port 50051$/m);
  });

  test('cannot tell without usage: 4', async () => {
    const run = await scan('--context', `${lab.contextName}-viewer`, '--fail-on', 'skewed');
    expect(run.code).toBe(4);
    expect(run.stdout).toMatch(/^echo:50051 +unknown/m);
    expect(run.stdout).toMatch(/usage \(needs list pods\.metrics\.k8s\.io\)/);
  });

  test('--connections looks into the pods as a diagnosis does', async () => {
    const before = execs();
    const run = await scan('--connections', '--window', '0', '-o', 'json');
    expect(run.code).toBe(0);
    expect(run.stderr).toBe('1 service, 1 looks like gRPC\n1 of 1: shop/echo\n10 execs in 10 pods\n');
    const [item] = (JSON.parse(run.stdout) as Json).status.items;
    expect(item).toMatchObject({ state: 'skewed', idlePods: 7, execs: 10 });
    expect(execs() - before).toBe(10);
  });

  test('-l asks for the Services with these labels', async () => {
    const names = async (...selector: readonly string[]) => (await scan('-o', 'name', ...selector)).stdout;
    expect(await names()).toBe('service/echo\n');
    expect(await names('-l', 'app=echo')).toBe('service/echo\n');
    expect(await names('--selector', 'app notin (echo),app')).toBe('');
    const asked = new URL(lab.requests.findLast(({ path }) => /\/services\b/.test(path))?.path ?? '', 'http://lab');
    expect(asked.searchParams.get('labelSelector')).toBe('app notin (echo),app');
    expectError(await scan('-l', 'a b c'), 1, /^error: .*unable to parse requirement/);
  });

  test('--no-headers, and other commands take the names', async () => {
    const run = await scan('--no-headers', '--sort-by', 'name');
    expect(run.stdout).toMatch(/^echo:50051 +skewed +cpu .* port-name\n$/);
    const next = await runProgram(
      (await scan('-o', 'name')).stdout.trim().split('\n').concat('-o', 'json', '--no-exec'),
      {
        env: { KUBECONFIG: lab.kubeconfigPath },
      },
    );
    expect(JSON.parse(next.stdout).metadata.name).toBe('echo');
  });

  test('needs to list Services', async () => {
    expectError(
      await scan('-A', '--context', `${lab.contextName}-viewer`),
      1,
      /^error: could not list services in all namespaces: .*; needs a ClusterRole with list on services$/,
    );
  });

  test('a namespace that does not exist is no empty one', async () => {
    const run = await scan('-n', 'nope');
    expectError(run, 1, /^error: namespace nope does not exist in context .*; choose one with -n, or all with -A$/);
  });
});

describe('scan --from', () => {
  const folder = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));

  test('a folder of raw answers: its Service, without a command', async () => {
    const run = await runProgram(['scan', '--from', folder, '-o', 'json']);
    expectNoTrace(run);
    expect(run.code).toBe(0);
    const { items, signals } = (JSON.parse(run.stdout) as Json).status;
    expect(items).toMatchObject([{ name: 'echo', pods: 10, execs: 0 }]);
    expect(signals).toContainEqual(expect.objectContaining({ id: 'connections', state: 'skipped' }));
  });

  test('a folder with --connections, and a record: what the diagnosis says of it', async ({ onTestFinished }) => {
    const record = join(temporaryFolder(onTestFinished), 'seen.json');
    const diagnosis = await runProgram(['--from', folder, '-o', 'json', '--record', record]);
    const { verdict, causes } = (JSON.parse(diagnosis.stdout) as Json).status;
    for (const args of [[folder, '--connections'], [record]]) {
      const run = await runProgram(['scan', '--from', ...args, '-o', 'json', '--fail-on', 'skewed']);
      expectNoTrace(run);
      expect([args, run.code]).toEqual([args, 3]);
      const { state, summary } = verdict;
      expect((JSON.parse(run.stdout) as Json).status.items).toMatchObject([{ state, summary, cause: causes[0].id }]);
    }
  });

  test('what is not there, or no record', async () => {
    expectError(await runProgram(['scan', '--from', 'no/such']), 1, /^error: no\/such: no such file or folder; name a/);
    expectError(
      await runProgram(['scan', '--from', join(folder, 'pods.json')]),
      1,
      /^error: .*pods\.json is no record of grpc-skew/,
    );
  });
});

test('wrong usage', async () => {
  expectError(await runProgram(['scan', 'echo']), 2, /^error: scan takes no argument, not echo; choose with -n/);
  expectError(
    await runProgram(['scan', '--sort-by', 'cpu']),
    2,
    /^error: --sort-by does not know cpu; it takes harm, /,
  );
  expectError(
    await runProgram(['scan', '-l', 'app=echo', '--from', 'x']),
    2,
    /^error: --selector is asked of a cluster, and --from reads what was recorded; leave one of them out$/,
  );
  expectError(await runProgram(['scan', '--fail-on', 'balanced']), 2, /^error: --fail-on does not know balanced/);
  const help = await runProgram(['scan', '--help']);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('kubectl grpc-skew scan [-n NAMESPACE | -A]')]);
});

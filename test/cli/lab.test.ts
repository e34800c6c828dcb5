import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startLab } from '../../src/lab/lab.ts';
import type { Json } from './cluster.ts';
import { expectError, expectNoTrace, programPath, runProgram, temporaryFolder } from './program.ts';

const json = ['--window', '0', '-o', 'json'];

describe('every scenario, from the command line', () => {
  test.concurrent.each([
    ['scale-up', 'skewed', 'connections', 'complete'],
    ['balanced', 'balanced', 'connections', 'complete'],
    ['pick-first', 'skewed', 'connections', 'complete'],
    ['no-ss', 'skewed', 'connections', 'complete'],
    ['no-rights', null, 'connections', 'forbidden'],
  ])('%s', async (scenario, state, signal, signalState) => {
    const run = await runProgram(['lab', scenario, ...json]);
    expectNoTrace(run);
    expect(run.code).toBe(0);
    expect(run.seconds).toBeLessThan(15);
    expect(run.stderr).toMatch(new RegExp(`^lab: ${scenario}: .*\\n$`));
    const { status } = JSON.parse(run.stdout) as Json;
    if (state !== null) expect(status.verdict.state).toBe(state);
    expect(status.signals.find((one: Json) => one.id === signal).state).toBe(signalState);
  });

  test.concurrent('many clients: a connection age is enough', async () => {
    const run = await runProgram(['lab', '--clients', '60', ...json]);
    const { recommendation } = (JSON.parse(run.stdout) as Json).status;
    expect(recommendation).toMatchObject({ strategy: 'max-connection-age', action: 'adopt' });
    expect(run.seconds).toBeLessThan(15);
  });

  test.concurrent('--fail-on', async () => {
    expect((await runProgram(['lab', 'balanced', '--window', '0', '--fail-on', 'skewed'])).code).toBe(0);
    const skewed = await runProgram(['lab', '--window', '0', '--fail-on', 'skewed']);
    expect([skewed.code, /^SKEWED/m.test(skewed.stdout)]).toEqual([3, true]);
  });
});

test('two labs at once do not meet', async () => {
  const [one, two] = await Promise.all([runProgram(['lab', ...json]), runProgram(['lab', 'balanced', ...json])]);
  expect([one, two].map((run) => JSON.parse(run.stdout).status.verdict.state)).toEqual(['skewed', 'balanced']);
});

describe('a lab leaves nothing behind', () => {
  const shell = (script: string, temporary: string) =>
    runProgram([], {
      command: ['/bin/sh', '-c', script.replace('PROGRAM', `"${process.execPath}" "${programPath}"`)],
      env: { TMPDIR: temporary },
    });

  test.concurrent.each([
    ['its reader has gone', '{ PROGRAM lab --window 0 -o json; echo $? >&2; } | head -1', /^lab: .*\n0\n$/],
    ['its reader has gone, and it serves', '{ PROGRAM lab --serve; echo $? >&2; } | true', /^lab: .*\n0\n$/],
    [
      'the disk is full',
      'PROGRAM lab --window 0 -o json >/dev/full; echo $? >&2',
      /^lab: .*\nerror: could not write to stdout: .*\n1\n$/,
    ],
  ])('when %s', async (_name, script, stderr) => {
    const clean: (() => void | Promise<void>)[] = [];
    const temporary = temporaryFolder((one) => clean.push(one));
    const run = await shell(script, temporary);
    const left = readdirSync(temporary);
    for (const one of clean) await one();
    expect(run.stderr).toMatch(stderr);
    expect(left).toEqual([]);
  });

  test.concurrent('when it cannot start: one line, exit 1', async () => {
    const run = await runProgram(['lab'], { env: { TMPDIR: '/no/such/folder' } });
    expectError(run, 1, /^error: the lab failed: .*; it needs free addresses .* and a folder for temporary files$/);
  });
});

const hasKubectl = (() => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasKubectl)(
  'lab --serve: kubectl and the program work on it; Ctrl-C ends it with 0, and nothing is left',
  async ({ onTestFinished }) => {
    const temporary = temporaryFolder(onTestFinished);
    const controller = new AbortController();
    let printed = '';
    let ready = (): void => {};
    const served = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const running = runProgram(['lab', '--serve'], {
      env: { TMPDIR: temporary },
      interrupt: controller.signal,
      onOutput(text) {
        printed = text;
        if (/Ctrl-C ends the lab/.test(text)) ready();
      },
      timeoutMs: 40_000,
    });
    await served;
    const kubeconfig = /^export KUBECONFIG=(\S+)$/m.exec(printed)?.[1] ?? '';
    const pods = await new Promise<string>((resolve) => {
      const env = { PATH: process.env['PATH'], HOME: temporary, KUBECONFIG: kubeconfig };
      execFile(
        'kubectl',
        ['get', 'pods', '--cache-dir', `${dirname(kubeconfig)}/cache`],
        { env },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      );
    });
    expect(pods).toMatch(/^NAME +READY +STATUS/);
    expect(pods.trim().split('\n')).toHaveLength(15);
    const run = await runProgram(['echo', '--window', '0', '-o', 'json'], { env: { KUBECONFIG: kubeconfig } });
    expect(JSON.parse(run.stdout).status.verdict.state).toBe('skewed');
    const server = execFileSync('grep', ['server:', kubeconfig]).toString();
    const port = Number(/:(\d+)\s*$/.exec(server)?.[1]);
    controller.abort();
    const ended = await running;
    expect([ended.code, ended.signal]).toEqual([0, null]);
    expectNoTrace(ended);
    expect(existsSync(kubeconfig)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await refuses(port)).toBe('ECONNREFUSED');
  },
  45_000,
);

function refuses(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('connected'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

/** A workload costs no question more: its object takes the place of the Service, which is in the list of Services. */
test.each([
  ['echo', '', 12],
  ['deploy/echo', 'deployment echo is behind service echo: diagnosing that\n', 12],
] as const)('a diagnosis of %s only reads, and keeps its budget', async (target, said, most) => {
  const lab = await startLab({ scenario: 'scale-up' });
  try {
    await lab.ready;
    const env = { KUBECONFIG: lab.kubeconfigPath };
    const run = await runProgram([target, '--window', '0.2', '-o', 'json'], { env });
    expect([run.code, run.stderr]).toEqual([0, said]);
    const execs = lab.requests.filter(({ path }) => path.includes('/exec?'));
    const pages = lab.requests.filter(({ path }) => /:\d+\/proxy\/metrics/.test(path));
    const prometheus = lab.requests.filter(({ path }) => path.startsWith('/api/v1/namespaces/monitoring/'));
    const counted = new Set([...execs, ...pages, ...prometheus]);
    const others = lab.requests.filter((request) => !counted.has(request));
    for (const { method, path } of lab.requests) expect([path, method]).toEqual([path, 'GET']);
    for (const pod of new Set(execs.map(({ path }) => path.split('?')[0])))
      expect(execs.filter(({ path }) => path.split('?')[0] === pod).length).toBeLessThanOrEqual(2);
    expect(execs).toHaveLength(20);
    expect(pages.length).toBeLessThanOrEqual(20);
    expect(others.length).toBeLessThanOrEqual(most);
    // One list of Services leads to it; three questions about now, two about the last hour.
    expect(prometheus.length).toBe(6);
    expect(lab.requests.some(({ path }) => path.includes('secrets'))).toBe(false);
    const maps = lab.requests.filter(({ path }) => path.includes('configmaps'));
    // How the cluster's own proxy chooses: the mode alone is kept of it.
    expect(maps.map(({ path }) => path)).toEqual(['/api/v1/namespaces/kube-system/configmaps/kube-proxy']);
    for (const { path } of execs) expect(new URL(path, 'http://x').searchParams.getAll('command')[0]).toBe('ss');
  } finally {
    await lab.stop();
  }
});

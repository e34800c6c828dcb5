import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { webSocket } from '../kube/exec-server.ts';
import { startCluster } from './cluster.ts';
import { expectNoTrace, type Run, runProgram, temporaryFolder } from './program.ts';

function expectInterrupted(run: Run, seconds: number): void {
  expect([run.code, run.signal, run.stdout]).toEqual([130, null, '']);
  expect(run.seconds).toBeLessThan(seconds);
  expectNoTrace(run);
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test.concurrent('during the window: 130, and what was seen is recorded', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '--window', '60', '-v1', '--record', 'seen.json'], {
      signalAfter: { text: /clients: \d+ (addresses|pods)|10 of 10 pods/, signal },
    });
    expectInterrupted(run, 15);
    expect(JSON.parse(readFileSync(join(cluster.folder, 'seen.json'), 'utf8')).kind).toBe('SkewEvidence');
    expect(readdirSync(cluster.folder).sort()).toEqual(['config', 'seen.json']);
  });

  test.concurrent('while a lab runs: 130, and nothing is left behind', async ({ onTestFinished }) => {
    const temporary = temporaryFolder(onTestFinished);
    const run = await runProgram(['lab', '--window', '60', '-v1'], {
      env: { TMPDIR: temporary },
      signalAfter: { text: /looking into/, signal },
    });
    expectInterrupted(run, 15);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.concurrent('while a lab starts', async ({ onTestFinished }) => {
    const temporary = temporaryFolder(onTestFinished);
    const run = await runProgram(['lab', '--window', '60'], {
      env: { TMPDIR: temporary },
      signalAfter: { text: /^lab: /, signal },
    });
    expectInterrupted(run, 15);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

test.each([
  ['--from', ['--from', 'pipe', '-v1']],
  ['--baseline', ['echo', '--baseline', 'pipe']],
  ['--prometheus-token-file', ['echo', '--prometheus', 'http://127.0.0.1:9', '--prometheus-token-file', 'pipe']],
])('while nobody writes into the pipe of %s', async (_, args) => {
  const folder = temporaryFolder(onTestFinished);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  // Both ends: the reader waits for a writer that is there and says nothing.
  const held = openSync(join(folder, 'pipe'), 'r+');
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1500);
  const run = await runProgram(args, { cwd: folder, interrupt: controller.signal });
  closeSync(held);
  expectInterrupted(run, 10);
});

test('while nothing answers', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  cluster.on(/./, () => {});
  const run = await cluster.run(['echo', '-v1'], { signalAfter: { text: /service: asking/, signal: 'SIGINT' } });
  expectInterrupted(run, 8);
});

test('while a workload is looked up', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  let reached = (): void => {};
  const asked = new Promise<void>((resolve) => {
    reached = resolve;
  });
  cluster.on(/deployments/, () => reached());
  const controller = new AbortController();
  const running = cluster.run(['deploy/echo'], { interrupt: controller.signal });
  await asked;
  controller.abort();
  expectInterrupted(await running, 8);
});

test('while a command in a pod hangs', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  cluster.exec = () => webSocket(() => {});
  const run = await cluster.run(['echo'], { signalAfter: { text: /looking into/, signal: 'SIGINT' } });
  expectInterrupted(run, 8);
});

test('while a credential plugin runs: it ends as well', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const plugin = join(folder, 'plugin');
  writeFileSync(plugin, `#!/bin/sh\necho $$ > ${folder}/pid\necho 'open the browser' >&2\nexec sleep 60\n`);
  chmodSync(plugin, 0o755);
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command: plugin };
  const cluster = await startCluster(onTestFinished, { user: { exec } });
  const run = await cluster.run(['echo'], { signalAfter: { text: /open the browser/, signal: 'SIGINT' } });
  expectInterrupted(run, 8);
  const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inputs, readInput } from '../../src/files/read.ts';
import { loadConnection } from '../../src/kube/config/files.ts';
import { startCluster } from '../cli/cluster.ts';
import { expectError, type OnTestFinished, programPath, runProgram, temporaryFolder } from '../cli/program.ts';
import { kubeconfig, testHost } from '../kube/open-client.ts';
import { runMeasured } from './peak.ts';

const recording = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));

/** What may stand in the place of a file, and how it is called. */
const others: readonly (readonly [what: string, make: (path: string) => void, words: RegExp])[] = [
  ['a pipe', (path) => void execFileSync('mkfifo', [path]), /it is a pipe, not a file/],
  ['an endless device', (path) => symlinkSync('/dev/zero', path), /it is a device, not a file/],
  ['a directory', (path) => mkdirSync(path), /it is a directory, not a file/],
  ['too long a file', (path) => sparse(path, 65 << 20), /it is longer than \d+ MiB/],
];

/** A file of zeros that takes no room on the disk. */
function sparse(path: string, bytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
}

/** Runs within seconds and little memory, whatever stands there. */
async function quick(args: readonly string[], options: Parameters<typeof runMeasured>[1] = {}) {
  const run = await runMeasured(args, options);
  expect(run.seconds).toBeLessThan(15);
  expect(run.peak).toBeLessThan(400);
  return run;
}

describe.each(others)('%s in a folder of recorded answers', (_what, make, words) => {
  const replaced = (onTestFinished: OnTestFinished, file: string): string => {
    const folder = join(temporaryFolder(onTestFinished), 'recording');
    cpSync(recording, folder, { recursive: true });
    rmSync(join(folder, file));
    make(join(folder, file));
    return folder;
  };

  test.concurrent.each(['service.json', 'pods.json'])('as %s: one line', async (file) => {
    const clean: (() => void | Promise<void>)[] = [];
    const run = await quick(['--from', replaced((one) => clean.push(one), file)]);
    expectError(run, 1, words);
    expect(run.stderr).toContain(file);
    for (const one of clean) await one();
  });

  test.concurrent('as Events and as the output of a command: the diagnosis goes on', async ({ onTestFinished }) => {
    const folder = replaced(onTestFinished, 'events.json');
    const first = readdirSync(join(folder, 'pod')).find((pod) => pod.startsWith('echo-')) ?? '';
    rmSync(join(folder, 'pod', first, 'ss-tni.txt'));
    make(join(folder, 'pod', first, 'ss-tni.txt'));
    const run = await quick(['--from', folder, '-o', 'json', '--record', join(folder, 'record.json')]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const { signals } = JSON.parse(run.stdout).status;
    const reasonOf = (id: string) => signals.find((one: { id: string }) => one.id === id);
    expect(reasonOf('probes')).toMatchObject({ state: 'partial', reason: expect.stringMatching(words) });
    expect(reasonOf('connections')).toMatchObject({ state: 'partial', reason: expect.stringMatching(words) });
    expect((await runProgram(['--from', join(folder, 'record.json')])).code).toBe(0);
  });
});

describe.each(others)('%s where a kubeconfig names a file', (what, make, words) => {
  test.concurrent.each([
    ['tokenFile', { tokenFile: 'file' }, {}],
    ['client-certificate', { 'client-certificate': 'file', 'client-key-data': 'eA==' }, {}],
    ['client-key', { 'client-certificate-data': 'eA==', 'client-key': 'file' }, {}],
    ['certificate-authority', {}, { 'certificate-authority': 'file', 'certificate-authority-data': undefined }],
  ])('as %s', async (_field, user, cluster) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    make(join(folder, 'file'));
    writeFileSync(join(folder, 'config'), kubeconfig('https://127.0.0.1:9', user, cluster));
    const run = await quick(['echo'], { env: { KUBECONFIG: join(folder, 'config') } });
    expectError(run, 1, words);
    expect(run.stderr).toContain(join(folder, 'file'));
    for (const one of clean) await one();
  });

  test
    .skipIf(what === 'a pipe')
    .concurrent('as the kubeconfig itself, in a list of them', async ({ onTestFinished }) => {
      const folder = temporaryFolder(onTestFinished);
      make(join(folder, 'file'));
      expectError(
        await quick(['echo'], { env: { KUBECONFIG: `${join(folder, 'no')}:${join(folder, 'file')}` } }),
        1,
        words,
      );
      expectError(await quick(['echo', '--kubeconfig', join(folder, 'file')]), 1, words);
    });

  test.concurrent('as the token of a service account', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    make(join(folder, 'token'));
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '9' };
    const loaded = await loadConnection({}, testHost({ env, homeDirectory: folder }), folder);
    expect(loaded).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no cluster is configured') },
    });
  });
});

describe('one file may be a pipe', () => {
  const record = async (folder: string) => {
    const path = join(folder, 'seen.json');
    expect((await runProgram(['--from', recording, '--record', path])).code).toBe(0);
    return path;
  };
  /** As a shell starts it, so that `<(…)` is its own. */
  const inShell = (line: string, folder: string, env: Record<string, string> = {}) =>
    runProgram(['-c', line, process.execPath, programPath], { command: ['bash'], cwd: folder, env });

  test.concurrent('--from and --baseline', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    await record(folder);
    const plain = await runProgram(['--from', 'seen.json', '--baseline', 'seen.json', '-o', 'json'], { cwd: folder });
    const piped = await inShell('"$0" "$1" --from <(cat seen.json) --baseline <(cat seen.json) -o json', folder);
    const names = (text: string) => text.replaceAll(/\/dev\/fd\/\d+/g, 'seen.json');
    expect([piped.code, names(piped.stdout)]).toEqual([0, plain.stdout]);
    const stdin = await inShell('cat seen.json | "$0" "$1" --from - -o json', folder);
    const file = await inShell('"$0" "$1" --from - -o json < seen.json', folder);
    const without = await runProgram(['--from', 'seen.json', '-o', 'json'], { cwd: folder });
    expect([stdin.stdout, file.stdout]).toEqual([without.stdout, without.stdout]);
  });

  test.concurrent('an endless one: cut off', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const run = await inShell('"$0" "$1" --from <(cat /dev/zero)', folder);
    expectError(run, 1, /^error: \/dev\/fd\/\d+ cannot be read: it is longer than 128 MiB; /);
    expectError(await inShell('"$0" "$1" echo --kubeconfig <(yes a)', folder), 1, /it is longer than 8 MiB/);
  });

  test.concurrent('the kubeconfig; and /dev/null is an empty one', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await inShell('KUBECONFIG=<(cat "$KUBECONFIG") "$0" "$1" echo --window 0', cluster.folder, {
      KUBECONFIG: cluster.kubeconfigPath,
    });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('svc/echo')]);
    const none = await runProgram(['echo'], { env: { KUBECONFIG: '/dev/null' } });
    expectError(none, 1, /no cluster is configured in \/dev\/null/);
  });

  test.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends the wait for it', async (signal) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    // To open it for writing waits for the reader.
    const line = `(exec 3>pipe; kill -${signal.slice(3)} $$; sleep 1) & exec "$0" "$1" echo --kubeconfig pipe`;
    const run = await inShell(line, folder);
    expect([run.code, run.stdout]).toEqual([130, '']);
    for (const one of clean) await one();
  });
});

describe('a file that does not come', () => {
  test('is waited for no longer than the caller wants', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const read = await readInput(join(folder, 'pipe'), inputs.record, AbortSignal.timeout(50));
    expect(read).toEqual(new Error('interrupted'));
  });

  test.each(Object.entries(inputs))('%s: a byte more than it may have is too much', async (name, kind) => {
    const folder = temporaryFolder((clean) => void clean);
    const path = join(folder, name);
    const small = { ...kind, mostBytes: 1 << 20 };
    writeFileSync(path, 'x'.repeat(small.mostBytes));
    expect(await readInput(path, small)).toHaveLength(small.mostBytes);
    writeFileSync(path, 'x'.repeat(small.mostBytes + 1));
    expect(await readInput(path, small)).toEqual(new Error('it is longer than 1 MiB'));
    rmSync(folder, { recursive: true });
  });
});

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeArchive } from '../../krew/archive.ts';
import { makeExecutable } from '../../krew/executable.ts';
import { isBuiltHere, nodeVersion, targets } from '../../krew/targets.ts';
import { type Run, runProgram } from '../cli/program.ts';
import { openTerminal } from '../tui/terminal.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const lines = (text: string) => text.trimEnd().split('\n');

const hasKubectl = (() => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test('the Node.js of the executables is the one of development', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(nodeVersion).toBe(devDependencies.node);
  // Their packages must be fetched anew with each version: an integrity that is left over is found when packaging.
  for (const { integrity } of targets.filter((target) => target.package !== undefined))
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
});

const target = targets.find(isBuiltHere);

describe.skipIf(target === undefined || process.versions.node !== nodeVersion)('the executable of this machine', () => {
  let folder: string;
  /** As krew leaves it: the archive unpacked into its store, the bin linked onto PATH, the rest beside it. */
  let link: string;
  let store: string;

  const make = (output: string) => makeExecutable({ bundle: 'dist', node: process.execPath, output, withCache: true });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'grpc-skew-executable-'));
    const stage = join(folder, 'stage');
    mkdirSync(stage);
    await make(join(stage, 'kubectl-grpc_skew'));
    writeFileSync(join(stage, 'LICENSE'), 'licence');
    // Compressing is the slow part, and krew unpacks whatever gzip makes.
    makeArchive(stage, join(folder, 'archive.tar.gz'), 1);
    store = join(folder, 'store');
    mkdirSync(store);
    execFileSync('tar', ['-xzf', join(folder, 'archive.tar.gz'), '-C', store]);
    mkdirSync(join(folder, 'bin'));
    link = join(folder, 'bin', 'kubectl-grpc_skew');
    symlinkSync(join(store, 'kubectl-grpc_skew'), link);
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Without any Node.js on PATH. */
  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
    runProgram(args, { command: [link], env: { PATH: '/usr/sbin:/bin', ...env }, timeoutMs: 100_000 });

  test('is executable for all, and its archive holds no more', () => {
    expect(readdirSync(store).sort()).toEqual(['LICENSE', 'kubectl-grpc_skew']);
    expect(statSync(join(store, 'kubectl-grpc_skew')).mode & 0o777).toBe(0o755);
  });

  test('version', async () => {
    expect(await run(['version'])).toMatchObject({ code: 0, stdout: `grpc-skew ${version}\n`, stderr: '' });
  });

  test('NODE_OPTIONS of the caller load nothing into it', async () => {
    const env = { NODE_OPTIONS: '--require=/no/such/file.js' };
    expect(await run(['version'], env)).toMatchObject({ code: 0, stderr: '' });
  });

  test('the same Evidence gives the same report as with Node.js', async () => {
    const args = ['--from', join(process.cwd(), 'test/recordings/skew-scaleup'), '-o', 'json'];
    const [inside, outside] = [await run(args), await runProgram(args, { timeoutMs: 100_000 })];
    expect(inside).toMatchObject({ code: 0, stdout: outside.stdout, stderr: outside.stderr });
    expect(JSON.parse(inside.stdout).kind).toBe('SkewReport');
  });

  test('a fault of the caller keeps its line and its exit code', async () => {
    const wrong = await run(['--nope']);
    expect([wrong.code, lines(wrong.stderr)]).toEqual([2, [expect.stringMatching(/^error: unknown flag --nope/)]]);
  });

  test.skipIf(!hasKubectl)('kubectl runs it: version, and a diagnosis of the lab', async () => {
    const env = { PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin` };
    const kubectl = (args: readonly string[]) =>
      runProgram(['grpc-skew', ...args], { command: ['kubectl'], env, timeoutMs: 100_000 });
    expect(await kubectl(['version'])).toMatchObject({ code: 0, stdout: `grpc-skew ${version}\n` });
    const lab = await kubectl(['lab', '--window', '0', '-o', 'json', '--fail-on', 'skewed']);
    expect([lab.code, JSON.parse(lab.stdout).status.verdict.state]).toEqual([3, 'skewed']);
  });

  test('the terminal UI', async () => {
    const terminal = openTerminal(link, ['lab'], { cwd: folder });
    await terminal.until(/ live .*\n *SKEWED/, 60_000);
    terminal.type('q');
    expect((await terminal.exited).code).toBe(0);
  }, 90_000);

  test('the same bundle and the same Node.js give the same bytes, code cache included', async () => {
    const again = join(folder, 'again');
    await make(again);
    expect(sha256(again)).toBe(sha256(join(store, 'kubectl-grpc_skew')));
  }, 120_000);
});

import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareEnvironment, expectError, programPath, runProgram, temporaryFolder } from './program.ts';

/** A Node that is too old for the program, where this machine has one. */
const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find((path) => {
  try {
    const [major = 99, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'])
      .toString()
      .split('.')
      .map(Number);
    return major < 22 || (major === 22 && minor < 19);
  } catch {
    return false;
  }
});
const tooOld =
  /^error: grpc-skew needs Node\.js 22\.19 or newer, but was started by v\d+\.\d+\.\d+ \(.*\); start it by (\S+\/node_modules\/\.bin\/node) (\S+\/dist\/kubectl-grpc_skew), or put a newer Node\.js first on PATH$/;

/** A script that starts the launcher as an older Node would, on another platform perhaps. */
const fakeOf = (version: string, path: string, platform: string = process.platform) =>
  `Object.defineProperty(process, 'versions', {value: {node: '${version}'}}); Object.defineProperty(process, 'version', {value: 'v${version}'}); Object.defineProperty(process, 'platform', {value: '${platform}'}); process.exitCode = 99; require(${JSON.stringify(path)})`;

describe('a Node that is too old: one line', () => {
  test.skipIf(oldNode === undefined)(`${oldNode}`, async () => {
    expectError(await runProgram(['version'], { command: [oldNode ?? '', programPath] }), 1, tooOld);
  });

  test.each(['18.20.4', '22.18.0', '0.12.18', '22.9.1'])('%s, as process.versions says it', async (version) => {
    const run = await runProgram([], { command: [process.execPath, '-e', fakeOf(version, programPath)] });
    expectError(run, 1, tooOld);
  });

  test('what it names in the sources works', async () => {
    const run = await runProgram([], { command: [process.execPath, '-e', fakeOf('20.1.0', programPath)] });
    const [, node = '', program = ''] = tooOld.exec(run.stderr.trimEnd()) ?? [];
    expect((await runProgram(['version'], { command: [node, program] })).stdout).toMatch(/^grpc-skew /);
  });

  test('installed: the executable, or npx with the right Node', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const installed = join(folder, 'kubectl-grpc_skew');
    copyFileSync(programPath, installed);
    const line = (platform: string) =>
      runProgram([], { command: [process.execPath, '-e', fakeOf('20.1.0', installed, platform)] });
    const npx = 'start it by npx --package=node@22 --package=kubectl-grpc-skew kubectl-grpc_skew$';
    const executable = 'take the executable, which brings its own \\(kubectl krew install grpc-skew\\), or ';
    expectError(await line('linux'), 1, RegExp(`\\); ${executable}${npx}`));
    expectError(await line('darwin'), 1, RegExp(`\\); ${npx}`));
  });

  test.each(['22.19.0', '24.0.0', '100.1.2'])('%s is new enough', async (version) => {
    const fake = `Object.defineProperty(process, 'versions', {value: {...process.versions, node: '${version}'}}); process.argv = ['node', 'x', 'version']; require(${JSON.stringify(programPath)})`;
    const run = await runProgram([], { command: [process.execPath, '-e', fake] });
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^grpc-skew /) });
  });

  test('the launcher is plain enough for any Node', () => {
    const text = execFileSync('cat', [programPath]).toString();
    expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(text).not.toMatch(/=>|`|\bconst\b|\blet\b|\?\.|\?\?/);
  });
});

test('a fault of the program itself: one line', async () => {
  const broken = 'JSON.stringify = () => { throw new TypeError("boom\\u001b[2J") }';
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}` };
  const run = await runProgram(['version', '-o', 'json'], { env });
  expectError(run, 1, /^error: a fault of grpc-skew itself: boom\^\[\[2J; report it, /);
});

const hasKubectl = (() => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasKubectl)('as a plugin of kubectl', () => {
  const kubectl = (args: readonly string[]) => {
    const folder = dirname(programPath);
    const env = { PATH: `${folder}:${bareEnvironment('')['PATH']}` };
    return runProgram(args, { command: ['kubectl'], env });
  };

  test('kubectl plugin list finds it, without warnings', async () => {
    const run = await kubectl(['plugin', 'list']);
    expect(run.stdout.split('\n')).toContain(programPath);
    expect(run.stdout + run.stderr).not.toMatch(/warning|error/i);
  });

  test('kubectl grpc-skew version', async () => {
    expect(await kubectl(['grpc-skew', 'version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^grpc-skew \d/),
    });
  });

  test('kubectl grpc-skew lab, with its exit code', async () => {
    const run = await kubectl(['grpc-skew', 'lab', '--window', '0', '-o', 'json', '--fail-on', 'skewed']);
    expect([run.code, JSON.parse(run.stdout).status.verdict.state]).toEqual([3, 'skewed']);
  });

  test('wrong usage', async () => {
    expectError(await kubectl(['grpc-skew', '--nope']), 2, /^error: unknown flag --nope/);
  });
});

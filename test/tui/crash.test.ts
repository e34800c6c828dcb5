import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { commands } from '../../src/cli/flags.ts';
import { readDiagnosisOptions } from '../../src/cli/options.ts';
import { holdStderr } from '../../src/commands/held-stderr.ts';
import type { Host } from '../../src/commands/host.ts';
import { watchService } from '../../src/commands/watch.ts';
import type { Terminal } from '../../src/tui/mount.tsx';
import { fakeCluster } from '../signals/fake-cluster.ts';

const view = vi.hoisted(() => ({ isBroken: false }));

vi.mock(import('../../src/tui/title.ts'), async (importOriginal) => {
  const { titleLine } = await importOriginal();
  return {
    titleLine: (...given) => {
      if (view.isBroken) throw new RangeError('no such line');
      return titleLine(...given);
    },
  };
});

/** Streams that say they are a terminal. */
function fakeTerminal(): Terminal & { readonly modes: boolean[]; readonly text: () => string } {
  const modes: boolean[] = [];
  let text = '';
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => modes.push(on),
    ref: () => {},
    unref: () => {},
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 });
  stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  return {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    modes,
    text: () => text,
  };
}

function fakeHost(now: () => number, env: Host['env'] = {}) {
  const said: string[] = [];
  const host: Host = {
    env,
    homeDirectory: '/',
    platform: 'linux',
    architecture: 'x64',
    stdinIsTerminal: true,
    stdoutIsTerminal: true,
    columns: 100,
    terminal: null,
    stdout: (text) => said.push(`out ${text}`),
    stderr: (text) => said.push(`err ${text}`),
    now,
    interrupted: new AbortController().signal,
    atTheMercyOfSignals: (work) => work(),
    startThread: () => expect.unreachable('nothing is large here'),
  };
  return { host, said };
}

const subject = { name: 'echo', namespace: 'shop', context: 'prod-eu' };

function options() {
  const given = readArguments(['echo', '--window', '0'], commands.diagnose);
  if (!given.ok) throw new Error(given.error.message);
  const read = readDiagnosisOptions(given.value);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

beforeAll(() => {
  // Ink puts its own console in the place of Node's; the test runner's has no class for that.
  Object.assign(console, { Console });
});

test.each([
  ['on the alternate screen', {}],
  ['for a screen reader', { INK_SCREEN_READER: 'true' }],
])('a view that fails %s: the screen is given back, one line says so, exit code 1', async (_, env) => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const terminal = fakeTerminal();
  onTestFinished(() => {
    view.isBroken = false;
  });
  const { host, said } = fakeHost(() => Date.parse('2026-03-01T12:00:00Z'), env);
  const { kube } = fakeCluster([{ name: 'echo-0', node: 'n0' }]);
  const sources = { kube, prometheus: 'none' as const };
  const ended = watchService(sources, subject, options(), host, { terminal, stderr: holdStderr(host.stderr) });
  await expect.poll(terminal.text).toContain('1 pod');
  view.isBroken = true;
  vi.advanceTimersByTime(30_000);
  expect(await ended).toBe(1);
  expect(said).toEqual(['err error: the terminal UI failed: no such line; use -o table, and report this\n']);
  expect(terminal.modes.at(-1)).toBe(false);
  expect(terminal.text().lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.text().lastIndexOf('\u001b[?25l'));
  expect(terminal.text()).not.toMatch(/^\s+at .*:\d+/m);
});

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const programPath = fileURLToPath(new URL('../../dist/kubectl-grpc_skew', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface RunOptions {
  /** On top of PATH and a HOME of its own; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** Sends the signal as soon as stdout or stderr shows the text. */
  readonly signalAfter?: { readonly text: RegExp; readonly signal: NodeJS.Signals };
  /** Sends SIGINT when it aborts. */
  readonly interrupt?: AbortSignal;
  /** Told all of stdout whenever more has come. */
  readonly onOutput?: (stdout: string) => void;
  readonly command?: readonly [string, ...string[]];
  readonly timeoutMs?: number;
}

/** Where a test may leave files; goes away with the test. */
export type OnTestFinished = (clean: () => void | Promise<void>) => void;

export function temporaryFolder(onTestFinished: OnTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a run: PATH with this Node first, an empty HOME, and no more. */
export function bareEnvironment(home: string): Record<string, string> {
  return { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: home };
}

/** Starts the built program as a process of its own and waits for its end. */
export async function runProgram(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const home = mkdtempSync(join(tmpdir(), 'grpc-skew-home-'));
  try {
    return await start(args, options, home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function start(args: readonly string[], options: RunOptions, home: string): Promise<Run> {
  const [command, ...before] = options.command ?? [process.execPath, programPath];
  const startedAt = performance.now();
  const child = spawn(command, [...before, ...args], {
    cwd: options.cwd ?? home,
    env: { ...bareEnvironment(home), ...options.env },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  options.interrupt?.addEventListener('abort', () => child.kill('SIGINT'));
  let [stdout, stderr] = ['', ''];
  let signalled = false;
  const look = (): void => {
    const { signalAfter } = options;
    if (signalled || signalAfter === undefined || !signalAfter.text.test(stdout + stderr)) return;
    signalled = true;
    child.kill(signalAfter.signal);
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
    options.onOutput?.(stdout);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  return new Promise((resolve, reject) => {
    const limitMs = options.timeoutMs ?? 18_000;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`no end within ${limitMs} ms\nstdout: ${stdout}\nstderr: ${stderr}`));
    }, limitMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr, seconds: (performance.now() - startedAt) / 1000 });
    });
  });
}

/** A failure as every failure must be: its code, one line that begins with `error: `, and nothing on stdout. */
export function expectError(run: Run, code: number, line: RegExp): void {
  const errors = run.stderr.split('\n').filter((one) => one.startsWith('error: '));
  expect({ code: run.code, errors, stdout: run.stdout }).toEqual({
    code,
    errors: [expect.stringMatching(line)],
    stdout: '',
  });
  expect(run.stderr.endsWith(`${errors[0]}\n`)).toBe(true);
  expectNoTrace(run);
}

export function expectNoTrace(run: Run): void {
  expect(run.stderr + run.stdout).not.toMatch(/^\s+at .*[:)]/m);
  expect(run.stderr + run.stdout).not.toMatch(
    /node:internal|Node\.js v\d|UnhandledPromise|\[object |\b(?:undefined|NaN)\b/,
  );
}

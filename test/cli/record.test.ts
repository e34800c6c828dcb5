import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { programPath, type Run, type RunOptions, runProgram, temporaryFolder } from './program.ts';

const recording = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));

/** Runs a line of bash in which `"$@"` is the program with a recording to read. */
function shell(line: string, cwd: string, options: RunOptions = {}): Promise<Run> {
  return runProgram([process.execPath, programPath, '--from', recording], {
    ...options,
    cwd,
    command: ['/bin/bash', '-c', line, 'bash'],
  });
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

/** The record is the first thing in the text, and whole; what follows it. */
function afterRecord(text: string): string {
  const end = text.indexOf('\n}\n') + 3;
  expect(JSON.parse(text.slice(0, end))).toMatchObject({ kind: 'SkewEvidence', metadata: { name: 'echo' } });
  return text.slice(end);
}

describe('--record to what is no plain file', () => {
  test.concurrent.each([['/dev/stdout'], ['/dev/fd/1'], ['/proc/self/fd/1'], ['log'], ['./link']])(
    '%s, with stdout appended to a log: the log keeps what it had, the record and the report',
    async (target) => {
      const clean: (() => void | Promise<void>)[] = [];
      const folder = temporaryFolder((one) => clean.push(one));
      writeFileSync(join(folder, 'log'), 'before\n');
      symlinkSync('/dev/stdout', join(folder, 'link'));
      const run = await shell(`"$@" --record ${target} >> log`, folder);
      expect([run.code, run.stderr, run.stdout]).toEqual([0, '', '']);
      const log = read(folder, 'log');
      expect(log.slice(0, 7)).toBe('before\n');
      expect(afterRecord(log.slice(7))).toMatch(/^NOT LOAD-BALANCING|svc\/echo/m);
      expect(readdirSync(folder).sort()).toEqual(['link', 'log']);
      for (const one of clean) await one();
    },
  );

  test.concurrent('stdout as a pipe, stderr, and another descriptor', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const piped = await shell('"$@" --record /dev/stdout | cat', folder);
    expect(afterRecord(piped.stdout)).toMatch(/svc\/echo/);
    const told = await shell('"$@" --record /dev/stderr', folder);
    expect([afterRecord(told.stderr), /^\{/.test(told.stdout)]).toEqual(['', false]);
    const third = await shell('echo before > log; "$@" --record /dev/fd/3 3>> log', folder);
    expect([third.code, read(folder, 'log').slice(0, 7), afterRecord(read(folder, 'log').slice(7))]).toEqual([
      0,
      'before\n',
      '',
    ]);
    const closed = await shell('"$@" --record /dev/fd/77', folder);
    expect([closed.code, closed.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: could not write the record: .*EBADF/),
    ]);
  });

  test.concurrent('a process substitution and a pipe with a reader get all of it', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const run = await shell(
      '"$@" --record >(cat > seen.json; echo done > end) > /dev/null; until [ -e end ]; do :; done',
      folder,
    );
    expect([run.code, run.stderr, afterRecord(read(folder, 'seen.json'))]).toEqual([0, '', '']);
    const fifo = await shell(
      'mkfifo pipe; cat pipe > piped.json & "$@" --record pipe > /dev/null; code=$?; wait; exit $code',
      folder,
    );
    expect([fifo.code, fifo.stderr, afterRecord(read(folder, 'piped.json'))]).toEqual([0, '', '']);
    expect(lstatSync(join(folder, 'pipe')).isFIFO()).toBe(true);
  });

  test.concurrent('a pipe that nobody reads: an error after ten seconds, and the report is there', async ({
    onTestFinished,
  }) => {
    const folder = temporaryFolder(onTestFinished);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const run = await shell('"$@" --record pipe', folder);
    expect([run.code, run.stderr]).toEqual([
      1,
      'error: could not write the record: nobody reads from the pipe pipe; choose another file with --record\n',
    ]);
    expect(run.stdout).toMatch(/svc\/echo/);
    expect(run.seconds).toBeGreaterThan(9);
    expect(run.seconds).toBeLessThan(18);
  });

  test.concurrent('a pipe that nobody reads, and Ctrl-C: it ends at once', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const interrupt = AbortSignal.timeout(4000);
    const run = await runProgram(['--from', recording, '--record', 'pipe'], { cwd: folder, interrupt });
    // As wherever somebody interrupts: 130, and nothing more is computed.
    expect([run.code, run.stdout, run.stderr]).toEqual([
      130,
      '',
      expect.stringMatching(/^error: could not write the record: interrupted; /),
    ]);
    expect(run.seconds).toBeLessThan(9);
  });
});

test.concurrent('a link at the name that used to be taken is not followed', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'victim'), 'theirs');
  const run = await shell('ln -s victim "seen.json.$$.part"; exec "$@" --record seen.json > /dev/null', folder);
  expect([run.code, read(folder, 'victim'), afterRecord(read(folder, 'seen.json'))]).toEqual([0, 'theirs', '']);
});

test.concurrent('a record is whole or not there: a full disk leaves what was there', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'seen.json'), 'before');
  const run = await shell('ulimit -f 8; trap "" XFSZ; "$@" --record seen.json > /dev/null', folder);
  expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/^error: could not write the record: .*EFBIG/)]);
  expect([read(folder, 'seen.json'), readdirSync(folder)]).toEqual(['before', ['seen.json']]);
});

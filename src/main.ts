import { homedir } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { run } from './commands/run.ts';
import { renderError } from './render/error.ts';

/** Ends at once, with one line. Said on exit: what draws on the terminal has restored it by then. */
function die(message: string, hint: string): never {
  process.on('exit', () => process.stderr.write(renderError({ message, hint })));
  process.exit(1);
}

// Nobody is left to be told.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  if (process.argv.some((argument) => argument.startsWith('-v'))) process.stderr.write(`${error.stack ?? ''}\n`);
  die(`a fault of grpc-skew itself: ${error.message}`, 'report it, with the output of the same command and -v 9');
});

const interrupt = new AbortController();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const onSignal = () => {
  // A second one does not wait for anything.
  if (interrupt.signal.aborted) process.exit(130);
  interrupt.abort();
};
for (const signal of signals) process.on(signal, onSignal);

/** The exit code once stdout takes nothing any more: then there is no more to do but to clean up. */
let brokenOutput: number | null = null;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (brokenOutput !== null) return;
  // A pipe whose reader has gone (`| head`) ends the program quietly, as it does kubectl.
  brokenOutput = error.code === 'EPIPE' ? 0 : 1;
  if (brokenOutput !== 0) {
    const message = `could not write to stdout: ${error.message}`;
    process.stderr.write(renderError({ message, hint: 'write to another place, or make room there' }));
  }
  process.exitCode = brokenOutput;
  interrupt.abort();
});

// Key by key needs raw mode; some terminals of editors and CI systems have none.
const canDraw =
  process.stdin.isTTY === true && process.stdout.isTTY === true && typeof process.stdin.setRawMode === 'function';

/** From the file beside this one; an executable holds none, and gives its start the name of the chunk instead. */
function startThread(): Worker {
  // Neither is of use to most runs.
  const { isSea, getRawAsset } = process.getBuiltinModule('node:sea');
  const threads = process.getBuiltinModule('node:worker_threads');
  if (isSea())
    return new threads.Worker(Buffer.from(getRawAsset('loader.cjs')).toString('utf8'), {
      eval: true,
      workerData: { start: './thread.mjs' },
    });
  return new threads.Worker(new URL(import.meta.url.replace(/main(?=\.m?[jt]s$)/, 'thread')));
}

const exitCode = await run(process.argv.slice(2), {
  env: process.env,
  homeDirectory: homedir(),
  platform: process.platform,
  architecture: process.arch,
  stdinIsTerminal: process.stdin.isTTY === true,
  stdoutIsTerminal: process.stdout.isTTY === true,
  columns: process.stdout.isTTY ? process.stdout.columns : null,
  terminal: canDraw ? { stdin: process.stdin, stdout: process.stdout } : null,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  now: Date.now,
  interrupted: interrupt.signal,
  atTheMercyOfSignals(work) {
    for (const signal of signals) process.off(signal, onSignal);
    try {
      return work();
    } finally {
      for (const signal of signals) process.on(signal, onSignal);
    }
  },
  startThread,
});
process.exitCode = brokenOutput ?? exitCode;
// What still waits for a disk that does not answer waits for nobody.
if (interrupt.signal.aborted) setTimeout(() => process.exit(), 1000).unref();

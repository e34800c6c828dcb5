import { homedir } from 'node:os';
import { run } from './run.ts';

// A pipe whose reader has gone (`| head`) ends the program quietly, as it does kubectl.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second one does not wait for anything.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
}

// Key by key needs raw mode; some terminals of editors and CI systems have none.
const canDraw =
  process.stdin.isTTY === true && process.stdout.isTTY === true && typeof process.stdin.setRawMode === 'function';

process.exitCode = await run(process.argv.slice(2), {
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
});

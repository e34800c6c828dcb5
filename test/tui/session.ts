/** The built program in a pseudo-terminal, against a lab in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../cli/program.ts';
import { openTerminal, type RunningTerminal, type TerminalOptions } from './terminal.ts';

export interface ServedLab {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export async function serveLab(...args: readonly string[]): Promise<ServedLab> {
  const lab: ChildProcess = spawn(process.execPath, [programPath, 'lab', '--serve', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => lab.on('close', () => resolve()));
  let output = '';
  for await (const chunk of lab.stdout ?? []) {
    output += String(chunk);
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(output)?.[1];
    if (kubeconfig === undefined) continue;
    return {
      kubeconfig,
      async stop() {
        lab.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`the lab did not start: ${output}`);
}

/** After the program: its exit code, and whether the terminal reads lines and echoes them again. */
const wrapper =
  'sh -c \'echo $$ >pid; exec "$@"\' sh "$@"; code=$?; stty -a | grep -oE -- "-?(icanon|echo)\\b" | head -2 | tr "\\n" " "; echo "exit=$code"';

export interface Session extends RunningTerminal {
  /** A folder of its own, in which the program runs. */
  readonly folder: string;
  /** Signals the program itself. */
  signal(name: NodeJS.Signals): void;
  /** Waits for the end; answers the exit code and all that then stands on the normal screen. */
  end(): Promise<{ readonly code: number; readonly text: string; readonly modes: string }>;
  close(): void;
}

/** Starts the program as a shell would. */
export function startProgram(args: readonly string[], options: TerminalOptions = {}): Session {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-tui-'));
  const terminal = openTerminal('sh', ['-c', wrapper, 'sh', process.execPath, programPath, ...args], {
    ...options,
    cwd: folder,
  });
  const signal = (name: NodeJS.Signals) => process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), name);
  let isOver = false;
  void terminal.exited.then(() => {
    isOver = true;
  });
  return {
    ...terminal,
    folder,
    signal,
    async end() {
      await terminal.until(/exit=\d+/);
      const text = terminal.screen().join('\n').trimEnd();
      const [, modes = '', code = ''] = /(\S+ \S+) exit=(\d+)/.exec(text) ?? [];
      return { code: Number(code), text, modes };
    },
    close() {
      if (!isOver) {
        try {
          signal('SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
        terminal.kill('SIGKILL');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

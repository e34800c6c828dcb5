import { spawn as spawnPty } from '@lydell/node-pty';
import xterm from '@xterm/headless';

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A program in a pseudo-terminal, and what a terminal emulator shows of it. */
export interface RunningTerminal {
  readonly pid: number;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(signal: string): void;
  /** The screen as lines of text, without blanks at their ends. */
  screen(): string[];
  /** Which buffer is shown: the alternate one while a program has taken the screen. */
  buffer(): 'normal' | 'alternate';
  /** Waits until the screen shows a text or fits a pattern; rejects with the screen when it does not. */
  until(wanted: string | RegExp, milliseconds?: number): Promise<void>;
  /** Bytes that the program has written. */
  written(): number;
  /** All bytes as they came, for what an emulator swallows. */
  raw(): string;
  readonly exited: Promise<{ readonly code: number; readonly signal: number }>;
}

/** Starts a program as a terminal would. */
export function openTerminal(command: string, args: readonly string[], options: TerminalOptions = {}): RunningTerminal {
  const { columns = 120, rows = 36 } = options;
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  const { FORCE_COLOR: _, NO_COLOR: __, CI: ___, ...inherited } = process.env;
  const pty = spawnPty(command, [...args], {
    cols: columns,
    rows,
    name: options.env?.['TERM'] ?? 'xterm-256color',
    cwd: options.cwd ?? process.cwd(),
    env: { ...inherited, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
  });
  let raw = '';
  const waiters = new Set<() => void>();
  pty.onData((data) => {
    raw += data;
    emulator.write(data, () => {
      for (const waiter of waiters) waiter();
    });
  });
  const screen = () => {
    const { active } = emulator.buffer;
    return Array.from(
      { length: emulator.rows },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
    );
  };
  return {
    pid: pty.pid,
    type: (keys) => pty.write(keys),
    resize(newColumns, newRows) {
      emulator.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    kill: (signal) => pty.kill(signal),
    screen,
    buffer: () => emulator.buffer.active.type,
    until(wanted, milliseconds = 15_000) {
      const shows = () =>
        typeof wanted === 'string' ? screen().join('\n').includes(wanted) : wanted.test(screen().join('\n'));
      return new Promise((resolve, reject) => {
        const check = () => {
          if (!shows()) return;
          clearTimeout(timer);
          waiters.delete(check);
          resolve();
        };
        const timer = setTimeout(() => {
          waiters.delete(check);
          reject(new Error(`the screen never showed ${String(wanted)}:\n${screen().join('\n')}`));
        }, milliseconds);
        waiters.add(check);
        check();
      });
    },
    written: () => raw.length,
    raw: () => raw,
    exited: new Promise((resolve) =>
      pty.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal: signal ?? 0 })),
    ),
  };
}

import type { Worker } from 'node:worker_threads';

/** What the program needs of its process. Only main.ts knows the real one; tests bring their own. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly platform: string;
  readonly architecture: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** Of the terminal; null when stdout is none. */
  readonly columns: number | null;
  /** The streams of a terminal that can be drawn on and read key by key; null where there is none. */
  readonly terminal: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream } | null;
  stdout(text: string): void;
  stderr(text: string): void;
  now(): number;
  /** Aborts on Ctrl-C and on SIGTERM. */
  readonly interrupted: AbortSignal;
  /** Runs what computes for long: a signal ends the program meanwhile, as it ends any other, and nothing is tidied up. */
  atTheMercyOfSignals<T>(work: () => T): T;
  /** Starts src/thread.ts. */
  startThread(): Worker;
}

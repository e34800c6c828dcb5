import type { Host } from '../../src/commands/host.ts';
import { run } from '../../src/commands/run.ts';

export interface HereRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command line in this process: for what needs no cluster and no terminal, without the start of a program. */
export async function runHere(args: readonly string[]): Promise<HereRun> {
  const written = { stdout: '', stderr: '' };
  const host: Host = {
    env: { LANG: 'C.UTF-8', HOME: '/nonexistent', PATH: '/nonexistent' },
    homeDirectory: '/nonexistent',
    platform: 'linux',
    architecture: 'x64',
    stdinIsTerminal: false,
    stdoutIsTerminal: false,
    columns: null,
    terminal: null,
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    now: () => 0,
    interrupted: new AbortController().signal,
    atTheMercyOfSignals: (work) => work(),
    startThread() {
      throw new Error('nothing is large here');
    },
  };
  const code = await run(args, host);
  return { code, ...written };
}

/** What TAB puts into the line of a real shell, in a terminal: the very name, of which nothing is run. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTerminal } from '../tui/terminal.ts';
import { bareEnvironment, type OnTestFinished, programPath, runProgram, temporaryFolder } from './program.ts';

const has = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What is typed before TAB, and the only name of a context that begins so. */
const names = [
  ['pro', 'prod$(touch ran)'],
  ['tick', 'tick`touch ran`'],
  ['semi', 'semi;touch ran'],
  ['team', 'team eu (blue)'],
  ['it', `it's "new" \\ here`],
  ['arn:aws:e', 'arn:aws:eks:eu-1:12:cluster/shop'],
  ['admin@k', 'admin@kube:6443'],
  ['hash', 'hash#&|<>*?[a]{b,c}~$HOME'],
] as const;

function setUp(onTestFinished: OnTestFinished): { readonly folder: string; readonly env: Record<string, string> } {
  const folder = temporaryFolder(onTestFinished);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const contexts = names.map(([, name]) => ({ name, context: { cluster: 'c', user: 'u' } }));
  const clusters = [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }];
  writeFileSync(join(folder, 'config'), JSON.stringify({ contexts, clusters, users: [{ name: 'u', user: {} }] }));
  // Completes as the program does; what else it is called with is only written down.
  const program = `#!/bin/sh
case $1 in __complete*) exec '${process.execPath}' '${programPath}' "$@" ;; esac
printf '%s\\0' "$@" > '${folder}/words'
echo called
`;
  writeFileSync(join(bin, 'kubectl-grpc_skew'), program);
  chmodSync(join(bin, 'kubectl-grpc_skew'), 0o755);
  const { PATH } = bareEnvironment(folder);
  return {
    folder,
    env: { PATH: `${bin}:${PATH}`, HOME: folder, KUBECONFIG: join(folder, 'config'), HISTFILE: '', TERM: 'xterm' },
  };
}

const shells = {
  bash: {
    args: ['--noprofile', '--norc', '-i'],
    setUp: "PS1='ready> '; source <(kubectl-grpc_skew completion bash)",
  },
  zsh: {
    args: ['-f', '-i'],
    setUp: "PROMPT='ready> '; autoload -U compinit; compinit -u -D; source <(kubectl-grpc_skew completion zsh)",
  },
  fish: {
    args: ['--no-config', '-i'],
    setUp: "function fish_prompt; echo 'ready> '; end; kubectl-grpc_skew completion fish | source",
  },
} as const;

/** Types a line with TAB at its end, waits until the name stands there, and presses Enter: what the program is called with. */
async function completed(shell: keyof typeof shells, line: string, end: string): Promise<readonly string[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const { folder, env } = setUp((clean) => cleanups.push(clean));
    const script = (await runProgram(['completion', shell])).stdout;
    writeFileSync(join(folder, 'script'), script);
    const { args, setUp: source } = shells[shell];
    const terminal = openTerminal(shell, args, { cwd: folder, env, columns: 200 });
    cleanups.push(() => terminal.kill('SIGKILL'));
    terminal.type(
      `${source.replace(/<\(kubectl-grpc_skew completion \w+\)/, './script').replace(/kubectl-grpc_skew completion \w+/, 'cat ./script')}\r`,
    );
    await terminal.until(/^ready>/m);
    terminal.type(`${line}\t`);
    await terminal.until(end);
    terminal.type('\r');
    await terminal.until(/^called/m);
    expect(existsSync(join(folder, 'ran')), terminal.screen().join('\n')).toBe(false);
    return readFileSync(join(folder, 'words'), 'utf8').split('\0').slice(0, -1);
  } finally {
    for (const clean of cleanups.reverse()) await clean();
  }
}

/** The last letters of a name that no quoting changes. */
const endOf = (name: string) => /\w+\W*$/.exec(name)?.[0].replace(/\W.*/s, '') ?? name;

describe.each(Object.keys(shells) as (keyof typeof shells)[])('%s', (shell) => {
  test.skipIf(!has(shell)).each(names)('%s TAB is %s, and nothing of it is run', async (typed, name) => {
    expect(await completed(shell, `kubectl-grpc_skew echo --context ${typed}`, endOf(name))).toEqual([
      'echo',
      '--context',
      name,
    ]);
  });

  test.skipIf(!has(shell))('behind an equals sign', async () => {
    expect(await completed(shell, 'kubectl-grpc_skew echo --context=arn:aws:e', 'cluster/shop')).toEqual([
      'echo',
      '--context=arn:aws:eks:eu-1:12:cluster/shop',
    ]);
  });

  test.skipIf(!has(shell))('within quotes', async () => {
    expect(await completed(shell, `kubectl-grpc_skew echo --context 'pro`, 'ran')).toEqual([
      'echo',
      '--context',
      'prod$(touch ran)',
    ]);
    expect(await completed(shell, 'kubectl-grpc_skew echo --context "pro', 'ran')).toEqual([
      'echo',
      '--context',
      'prod$(touch ran)',
    ]);
  });
});

test('by the protocol of kubectl, whose scripts may put words in as they are, only what needs no quotes is named', async ({
  onTestFinished,
}) => {
  const { env } = setUp(onTestFinished);
  const ask = async (...words: readonly string[]) => (await runProgram([...words], { env })).stdout;
  expect(await ask('__complete', 'echo', '--context', '')).toBe(
    'admin@kube:6443\narn:aws:eks:eu-1:12:cluster/shop\n:4\n',
  );
  const all = (await ask('__complete-raw', 'echo', '--context', '')).trimEnd().split('\n');
  expect(all.toSorted()).toEqual([':4', ...names.map(([, name]) => name)].toSorted());
});

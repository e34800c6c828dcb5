import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { json } from '../kube/api-server.ts';
import { kubeconfig } from '../kube/open-client.ts';
import { type Cluster, startCluster } from './cluster.ts';
import {
  bareEnvironment,
  expectError,
  type OnTestFinished,
  programPath,
  runProgram,
  temporaryFolder,
} from './program.ts';

const has = (command: string, ...args: readonly string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const lines = (text: string) => text.trimEnd().split('\n');

/** The recorded cluster, with Services and namespaces of these names. */
async function clusterWith(onTestFinished: OnTestFinished): Promise<Cluster> {
  const cluster = await startCluster(onTestFinished);
  const list = (...names: readonly string[]) => ({
    kind: 'List',
    metadata: {},
    items: names.map((name) => ({ metadata: { name } })),
  });
  cluster.on(/\/namespaces\/[^/]+\/services\?/, (_request, response) =>
    json(response, list('echo', 'echo-headless', 'web', 'bad\u001b[2J')),
  );
  cluster.on(/\/api\/v1\/namespaces\?/, (_request, response) => json(response, list('shop', 'skew-scaleup')));
  return cluster;
}

describe('__complete, as a process', () => {
  test('names from the cluster, of its own namespace and of another', async ({ onTestFinished }) => {
    const cluster = await clusterWith(onTestFinished);
    // A busy machine may need more than the usual second.
    const complete = (...words: string[]) => cluster.run(['__complete', '--request-timeout=15s', ...words]);
    const run = await complete('ec');
    expect(run).toMatchObject({ code: 0, stdout: 'echo\necho-headless\n:4\n', stderr: '' });
    expect((await complete('-n', 'shop', 'svc/w')).stdout).toBe('svc/web\n:4\n');
    expect(cluster.requests.filter((line) => line.includes('/services?'))).toEqual([
      expect.stringContaining('/namespaces/skew-scaleup/services?'),
      expect.stringContaining('/namespaces/shop/services?'),
    ]);
    expect((await complete('echo', '-n', 's')).stdout).toBe('shop\nskew-scaleup\n:4\n');
  });

  test('what is no name never reaches the shell', async ({ onTestFinished }) => {
    const cluster = await clusterWith(onTestFinished);
    expect((await cluster.run(['__complete', 'bad'])).stdout).toBe(':4\n');
  });

  test('contexts from the kubeconfig, without a request', async ({ onTestFinished }) => {
    const cluster = await clusterWith(onTestFinished);
    const run = await cluster.run(['__complete', '--context', '']);
    expect(lines(run.stdout)).toHaveLength(2);
    expect(cluster.requests).toEqual([]);
  });

  test('values, with their meaning behind a tab', async () => {
    expect((await runProgram(['__complete', 'lab', 'sc'])).stdout).toMatch(/^scale-up\t\S.*\n:4\n$/);
    expect((await runProgram(['__complete', 'explain', 'new-pods-i'])).stdout).toMatch(/^new-pods-idle\t\S.*\n:4\n$/);
    expect((await runProgram(['__complete', 'echo', '--fail-on', 'skewed,no-'])).stdout).toBe(
      'skewed,no-traffic\n:4\n',
    );
    expect((await runProgram(['__complete', 'echo', '--record', ''])).stdout).toBe(':0\n');
  });

  test.each([[['']], [['-n', '']], [['--context', 'nope', '']], [[]], [['--request-timeout', 'x', '']]])(
    'without a cluster %j: silent, and no error',
    async (words) => {
      const run = await runProgram(['__complete', ...words]);
      expect([run.code, run.stderr, lines(run.stdout).at(-1)]).toEqual([0, '', ':4']);
    },
  );

  test('no rights: silent', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(/./, (_request, response) => json(response, { kind: 'Status', code: 403, reason: 'Forbidden' }, 403));
    expect(await cluster.run(['__complete', 'svc/'])).toMatchObject({ code: 0, stdout: ':4\n', stderr: '' });
  });

  test('an API server that does not answer is waited for a second', async ({ onTestFinished }) => {
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => silent.close(() => resolve())));
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, 'config');
    const written = JSON.parse(kubeconfig(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, {}, {}));
    delete written.clusters[0].cluster['certificate-authority-data'];
    writeFileSync(path, JSON.stringify(written));
    const run = await runProgram(['__complete', 'svc/'], { env: { KUBECONFIG: path } });
    expect(run).toMatchObject({ code: 0, stdout: ':4\n', stderr: '' });
    // Longer than the patience of a second by what starting takes, and far below the 10 s of a request.
    expect(run.seconds).toBeLessThan(8);
  });
});

describe('completion SHELL', () => {
  test('prints a script', async () => {
    for (const shell of ['kubectl', 'bash', 'zsh', 'fish'])
      expect(await runProgram(['completion', shell])).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('__complete'),
      });
  });

  test('wrong usage', async () => {
    expectError(await runProgram(['completion']), 2, /^error: no shell is named; choose one of kubectl, bash/);
    expectError(await runProgram(['completion', 'tcsh']), 2, /^error: completion does not know tcsh; /);
    expectError(await runProgram(['completion', 'bash', 'zsh']), 2, /^error: one shell at a time; /);
  });
});

/** A folder for PATH with the program and, as people install it, the file that kubectl runs. */
async function installed(onTestFinished: OnTestFinished): Promise<string> {
  const bin = join(temporaryFolder(onTestFinished), 'bin');
  mkdirSync(bin);
  const start = `#!/bin/sh\nexec '${process.execPath}' '${programPath}' "$@"\n`;
  const shim = (await runProgram(['completion', 'kubectl'])).stdout;
  for (const [name, text] of Object.entries({ 'kubectl-grpc_skew': start, 'kubectl_complete-grpc_skew': shim })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return `${bin}:${bareEnvironment('')['PATH']}`;
}

test.skipIf(!has('kubectl', 'version', '--client'))(
  'kubectl asks it through its own protocol',
  async ({ onTestFinished }) => {
    const cluster = await clusterWith(onTestFinished);
    const env = { PATH: await installed(onTestFinished), KUBECONFIG: cluster.kubeconfigPath };
    const ask = async (...words: readonly string[]) =>
      lines((await runProgram(['__complete', 'grpc-skew', ...words], { command: ['kubectl'], env })).stdout);
    expect(await ask('--request-timeout=15s', 'ec')).toEqual(['echo', 'echo-headless', ':4']);
    expect(await ask('echo', '--fail-on', 'no-t')).toEqual(['no-traffic', ':4']);
    expect(await ask('echo', '--baseline', '')).toEqual([':0']);
  },
);

/** What the shell puts into its own list for a command line, one on a line. */
const shellScripts = {
  bash: (line: readonly string[]) => `
    source <(kubectl-grpc_skew completion bash)
    COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _kubectl_grpc_skew
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (line: readonly string[]) => `
    kubectl-grpc_skew completion fish | source
    complete -C '${line.join(' ')}' | string replace -r '\\t.*' ''; true`,
  // zsh completes only in its line editor: the functions that it would call there print what they are given.
  zsh: (line: readonly string[]) => `
    compdef() { :; }
    _describe() { print -rl -- "\${(@)found%%:*}"; }
    _files() { print FILES; }
    compset() { :; }
    source <(kubectl-grpc_skew completion zsh)
    words=(${line.map((word) => `'${word}'`).join(' ')})
    CURRENT=$#words
    PREFIX=$words[-1]
    _kubectl_grpc_skew`,
};

const cases = [
  { line: ['kubectl-grpc_skew', '--request-timeout', '15s', 'ec'], found: ['echo', 'echo-headless'] },
  { line: ['kubectl-grpc_skew', 'echo', '-o', 'js'], found: ['json'] },
  { line: ['kubectl-grpc_skew', 'lab', 'scale'], found: ['scale-up'] },
] as const;

describe.each(Object.keys(shellScripts) as (keyof typeof shellScripts)[])('%s', (shell) => {
  const isThere = has(shell, '-c', 'exit 0');
  const complete = async (onTestFinished: OnTestFinished, line: readonly string[]) => {
    const cluster = await clusterWith(onTestFinished);
    const env = { PATH: await installed(onTestFinished), KUBECONFIG: cluster.kubeconfigPath };
    const run = await runProgram(['-c', shellScripts[shell](line)], { command: [shell], env, cwd: cluster.folder });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return lines(run.stdout);
  };

  test.skipIf(!isThere).each(cases)('$line', async ({ line, found }) => {
    const cleanups: (() => void | Promise<void>)[] = [];
    try {
      expect(await complete((clean) => cleanups.push(clean), line)).toEqual(found);
    } finally {
      for (const clean of cleanups.reverse()) await clean();
    }
  });

  test.skipIf(!isThere)('files where a flag takes a file', async ({ onTestFinished }) => {
    // The cluster's folder holds its kubeconfig, `config`.
    const found = await complete(onTestFinished, ['kubectl-grpc_skew', 'echo', '--kubeconfig', 'conf']);
    expect(found).toEqual([shell === 'zsh' ? 'FILES' : 'config']);
  });
});

test.skipIf(!has('bash', '-c', 'exit 0'))('bash splits --flag=value into three words', async ({ onTestFinished }) => {
  const cluster = await clusterWith(onTestFinished);
  const env = { PATH: await installed(onTestFinished), KUBECONFIG: cluster.kubeconfigPath };
  const script = shellScripts.bash(['kubectl-grpc_skew', 'echo', '--output', '=', 'js']);
  expect((await runProgram(['-c', script], { command: ['bash'], env })).stdout).toBe('json\n');
});

test.skipIf(!has('fish', '-c', 'exit 0'))('fish wants the whole of --flag=value', async ({ onTestFinished }) => {
  const cluster = await clusterWith(onTestFinished);
  const env = { PATH: await installed(onTestFinished), KUBECONFIG: cluster.kubeconfigPath };
  const script = shellScripts.fish(['kubectl-grpc_skew', 'echo', '--output=js']);
  expect((await runProgram(['-c', script], { command: ['fish'], env })).stdout).toBe('--output=json\n');
});

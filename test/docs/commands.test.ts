import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { commands as flagsOf } from '../../src/cli/flags.ts';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { expectNoTrace, programPath, runProgram, temporaryFolder } from '../cli/program.ts';
import { argumentsOf, fences, inlineCommands, npmScriptsOf } from './commands.ts';

/** Commands that no test can run, and why. Their flags are checked all the same. */
const notRun: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'installs again; the demo is kubectl grpc-skew lab, which is run',
  'npm ci && npm run build': 'installs again; the program is built before the tests',
  'npm ci && npm test': 'installs again, and would run this test in itself',
  'sudo ln -s "$PWD/dist/kubectl-grpc_skew" /usr/local/bin/kubectl-grpc_skew': 'changes this machine',
  'export PATH="$PWD/node_modules/.bin:$PWD/dist:$PATH"': 'the shell of the reader; here PATH is set for each command',
  'kubectl grpc-skew lab --serve': 'runs until Ctrl-C: test/cli/lab.test.ts',
  'kubectl grpc-skew fix echo -n shop -o yaml | kubectl apply --server-side --field-manager=grpc-skew -f -':
    'changes a cluster; what is piped is run',
  'kubectl grpc-skew fix echo -n shop -o yaml | kubectl apply --server-side --dry-run=server -f -':
    'the lab cannot be written to; what is piped is run',
  'kubectl grpc-skew echo -n shop -w -o json --until balanced --fail-on outage --for 10m':
    'waits for a fix that nobody makes here: test/cli/watch.test.ts',
  'kubectl grpc-skew echo -n shop -w --no-exec --for 1m': 'takes its minute: test/cli/watch.test.ts',
  // How each way to install ends is tested in test/packaging.
  'kubectl krew install grpc-skew': 'changes this machine, from the network',
  'sha256sum --check --ignore-missing SHA256SUMS': 'checks what was downloaded: test/packaging/krew-manifest.test.ts',
  'sudo tar -xzf grpc-skew_VERSION_linux_amd64.tar.gz -C /usr/local/bin ./kubectl-grpc_skew ./kubectl_complete-grpc_skew':
    'changes this machine',
  'npm install --global kubectl-grpc-skew': 'changes this machine: test/packaging/npm.test.ts',
  'npx --package=node@22 --package=kubectl-grpc-skew kubectl-grpc_skew echo -n shop': 'from the network',
  'kubectl grpc-skew completion kubectl > ~/bin/kubectl_complete-grpc_skew && chmod +x ~/bin/kubectl_complete-grpc_skew':
    'writes to a folder of the reader: test/cli/completion.test.ts',
  'podman build --tag registry.example/grpc-skew -f Containerfile FOLDER-WITH-THE-EXECUTABLE': 'needs the network',
  'kubectl create serviceaccount grpc-skew -n shop': 'the lab cannot be written to',
  'kubectl apply -f rights.yaml': 'the lab cannot be written to: test/cli/in-cluster.test.ts',
  'kubectl logs -n shop job/grpc-skew > report.json': 'the lab runs no Jobs: test/cli/in-cluster.test.ts',
};

/** Exit codes other than 0: the load of the lab is skewed. */
const exitCodes: Readonly<Record<string, number>> = {
  'kubectl grpc-skew echo -n shop -o json --fail-on skewed': 3,
  'kubectl grpc-skew echo -n shop -o json --fail-on skewed,outage,fault,no-traffic': 3,
  'GRPC_SKEW_WINDOW=10s GRPC_SKEW_FAIL_ON=skewed,outage kubectl grpc-skew echo -n shop -o json': 3,
  'kubectl grpc-skew scan -n shop -o json --fail-on skewed': 3,
  // Nothing was changed in between.
  'kubectl grpc-skew echo -n shop --baseline before.json --fail-on skewed,unchanged,worse': 3,
};

/** Commands that take no window. */
const withoutWindow = [
  ...Object.entries(flagsOf).flatMap(([name, flags]) => (flags.some((flag) => flag.name === 'window') ? [] : [name])),
  ...['version', 'help', '-h', '--help'],
];

/** Programs that pages use beside the plugin; where one is missing its commands are skipped. */
const has = (program: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const missing = ['kubectl', 'jq', 'ss'].filter((program) => !has(program));

const all = [...fences.flatMap((fence) => fence.commands), ...inlineCommands];

describe('what the lists say of commands', () => {
  test.each([...Object.keys(notRun), ...Object.keys(exitCodes)])('%s stands on a page', (command) => {
    expect(all).toContain(command);
  });
});

describe('flags and values of every command exist', () => {
  const short = (command: string) => command.split('\n').slice(0, 1).join('');
  test.each([...new Set(all)].map((command) => [short(command), command]))('%s', (_name, command = '') => {
    for (const words of argumentsOf(command)) {
      const [name = ''] = words;
      const isCommand = Object.hasOwn(flagsOf, name);
      const flags = flagsOf[(isCommand ? name : 'diagnose') as keyof typeof flagsOf];
      // Whoever writes FILE or SERVICE in a page means any.
      expect(readArguments(isCommand ? words.slice(1) : words, flags)).toMatchObject({ ok: true });
    }
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const script of npmScriptsOf(command)) expect(Object.keys(scripts)).toContain(script);
  });
});

/** What of a command is run: the whole, what it pipes into kubectl apply, or nothing. */
function runnable(command: string): readonly string[] {
  if (notRun[command] === undefined) return [command];
  return command.includes('| kubectl apply') ? command.split('|').slice(0, 1) : [];
}

/** The blocks and what is run of them; what leaves no file behind is run once, however many pages show it. */
const seen = new Set<string>();
const blocks = fences
  .map(({ page, line, commands }) => ({
    name: `${page}:${line}`,
    page,
    steps: commands.flatMap(runnable).filter((command) => {
      const isNew = !seen.has(command) || /\.json\b|>/.test(command);
      seen.add(command);
      return isNew;
    }),
  }))
  .filter(({ steps }) => steps.length > 0);

describe('every fenced command works', () => {
  let lab: Lab;
  let bin = '';
  const clean: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    lab = await startLab({ scenario: 'scale-up', from: 2, to: 4 });
    await lab.ready;
    bin = temporaryFolder((one) => clean.push(one));
    const program = (name: string, lines: readonly string[]) =>
      writeFileSync(join(bin, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
    // What takes time and is tested elsewhere is left out: no figure is looked at here, so one sample does.
    program('sleep', []);
    program('kubectl-grpc_skew', [
      `case "$1" in ${withoutWindow.join('|')}) ;; *) set -- "$@" --window 0 ;; esac`,
      `exec "${process.execPath}" "${programPath}" "$@"`,
    ]);
    const kubectl = missing.includes('kubectl') ? 'false' : execFileSync('/bin/sh', ['-c', 'command -v kubectl']);
    program('kubectl', [
      `if [ "$1" != grpc-skew ]; then exec ${String(kubectl).trim()} "$@"; fi`,
      'shift',
      'exec kubectl-grpc_skew "$@"',
    ]);
  }, 60_000);

  afterAll(async () => {
    await lab.stop();
    for (const one of clean) await one();
  });

  /** The blocks of a page share a folder: one may read what another has written. */
  const folders = new Map<string, string>();
  const folderOf = (page: string) => {
    const folder = folders.get(page) ?? temporaryFolder((one) => clean.push(one));
    folders.set(page, folder);
    return folder;
  };

  /** One line or script, as a reader's shell would run it. */
  const inShell = (command: string, cwd: string) =>
    runProgram([], {
      command: ['/bin/sh', '-euc', command],
      cwd,
      env: {
        KUBECONFIG: lab.kubeconfigPath,
        PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
      },
      timeoutMs: 100_000,
    });

  const needs = (text: string) =>
    missing.filter((program) =>
      (program === 'kubectl' ? /kubectl (?!grpc-skew)/ : RegExp(`\\b${program} `)).test(text),
    );

  test.for(blocks)('$name', { timeout: 110_000 }, async ({ page, steps }, { skip }) => {
    const lacking = needs(steps.join('\n'));
    if (lacking.length > 0) return skip(`${lacking.join(', ')} is missing`);
    for (const command of steps) {
      const run = await inShell(command, folderOf(page));
      const errors = run.stderr.split('\n').filter((line) => /^error:|^Error from server/.test(line));
      expect({ command, code: run.code, errors }).toEqual({ command, code: exitCodes[command] ?? 0, errors: [] });
      expectNoTrace(run);
    }
  });
});

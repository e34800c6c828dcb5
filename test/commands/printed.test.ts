/** All that the program prints for pasting, read by real shells: it acts on the cluster and namespace that were looked at. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../cli/cluster.ts';
import { type OnTestFinished, programPath, runProgram, temporaryFolder } from '../cli/program.ts';
import { openTerminal } from '../tui/terminal.ts';
import { commandsOn, runIn, shells } from './shell.ts';

const recordings = fileURLToPath(new URL('../recordings', import.meta.url));

/** The record of a recorded Service, as if it had been looked at in another context. */
async function recordIn(context: string, recording: string, onTestFinished: OnTestFinished): Promise<string> {
  const path = join(temporaryFolder(onTestFinished), 'record.json');
  const run = await runProgram(['--from', join(recordings, recording), '--record', path]);
  expect([run.code, run.stderr]).toEqual([0, '']);
  const record = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...record, metadata: { ...record.metadata, context } }));
  return path;
}

const ways = [
  ['-o', 'table'],
  ['-o', 'wide'],
  ['-o', 'markdown'],
  ['-o', 'chat'],
  ['fix'],
  ...['max-connection-age', 'headless-round-robin', 'proxyless-xds'].map((strategy) => ['fix', '--strategy', strategy]),
  ...['istio', 'linkerd', 'cilium', 'gateway'].map((mesh) => ['fix', '--strategy', 'l7-proxy', '--mesh', mesh]),
  ['fix', '--strategy', 'l7-proxy', '--mesh', 'istio', '-o', 'yaml'],
];

/** Commands that name no object of the namespace: manifests name theirs, classes have none, a record is a file. */
const needsNamespace = (words: readonly string[]) =>
  words[0] !== 'apply' && words[1] !== 'gatewayclasses' && !isOfFile(words);
const isOfFile = (words: readonly string[]) => words.join(' ') === 'grpc-skew --from before.json';

/** The values of a flag, as kubectl reads them. */
const valuesOf = (words: readonly string[], flag: string) =>
  words.flatMap((word, at) =>
    word === flag ? [words[at + 1] ?? ''] : word.startsWith(`${flag}=`) ? [word.slice(flag.length + 1)] : [],
  );

function expectPlaces(commands: readonly (readonly string[])[], context: string, namespace: string): void {
  for (const words of commands) {
    if (!isOfFile(words)) expect(valuesOf(words, '--context'), words.join(' ')).toEqual([context]);
    if (needsNamespace(words)) expect(valuesOf(words, '-n'), words.join(' ')).toEqual([namespace]);
  }
}

/** Those that are printed by all the rest, too. */
const few = ways.filter(([command, flag]) => (command === 'fix' ? flag === undefined : flag !== 'wide'));

async function printedOf(file: string, way: readonly string[]): Promise<string[]> {
  const run = await runProgram([...way, '--from', file]);
  expect([run.code, run.stderr]).toEqual([0, '']);
  return commandsOn(run.stdout.split('\n'));
}

describe.each([
  [`it's "$(touch x)" \\ \`id\` !! {a b}`, ways],
  ['prod (eu) [blue]', few],
  ['arn:aws:eks:eu-central-1:123456789012:cluster/a-rather-long-name-of-a-cluster-that-no-line-can-hold', few],
  ['--all', few],
] as const)('in the context %s', (context, some) => {
  let file = '';
  const cleanups: (() => void | Promise<void>)[] = [];
  beforeAll(async () => {
    file = await recordIn(context, 'skew-scaleup', (clean) => cleanups.push(clean));
  });
  afterAll(() => Promise.all(cleanups.map((clean) => clean())));

  test.each(some)('%s %s %s %s %s: every command names it and the namespace', async (...way) => {
    const printed = await printedOf(
      file,
      way.filter((word) => typeof word === 'string'),
    );
    expect(printed.length).toBeGreaterThan(0);
    for (const shell of shells) {
      const commands = runIn(shell, printed);
      expect(commands.length).toBeGreaterThanOrEqual(printed.length);
      expectPlaces(commands, context, 'skew-scaleup');
    }
  });
});

test.each(['prod\nrm -rf /', 'prod\u202eue\u00a0'])(
  'the context %j is in no command: it cannot be shown as it is',
  async (context) => {
    const cleanups: (() => void | Promise<void>)[] = [];
    try {
      const file = await recordIn(context, 'skew-scaleup', (clean) => cleanups.push(clean));
      for (const way of few)
        for (const words of runIn('sh', await printedOf(file, way)))
          expect(isOfFile(words), words.join(' ')).toBe(true);
    } finally {
      for (const clean of cleanups.reverse()) await clean();
    }
  },
);

test.concurrent('in a terminal without Unicode a name that it would have to change is in no command', async ({
  onTestFinished,
}) => {
  const file = await recordIn('prod-é', 'skew-scaleup', onTestFinished);
  const commandsIn = async (locale: string) =>
    commandsOn((await runProgram(['--from', file], { env: { LC_ALL: locale } })).stdout.split('\n'));
  expect(await commandsIn('C')).toEqual([]);
  const commands = await commandsIn('C.UTF-8');
  expect(commands.length).toBeGreaterThan(0);
  expectPlaces(runIn('bash', commands), 'prod-é', 'skew-scaleup');
});

test.concurrent('first steps have theirs on lines of their own, for the pods that are meant', async ({
  onTestFinished,
}) => {
  const file = await recordIn('prod (eu)', 'unready-connected', onTestFinished);
  const { stdout } = await runProgram(['--from', file, '-o', 'json']);
  const report = JSON.parse(stdout);
  const { first, commands } = report.status.recommendation;
  expect(commands).toHaveLength(first.length);
  expect(first.join('\n')).not.toContain('kubectl');
  const unready = report.status.pods.filter((pod: { ready: boolean }) => !pod.ready);
  const describes = commands.filter((command: string | null) => command?.includes('describe pod'));
  expect(describes).toHaveLength(1);
  expect(
    runIn('sh', describes)[0]
      ?.slice(2, 2 + unready.length)
      .toSorted(),
  ).toEqual(unready.map(({ name }: { name: string }) => name).toSorted());
});

test.concurrent.each(['prod (eu) [$(touch x)]', `${'a long (name) '.repeat(8)}end`])(
  'the live view, on 80 columns, in %s',
  async (context) => {
    const cleanups: (() => void | Promise<void>)[] = [];
    try {
      const cluster = await startCluster((clean) => cleanups.push(clean));
      const written = JSON.parse(readFileSync(cluster.kubeconfigPath, 'utf8'));
      written.contexts[0].name = context;
      written['current-context'] = context;
      writeFileSync(cluster.kubeconfigPath, JSON.stringify(written));
      const terminal = openTerminal(
        process.execPath,
        [programPath, 'echo', '--window', '0', '--kubeconfig', cluster.kubeconfigPath],
        {
          columns: 80,
          rows: 60,
        },
      );
      cleanups.push(() => terminal.kill('SIGKILL'));
      await terminal.until(/ live .*\n *SKEWED/);
      terminal.type('3');
      await terminal.until(/STRATEGY/);
      terminal.type('c');
      await terminal.until(/this report, for a script/);
      await terminal.until(/-o js/);
      const printed = commandsOn(terminal.screen());
      // Of one pod three, of the Service four.
      expect(printed.length, terminal.screen().join('\n')).toBeGreaterThanOrEqual(7);
      for (const shell of shells) {
        const commands = runIn(shell, printed);
        expectPlaces(commands, context, 'skew-scaleup');
        for (const words of commands) expect(valuesOf(words, '--kubeconfig')).toEqual([cluster.kubeconfigPath]);
      }
    } finally {
      for (const clean of cleanups.reverse()) await clean();
    }
  },
);

describe('flags that say which cluster is meant', () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let cluster: Cluster;
  let given: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    cluster = await startCluster((clean) => cleanups.push(clean));
    const written = JSON.parse(readFileSync(cluster.kubeconfigPath, 'utf8'));
    const kubeconfig = join(cluster.folder, "it's (another) config");
    const [{ cluster: here }] = written.clusters;
    const [{ user: me }] = written.users;
    // The context alone leads to a cluster that is not there.
    written.clusters = [
      { name: written.contexts[0].context.cluster, cluster: { server: 'https://127.0.0.1:1' } },
      { name: '-blue', cluster: { ...here, server: 'https://127.0.0.1:1' } },
    ];
    written.users.push({ name: 'me [too]', user: me });
    writeFileSync(kubeconfig, JSON.stringify(written));
    given = { kubeconfig, cluster: '-blue', user: 'me [too]', server: cluster.url };
  });
  afterAll(() => Promise.all(cleanups.map((clean) => clean())));

  const run = (...words: readonly string[]) =>
    runProgram([...words, ...Object.entries(given).map(([name, value]) => `--${name}=${value}`)]);
  const expectFlags = (stdout: string, values: (name: string) => readonly string[]) => {
    const commands = runIn('bash', commandsOn(stdout.split('\n'))).filter((words) => !isOfFile(words));
    expect(commands.length).toBeGreaterThan(0);
    for (const words of commands)
      for (const name of Object.keys(given))
        expect(valuesOf(words, `--${name}`), words.join(' ')).toEqual(values(name));
  };

  test.each([
    ['echo', '-o', 'table'],
    ['echo', '-o', 'markdown'],
    ['echo', '-o', 'chat'],
    ['fix', 'echo'],
    ['fix', 'echo', '--strategy', 'l7-proxy', '--mesh', 'istio'],
    ['scan'],
  ])('%s %s %s %s %s: every command carries them', async (...way) => {
    const { code, stdout } = await run(...way.filter((word) => typeof word === 'string'), '--window', '0');
    expect(code).toBe(0);
    expectFlags(stdout, (name) => [given[name] ?? '']);
  });

  test('no record holds them, and what it gives has none', async () => {
    const record = join(cluster.folder, 'record.json');
    expect((await run('echo', '-o', 'json', '--window', '0', '--record', record)).code).toBe(0);
    const text = readFileSync(record, 'utf8');
    expect(Object.values(given).filter((value) => text.includes(value))).toEqual([]);
    expectFlags((await runProgram(['--from', record])).stdout, () => []);
  });

  test('--redact names none of them', async () => {
    const { stdout } = await run('echo', '-o', 'json', '--window', '0', '--redact');
    expect(JSON.parse(stdout).metadata).not.toHaveProperty('connection');
    expect(Object.values(given).filter((value) => stdout.includes(value))).toEqual([]);
  });

  test('a password in --server is in no command', async () => {
    const server = cluster.url.replace('://', '://me:hunter2@');
    const { stdout } = await runProgram([
      'echo',
      '--window',
      '0',
      '--kubeconfig',
      cluster.kubeconfigPath,
      '-s',
      server,
    ]);
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toContain(`--server ${cluster.url}`);
  });
});

/** Flags by environment variables: flag over variable over default. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import type { Flag } from '../../src/cli/flag.ts';
import { type CommandName, commands } from '../../src/cli/flags.ts';
import { flagsByVariable, readVariables, variableOf } from '../../src/cli/variables.ts';
import { startCluster } from './cluster.ts';
import { expectError, runProgram } from './program.ts';

/** A value that the flag takes, and none that it has by default. */
function sampleFor(flag: Flag): string {
  if (flag.kind === 'switch') return 'true';
  if (flag.allowed !== undefined) return flag.allowed.at(-1) ?? '';
  return flag.number === undefined ? 'some-value' : '7';
}

const names = Object.keys(commands) as CommandName[];
const flags = names.flatMap((command) => commands[command].map((flag: Flag) => [command, flag.name, flag] as const));

describe('every flag of the table', () => {
  it.each(flags)('%s --%s', (command, name, flag) => {
    const value = sampleFor(flag);
    const env = { [variableOf(flag)]: value };
    const line = `${flag.name === flag.short ? '-' : '--'}${name}${flag.kind === 'switch' ? '=' : ' '}${value}`;
    const byFlag = readArguments(line.split(' '), commands[command]);
    const byVariable = readArguments([], commands[command], readVariables(command, env));
    if (!byFlag.ok || !byVariable.ok) throw new Error('both are right');
    const said = ({ text, list, isSet, number }: typeof byFlag.value) => [
      text(name),
      list(name),
      isSet(name),
      number(name),
    ];
    const isOpen = command !== 'lab' && name !== 'help' && name !== 'version' && flag.group !== 'rights';
    const none = readArguments([], commands[command]);
    if (!none.ok) throw new Error('nothing is right');
    expect(said(byVariable.value)).toEqual(said(isOpen ? byFlag.value : none.value));
  });

  it('has a name of its own in each command', () => {
    expect(variableOf({ name: 'prometheus-token-file' })).toBe('GRPC_SKEW_PROMETHEUS_TOKEN_FILE');
    for (const command of names) {
      const variables = flagsByVariable(command).map(variableOf);
      expect(new Set(variables).size).toBe(variables.length);
      for (const variable of variables) expect(variable).toMatch(/^GRPC_SKEW_[A-Z][A-Z_]*$/);
    }
  });
});

const from = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));
const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runProgram(args, {
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [`GRPC_SKEW_${name}`, value])),
  });

describe('through the program', () => {
  test.concurrent('what a variable says, a flag says otherwise', async () => {
    const env = { FROM: from, OUTPUT: 'json', FAIL_ON: 'skewed', PORT: 'grpc' };
    const byVariable = await run([], env);
    expect([byVariable.code, JSON.parse(byVariable.stdout).kind]).toEqual([3, 'SkewReport']);
    const byFlag = await run(['-o', 'table', '--fail-on', 'no-traffic'], env);
    expect([byFlag.code, byFlag.stderr]).toEqual([0, '']);
    expect(byFlag.stdout).toMatch(/^SKEWED/m);
  });

  test.concurrent('what kubelet gives each pod for Services called grpc-skew and grpc-skew-metrics is no flag', async () => {
    const links = {
      PORT: 'tcp://10.96.4.1:80',
      SERVICE_HOST: '10.96.4.1',
      SERVICE_PORT: '80',
      PORT_80_TCP: 'tcp://10.96.4.1:80',
      METRICS_PORT: 'udp://[fd00::1]:9090',
    };
    const linked = await run(['--from', from], links);
    expect(linked).toMatchObject({ code: 0, stderr: '', stdout: (await run(['--from', from], {})).stdout });
  });

  test.concurrent('an empty one counts for none, and false is false', async () => {
    const env = { OUTPUT: '', WINDOW: '', FAIL_ON: '', REDACT: 'false', REQUEST_TIMEOUT: '' };
    const plain = await run(['--from', from], env);
    expect(plain).toMatchObject({ code: 0, stderr: '', stdout: (await run(['--from', from], {})).stdout });
  });

  test.concurrent('one that is meant for another command is left out', async () => {
    const env = { OUTPUT: 'wide', SORT_BY: 'name', FAIL_ON: 'worse' };
    const probes = await run(['probes', '--from', from], env);
    expect([probes.code, probes.stderr]).toEqual([0, '']);
    expect((await run(['scan', '--from', from], env)).code).toBe(0);
  });

  test.concurrent.each<[Record<string, string>, string[], RegExp]>([
    [{ WINDOW: 'soon' }, ['echo'], /^error: GRPC_SKEW_WINDOW takes seconds or a duration, up to 10m, not soon; /],
    [{ OUTPUT: 'xml' }, ['echo'], /^error: GRPC_SKEW_OUTPUT does not know xml; it takes /],
    [{ NO_EXEC: 'maybe' }, ['echo'], /^error: GRPC_SKEW_NO_EXEC takes true or false, not maybe; /],
    [{ V: 'loud' }, ['scan'], /^error: GRPC_SKEW_V takes a number, not loud; /],
    [
      { REQUEST_TIMEOUT: 'long' },
      ['echo'],
      /^error: GRPC_SKEW_REQUEST_TIMEOUT takes a number of seconds or a duration, /,
    ],
    [{ NAMESPACE: 'Shop' }, ['echo'], /^error: GRPC_SKEW_NAMESPACE: "Shop" is no name of a namespace; /],
    [{ PROMETHEUS: 'nowhere' }, ['echo'], /^error: GRPC_SKEW_PROMETHEUS takes an http or https URL, or none; /],
    [{ UNTIL: 'balanced' }, ['echo'], /^error: GRPC_SKEW_UNTIL goes with --watch; /],
    [{ FAIL_ON: 'worse' }, ['echo'], /^error: GRPC_SKEW_FAIL_ON worse compares with an earlier run; /],
  ])('%j %j: wrong, and by which name', async (env, args, line) => {
    expectError(await run(args, env), 2, line);
  });

  test.concurrent.each<[Record<string, string>, RegExp]>([
    // A gate that never fails is worse than one that does not start.
    [{ FAILON: 'skewed' }, /^error: the variable GRPC_SKEW_FAILON gives no flag; did you mean GRPC_SKEW_FAIL_ON\?/],
    [{ OUTPUTT: 'json' }, /^error: the variable GRPC_SKEW_OUTPUTT gives no flag; did you mean GRPC_SKEW_OUTPUT\?/],
  ])('%j is misspelt', async (env, line) => {
    expectError(await run(['--from', from], env), 2, line);
  });

  test.concurrent('what kubelet writes for a Service of this name, and what no flag is near to, is none of ours', async () => {
    const quiet = await run(['--from', from, '-o', 'json'], {
      SERVICE_HOST: '10.0.0.1',
      SERVICE_PORT: '50051',
      SERVICE_PORT_GRPC: '50051',
      PORT: 'tcp://10.0.0.1:50051',
      PORT_50051_TCP: 'tcp://10.0.0.1:50051',
      PORT_50051_TCP_ADDR: '10.0.0.1',
      PORT_50051_TCP_PORT: '50051',
      PORT_50051_TCP_PROTO: 'tcp',
      SOMETHING_NEW: 'yes',
      FAILON: '',
    });
    expect([quiet.code, quiet.stderr]).toEqual([0, '']);
  });

  test.concurrent('a wrong one does no harm where a flag says it, nor to the lab', async () => {
    expect((await run(['--from', from, '-o', 'json'], { OUTPUT: 'xml' })).code).toBe(0);
    const lab = await run(['lab', 'balanced', '--window', '0', '-o', 'json'], {
      CLIENTS: 'mixed',
      FROM: from,
      OUTPUT: 'xml',
    });
    expect([lab.code, JSON.parse(lab.stdout).metadata.name]).toEqual([0, 'echo']);
  });

  test.concurrent('the cluster is found by them, for completion, too; printed commands carry it', async ({
    onTestFinished,
  }) => {
    const cluster = await startCluster(onTestFinished);
    const env = { KUBECONFIG: cluster.kubeconfigPath };
    const found = await run(['echo', '--no-exec', '--window', '0', '-o', 'markdown'], env);
    expect(found.code).toBe(0);
    expect(found.stdout).toContain(`--kubeconfig ${cluster.kubeconfigPath}`);
    expect((await run(['__complete', 'ec'], { ...env, REQUEST_TIMEOUT: '20s' })).stdout).toBe('echo\n:4\n');
  });
});

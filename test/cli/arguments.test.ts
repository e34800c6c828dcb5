import { describe, expect, test } from 'vitest';
import type { Flag } from '../../src/cli/flag.ts';
import { commandNames, commands } from '../../src/cli/flags.ts';
import { startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram } from './program.ts';

describe('help and version', () => {
  test.concurrent('no arguments: help and one line, on stderr', async () => {
    const run = await runProgram([]);
    expectError(run, 2, /^error: no Service is named; name one, or try kubectl grpc-skew lab/);
    expect(run.stderr).toContain('Usage:\n  kubectl grpc-skew SERVICE');
  });

  test.concurrent.each([
    [['-h']],
    [['--help']],
    [['help']],
    [['echo', '--help']],
    [['lab', '-h']],
    [['lab', '--help']],
  ])('%j', async (args) => {
    const run = await runProgram(args);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/\nUsage:\n {2}kubectl grpc-skew/);
    expect(run.stdout.includes('\nScenarios:\n  scale-up ')).toBe(args[0] === 'lab');
    for (const word of args[0] === 'lab'
      ? ['--clients N', '--serve']
      : ['deploy/NAME', '[-n NAMESPACE]', 'kubectl grpc-skew help flags', ...commandNames])
      expect(run.stdout).toContain(word);
  });

  test.concurrent('the first help is one screen', async () => {
    const lines = (await runProgram(['--help'])).stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  test.concurrent('help flags: every flag of a diagnosis, and how a variable gives one', async () => {
    const run = await runProgram(['help', 'flags']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    for (const { name, short, help } of commands.diagnose as readonly Flag[]) {
      expect(run.stdout).toContain(name === short ? `-${short} ` : `--${name}`);
      expect(run.stdout).toContain(help);
    }
    for (const word of ['svc, deploy, sts, ds or pod', 'GRPC_SKEW_FAIL_ON', '-n, --namespace NAME', '--as-user-extra'])
      expect(run.stdout).toContain(word);
  });

  test.concurrent.each(['fix', 'scan', 'probes'])(
    'help %s says where the rest of the connection flags is',
    async (name) => {
      const { stdout } = await runProgram(['help', name]);
      expect(stdout).toContain('-n, --namespace NAME');
      expect(stdout).not.toContain('--as-user-extra');
      expect(stdout).toMatch(/\nThe other connection flags: kubectl grpc-skew help flags\n$/);
    },
  );

  test.concurrent.each(commandNames)('help %s prints what %s --help prints', async (name) => {
    const [asked, flagged] = await Promise.all([runProgram(['help', name]), runProgram([name, '--help'])]);
    expect(asked).toMatchObject({ code: 0, stderr: '', stdout: flagged.stdout });
    expect(asked.stdout).toContain(`kubectl grpc-skew ${name}`);
  });

  test.concurrent.each([[['version']], [['--version']], [['lab', '--version']]])('%j', async (args) => {
    const run = await runProgram(args);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^grpc-skew \d+\.\d+\.\d+\n$/) });
  });

  test.concurrent('version -o json, -o yaml', async () => {
    const json = await runProgram(['version', '-o', 'json']);
    expect(JSON.parse(json.stdout)).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    const yaml = await runProgram(['version', '-o', 'yaml']);
    expect(yaml.stdout).toMatch(/^version: "?\d+\.\d+\.\d+"?\n$/);
  });
});

describe('wrong usage: one line, exit 2', () => {
  test.concurrent.each<[string[], RegExp]>([
    [['echo', '--prot', '5'], /^error: unknown flag --prot; did you mean --port\?$/],
    [['echo', '--utput=json'], /^error: unknown flag --utput; did you mean --output\?$/],
    [['echo', '--zzzzzz'], /^error: unknown flag --zzzzzz; see kubectl grpc-skew help flags$/],
    [['echo', '-z'], /^error: unknown flag -z; see kubectl grpc-skew help flags$/],
    [
      ['echo', '-o', 'xml'],
      /^error: --output does not know xml; it takes chat, html, json, markdown, table, wide, yaml$/,
    ],
    [['echo', '-o', ''], /^error: --output does not know an empty value; /],
    [
      ['echo', '--fail-on', 'skewed,balance'],
      /^error: --fail-on does not know balance; it takes by-setting, fault, no-traffic, not-load-balancing, outage, single-pod, skewed, unchanged, worse$/,
    ],
    [['echo', '--clients', 'mine'], /^error: --clients does not know mine; it takes mixed, owned, third-party$/],
    [['echo', '--color', 'red'], /^error: --color does not know red; it takes always, auto, never$/],
    [
      ['echo', '--window', 'soon'],
      /^error: --window takes seconds or a duration, up to 10m, not soon; write --window 10 or --window 1m30s$/,
    ],
    [['echo', '--window=-1'], /^error: --window takes seconds or a duration, up to 10m, not -1; /],
    [['echo', '--window', '601'], /^error: --window takes /],
    [['echo', '--window', '10m1s'], /^error: --window takes /],
    [['probes', '--window', '11m'], /^error: --window takes /],
    [['echo', '--window', ''], /^error: --window needs a value; /],
    [['echo', '--port='], /^error: --port needs a value; /],
    [['echo', '-v', 'loud'], /^error: -v takes a number, not loud; /],
    [
      ['echo', '--request-timeout', 'long'],
      /^error: --request-timeout takes a number of seconds or a duration, not long; /,
    ],
    [['echo', '--no-exec=maybe'], /^error: --no-exec takes true or false, not maybe; /],
    [['probs', '-A'], /^error: unknown flag -A; did you mean the command probes\? see kubectl grpc-skew help flags$/],
    [['help', 'probs'], /^error: there is no command probs; did you mean probes\?$/],
    [['help', 'echo'], /^error: there is no command echo; the commands are .*probes/],
    [
      ['fix', 'echo', '--strategy', 'headless'],
      /^error: --strategy does not know headless; did you mean headless-round-robin\? it takes cluster-ip, /,
    ],
    [['fix', 'echo', '--mesh', 'istoi'], /^error: --mesh does not know istoi; did you mean istio\? it takes /],
    [['fix', 'echo', '--language', 'pyhton'], /; did you mean python\? it takes /],
    [['completion', 'bsh'], /^error: completion does not know bsh; did you mean bash or zsh\? choose one of /],
    [['echo', '--port'], /^error: --port needs a value; write --port PORT$/],
    [['echo', '-n'], /^error: --namespace needs a value; /],
    [['echo', '-n', '..'], /^error: "\.\." is no name of a namespace; /],
    [['echo', '-n', 'a/b'], /^error: "a\/b" is no name of a namespace; /],
    [['echo', '-n', 'Shop'], /^error: "Shop" is no name of a namespace; /],
    [['a/b/c'], /^error: arguments in resource\/name form may not have more than one slash; /],
    [['svc/'], /^error: arguments in resource\/name form must have a single resource and name; /],
    [['/echo'], /^error: arguments in resource\/name form must have a single resource and name; /],
    [['svc/echo', 'web'], /^error: there is no need to specify a resource type as a separate argument /],
    [['svc/a', 'svc/b'], /^error: one Service at a time; /],
    [['a', 'b'], /^error: one Service at a time; /],
    [['svc', 'a', 'b'], /^error: one Service at a time; /],
    [
      ['job/a'],
      /^error: "job" is no type that can be diagnosed; name the Service \(svc\/NAME\), or its workload: deployment\/NAME/,
    ],
    [['Echo'], /^error: "Echo" is no name of a service; names have lower-case letters, digits and dashes$/],
    [['echo;reboot'], /^error: "echo;reboot" is no name of a service; /],
    [['../secrets/x'], /^error: arguments in resource\/name form may not have /],
    [['..'], /^error: "\.\." is no name of a service; /],
    [['svc/..'], /^error: "\.\." is no name of a service; /],
    [['$(id)'], /^error: "\$\(id\)" is no name of a service; /],
    [['a b'], /^error: "a b" is no name of a service; /],
    [['\u001b[31mx\u202e'], /^error: "\\u001b\[31mx\\u202e" is no name/],
    [[''], /^error: "" is no name of a service; /],
    [['x'.repeat(300)], /is no name of a service; /],
    [['echo', '--from', 'x.json'], /^error: --from x\.json names its own Service; leave echo out$/],
    [['echo', '--no_such_flag'], /^error: unknown flag --no-such-flag; /],
    [['--', '--help'], /^error: "--help" is no name of a service; /],
    [['lab', 'scaleup'], /^error: there is no scenario "scaleup"; did you mean scale-up\?$/],
    [['lab', 'nope'], /^error: there is no scenario "nope": .*scale-up, balanced, pick-first/],
    [['lab', 'scale-up', 'balanced'], /^error: one scenario at a time; /],
    [['lab', '--clients', 'x'], /^error: --clients takes a number, not x; /],
    [['lab', '--clients', '0'], /^error: --clients must be a whole number from 1 to 100, not 0; /],
    [['lab', '--from', '9', '--to', '3'], /^error: --to \(3\) must not be less than --from \(9\): /],
    [['lab', 'balanced', '--to', '3'], /^error: scenario balanced takes no --to; /],
    [['lab', '--port', '1'], /^error: unknown flag --port; /],
  ])('%j', async (args, line) => {
    const run = await runProgram(args, { env: { KUBECONFIG: '/dev/null' } });
    expectError(run, 2, line);
    expect(run.stderr).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('every form of a flag', () => {
  test.concurrent.each<[string[]]>([
    [['echo', '--namespace=skew-scaleup', '--output=json', '--no-exec']],
    [['echo', '--namespace', 'skew-scaleup', '--output', 'json', '--no_exec=true', '--window', '0s']],
    [['-nskew-scaleup', '-ojson', 'echo', '--no-exec=1']],
    [['-n=skew-scaleup', '-o=json', '--no-exec', 'echo']],
    [['svc/echo', '-o', 'json', '--no-exec', '-n', 'nowhere', '-n', 'skew-scaleup']],
    [['svc', 'echo', '-o', 'json', '--window=0', '--no-exec=false']],
    [['Services', 'echo', '-o', 'json', '--window=0', '--no_exec=false', '--all_pods']],
    [['-o', 'json', '--window=0', '--', 'service/echo']],
    [['echo', '-o', 'json', '--window=0', '--request_timeout=5s', '-v0', '--insecure-skip-tls-verify=false']],
  ])('%j', async (args) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    const run = await cluster.run(args);
    for (const one of clean) await one();
    expectNoTrace(run);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout).metadata).toMatchObject({ name: 'echo', namespace: 'skew-scaleup' });
    expect(cluster.requests.filter((line) => line.includes('/exec'))).toHaveLength(
      args.some((one) => /no.exec(?!=false)/.test(one)) ? 0 : 10,
    );
  });

  test.concurrent('a Service with the name of a command is reached as svc/NAME', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    for (const name of ['lab', 'help'])
      expectError(await cluster.run([`svc/${name}`]), 1, new RegExp(`^error: service ${name} not found`));
  }, 20_000);

  test.concurrent('-v writes to stderr only', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '-o', 'json', '--window=0', '-v', '6']);
    expect(JSON.parse(run.stdout).kind).toBe('SkewReport');
    expect(run.stderr).toMatch(/GET \/api\/v1\/namespaces\/skew-scaleup\/services\/echo 200 in \d+ ms/);
  });
});

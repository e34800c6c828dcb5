import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureStatus } from '../../src/lab/api/answer.ts';
import { kubeconfig } from '../kube/open-client.ts';
import { answerWith, startCluster } from './cluster.ts';
import { expectError, type OnTestFinished, type Run, type RunOptions, runProgram, temporaryFolder } from './program.ts';

function withConfig(onTestFinished: OnTestFinished, text: string, options: RunOptions = {}): Promise<Run> {
  const path = join(temporaryFolder(onTestFinished), 'config');
  writeFileSync(path, text);
  return runProgram(['echo', '--window', '0'], { ...options, env: { KUBECONFIG: path, ...options.env } });
}

describe('kubeconfig', () => {
  test.concurrent('none at all', async () => {
    const run = await runProgram(['echo']);
    expectError(
      run,
      1,
      /^error: no cluster is configured in \/.*\/\.kube\/config; set KUBECONFIG or --kubeconfig to a file that names a cluster, or try kubectl grpc-skew lab, which needs none$/,
    );
  });

  test.concurrent('--kubeconfig names a file that is missing, or a directory', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    expectError(
      await runProgram(['echo', '--kubeconfig', `${folder}/no`]),
      1,
      /^error: \/.*\/no: no such file; check the contexts, clusters and users of the kubeconfig/,
    );
    expectError(await runProgram(['echo', '--kubeconfig', folder]), 1, /it is a directory, not a file; /);
  });

  test.concurrent.each([
    ['levels without end', '['.repeat(8_000_000), /not valid YAML: nested deeper than 1000 levels; /],
    [
      'faults without end in one line',
      `${'&a '.repeat(150_000)}x`,
      /not valid YAML: multiple anchors at line 1, column /,
    ],
  ])('YAML with %s is refused at once', async (_, text, line) => {
    const clean: (() => void | Promise<void>)[] = [];
    const run = await withConfig((one) => clean.push(one), text);
    for (const one of clean) await one();
    expectError(run, 1, line);
  });

  test.concurrent('$KUBECONFIG names files that are missing', async () => {
    const run = await runProgram(['echo'], { env: { KUBECONFIG: '/no/a:/no/b' } });
    expectError(run, 1, /^error: no cluster is configured in \/no\/a, \/no\/b; /);
    expect(run.stderr).toContain('Warning: kubeconfig not found: /no/a, /no/b\n');
  });

  test.concurrent.each([
    [
      'a tag in YAML',
      'users: !vault s3cret-token',
      /: users is a text, not a list; check the contexts, clusters and users of the kubeconfig/,
    ],
    ['an alias in YAML', 'users: *s3cret', /: not valid YAML: an alias leads nowhere, or to too much; /],
    ['a token in YAML', '- s3cret\n] s3cret', /: not valid YAML: unexpected token at line 2, column 1; /],
    [
      'broken YAML',
      'clusters: [\n  token: s3cret-token\n',
      /: not valid YAML: .*; check the contexts, clusters and users of the kubeconfig/,
    ],
    ['empty', '', /^error: no cluster is configured in .*; /],
    ['a list', '- a\n- b\n', /^error: .*; /],
    ['a text', 'hello', /^error: .*; /],
    ['binary', '\u0000\u0001\u0002', /^error: .*; /],
    [
      'no current context',
      'contexts: [{name: prod, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "https://x"}}]',
      /sets no current-context .*; choose one with --context: prod$/,
    ],
    ['a context that is not there', 'current-context: gone\n', /^error: context "gone" does not exist; /],
    [
      'a context without cluster',
      'current-context: a\ncontexts: [{name: a, context: {cluster: gone}}]',
      /^error: cluster "gone" does not exist; /,
    ],
    ['a server that is no URL', kubeconfig('https://[::bad'), /is not a URL of an API server; /],
    [
      'a namespace that is none',
      kubeconfig('http://127.0.0.1:9').replace('"namespace":"shop"', '"namespace":"../x"'),
      /^error: "\.\.\/x" is no name of a namespace; /,
    ],
    [
      'certificates that are none',
      kubeconfig('https://127.0.0.1:9', {}, { 'certificate-authority-data': 'AAAA' }),
      /^error: .*; /,
    ],
    [
      'a CA file that is missing',
      kubeconfig(
        'https://127.0.0.1:9',
        {},
        { 'certificate-authority-data': undefined, 'certificate-authority': 'no.pem' },
      ),
      /no\.pem.*no such file; /,
    ],
    [
      'a token file that is missing',
      kubeconfig('https://127.0.0.1:9', { tokenFile: 'no-token' }),
      /no-token: no such file; /,
    ],
    [
      'a client key that is none',
      kubeconfig('https://127.0.0.1:9', { 'client-certificate-data': 'AAAA', 'client-key-data': 'AAAA' }),
      /^error: .*; /,
    ],
  ])('%s', async (_name, text, line) => {
    const clean: (() => void | Promise<void>)[] = [];
    const run = await withConfig((one) => clean.push(one), text);
    for (const one of clean) await one();
    expectError(run, 1, line);
    expect(run.stderr).not.toContain('s3cret');
  });
});

test.each(['600h', '2160000', '99999h'])('--request-timeout %s is not over at once', async (limit) => {
  const clean: (() => void | Promise<void>)[] = [];
  const cluster = await startCluster((one) => clean.push(one));
  const run = await cluster.run(['echo', '--window', '0', '-o', 'json', '--request-timeout', limit]);
  for (const one of clean) await one();
  expect([run.code, run.stderr]).toEqual([0, '']);
});

describe('credentials', () => {
  const refused = answerWith(failureStatus(401, 'Unauthorized', 'Unauthorized'));

  test.concurrent('a token that is refused', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished, { user: { token: 'expired-token' } });
    cluster.on(/./, refused);
    const run = await cluster.run(['echo', '--window', '0', '-v', '9']);
    expectError(run, 1, /^error: could not get service .*: unauthorized; log in again, or renew the token/i);
    expect(run.stderr).not.toContain('expired-token');
  });

  const plugin = (more: object): object => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: 'no-such-plugin',
      ...more,
    },
  });

  test.concurrent('an exec plugin that is missing: its install hint is shown', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished, {
      user: plugin({ installHint: 'Install it from example.com.' }),
    });
    const run = await cluster.run(['echo']);
    expectError(run, 1, /credential plugin "no-such-plugin": executable not found; install it from example\.com$/);
  });

  test.concurrent('an exec plugin that is missing, without a hint', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished, { user: plugin({}) });
    expectError(await cluster.run(['echo']), 1, /executable not found; /);
  });

  test.concurrent.each([
    ['fails', 'echo "token expired: run login" >&2; exit 3', /credential plugin ".*": exit code 3; /],
    ['prints no JSON', 'echo hello s3cret', /its output is not a JSON object; /],
    ['prints another kind', 'echo \'{"kind":"Pod","status":{"token":"s3cret"}}\'', /not of kind ExecCredential; /],
    [
      'prints an empty status',
      'echo \'{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}}\'',
      /neither a token nor a certificate; /,
    ],
  ])('an exec plugin that %s', async (_name, script, line) => {
    const clean: (() => void | Promise<void>)[] = [];
    const onTestFinished: OnTestFinished = (one) => clean.push(one);
    const path = join(temporaryFolder(onTestFinished), 'plugin');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    const cluster = await startCluster(onTestFinished, { user: plugin({ command: path }) });
    const run = await cluster.run(['echo', '-v=9']);
    for (const one of clean) await one();
    expectError(run, 1, line);
    expect(run.stderr).not.toContain('s3cret');
    // What it says itself is passed on.
    if (script.includes('>&2')) expect(run.stderr).toContain('token expired: run login\n');
  });

  test.concurrent('an exec plugin with an argument that no program can get', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished, { user: plugin({ args: ['a\0b'] }) });
    expectError(
      await cluster.run(['echo']),
      1,
      /credential plugin ".*": its command, an argument or a variable holds a NUL character; correct the kubeconfig/,
    );
  });

  test.concurrent('an exec plugin that is not executable', async ({ onTestFinished }) => {
    const path = join(temporaryFolder(onTestFinished), 'plugin');
    writeFileSync(path, '');
    const cluster = await startCluster(onTestFinished, { user: plugin({ command: path }) });
    expectError(await cluster.run(['echo']), 1, /credential plugin ".*": EACCES; /);
  });
});

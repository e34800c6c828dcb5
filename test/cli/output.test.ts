import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SkewReport } from '../../src/report/schema.ts';
import { type Json, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, type OnTestFinished, runProgram, temporaryFolder } from './program.ts';

const recording = (name: string): string => fileURLToPath(new URL(`../recordings/${name}`, import.meta.url));

/** A recording without what its commands answered: nothing can be said for sure. */
function unknownFolder(onTestFinished: OnTestFinished): string {
  const folder = temporaryFolder(onTestFinished);
  for (const name of ['service', 'endpointslices', 'pods'])
    copyFileSync(join(recording('skew-scaleup'), `${name}.json`), join(folder, `${name}.json`));
  return folder;
}

const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-record-'));
/** Quicker to read than a folder. */
const record = join(folder, 'seen.json');

beforeAll(async () => {
  const run = await runProgram(['--from', recording('skew-scaleup'), '-o', 'json', '--record', record]);
  expect(run.code).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('--fail-on', () => {
  test.concurrent.each([
    ['skewed', null, 0],
    ['skewed', 'skewed', 3],
    ['skewed', 'no-traffic,skewed', 3],
    ['skewed', 'no-traffic', 0],
    ['balanced-headless', 'skewed', 0],
    ['balanced-headless', 'skewed,no-traffic,not-load-balancing', 0],
    ['unready-connected', 'not-load-balancing', 3],
    ['unready-connected', 'fault', 3],
    ['unready-connected', 'outage,by-setting,single-pod', 0],
  ])('%s, %s: %d', async (name, states, code) => {
    const run = await runProgram([
      '--from',
      name === 'skewed' ? record : recording(name),
      ...(states === null ? [] : ['--fail-on', states]),
    ]);
    expect([run.code, run.stderr]).toEqual([code, '']);
    expect(run.stdout).not.toBe('');
  });

  test.concurrent('unknown: 4, whatever is asked for; 0 without', async ({ onTestFinished }) => {
    const folder = unknownFolder(onTestFinished);
    expect((await runProgram(['--from', folder])).code).toBe(0);
    expect((await runProgram(['--from', folder, '--fail-on', 'no-traffic', '-o', 'json'])).code).toBe(4);
  });

  test.concurrent('a failure stays a failure', async () => {
    expectError(await runProgram(['--from', '/no/such', '--fail-on', 'skewed']), 1, /no such file/);
  });
});

describe('formats', () => {
  test.concurrent('-o json is one document that fits the published schema', async () => {
    const run = await runProgram(['--from', record, '-o', 'json']);
    const report: unknown = JSON.parse(run.stdout);
    expect(Value.Check(SkewReport, report)).toBe(true);
    const published: unknown = JSON.parse(
      readFileSync(new URL('../../schemas/skewreport-v1alpha1.json', import.meta.url), 'utf8'),
    );
    expect(Value.Check(published as typeof SkewReport, report)).toBe(true);
    expect(run.stdout.endsWith('}\n')).toBe(true);
  });

  test.concurrent('-o yaml is the same object', async () => {
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map((format) => runProgram(['--from', recording('hot-client'), '-o', format])),
    );
    expect(parseAllDocuments(yaml?.stdout ?? '')).toHaveLength(1);
    expect(parse(yaml?.stdout ?? '')).toEqual(JSON.parse(json?.stdout ?? ''));
  });

  test.concurrent.each([
    ['a pipe', {}, 80],
    ['a narrow pipe', { COLUMNS: '60' }, 60],
    ['COLUMNS that is none', { COLUMNS: 'wide' }, 80],
    ['COLUMNS of 1', { COLUMNS: '1' }, 80],
    ['COLUMNS below 0', { COLUMNS: '-5' }, 80],
  ])('a table in %s', async (_name, env, columns) => {
    const run = await runProgram(['--from', record], { env });
    expect([run.code, run.stderr]).toEqual([0, '']);
    const longest = Math.max(...run.stdout.split('\n').map((line) => [...line].length));
    expect(longest).toBeLessThanOrEqual(columns);
    expect(run.stdout).toMatch(/^SKEWED/m);
    expect(run.stdout).not.toMatch(/[ \t]$/m);
    expectNoTrace(run);
  });
});

describe('colours', () => {
  const colours = /\u001b\[/;
  test.concurrent.each<[string[], Record<string, string>, boolean]>([
    [[], {}, false],
    [['--color', 'always'], {}, true],
    [['--color=always'], { NO_COLOR: '1' }, true],
    [['--color', 'auto'], { FORCE_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '0' }, false],
    [['--color', 'never'], { FORCE_COLOR: '3' }, false],
    [['-o', 'json', '--color', 'always'], { FORCE_COLOR: '1' }, false],
    [['-o', 'yaml', '--color', 'always'], {}, false],
  ])('%j %j: %s', async (args, env, coloured) => {
    const run = await runProgram(['--from', record, ...args], { env });
    expect(run.code).toBe(0);
    expect(colours.test(run.stdout)).toBe(coloured);
    expect(run.stderr).not.toMatch(colours);
  });

  test.concurrent('a locale without UTF-8 gets ASCII', async () => {
    const run = await runProgram(['--from', record], { env: { LC_ALL: 'C' } });
    expect(run.stdout).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describe('whoever reads goes away', () => {
  const shell = (script: string): Parameters<typeof runProgram>[1] => ({ command: ['/bin/sh', '-c', script] });
  const program = `"${process.execPath}" "${fileURLToPath(new URL('../../dist/kubectl-grpc_skew', import.meta.url))}"`;

  test.concurrent('| head -1 ends quietly', async () => {
    const run = await runProgram([], shell(`${program} --from ${record} -o json | head -1`));
    expect(run).toMatchObject({ code: 0, stdout: '{\n', stderr: '' });
  });

  test.concurrent('a closed stdout, a full disk, a closed stderr', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const closed = await cluster.run([], shell(`${program} echo --window 0 -o json >&-`));
    expectNoTrace(closed);
    const full = await cluster.run([], shell(`${program} echo --window 0 -o json >/dev/full`));
    expectError(full, 1, /^error: could not write to stdout: .*ENOSPC.*; /);
    const silent = await cluster.run([], shell(`${program} echo --window 0 2>&-`));
    expect([silent.code, /^SKEWED/m.test(silent.stdout)]).toEqual([0, true]);
    const gone = await cluster.run(
      [],
      shell(`{ ${program} echo --window 0 -v 9; echo "code $?" >&3; } 2>&1 >/dev/null 3>&2 | true`),
    );
    expectNoTrace(gone);
  }, 30_000);
});

test('--redact: neither what is printed nor the record holds a name of the cluster', async () => {
  const shared = join(folder, 'shared.json');
  const run = await runProgram(['--from', record, '--redact', '--record', shared, '-o', 'wide']);
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(run.stdout).toContain('10 pods do the work of 2.7: 7 are idle');
  for (const text of [run.stdout, readFileSync(shared, 'utf8')])
    expect(text).not.toMatch(/\becho\b|skew-scaleup|10\.244\./);
  const again = await runProgram(['--from', shared]);
  expect(again.stdout).toContain('svc/app-1 :50051');
});

test('--redact: nor does an error name what else is there', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  for (const args of [['acme-pay'], ['deploy/acme-pay'], ['deploy/echo']]) {
    if (args[0] === 'deploy/echo') {
      const [one] = cluster.objects['services'].items.filter((each: Json) => each.spec.selector?.app === 'echo');
      const twin = { ...one, metadata: { ...one.metadata, name: 'acme-twin' } };
      cluster.objects['services'].items.push(twin);
    }
    const run = await cluster.run([...args, '--redact']);
    expect([1, 2]).toContain(run.code);
    expect(run.stderr).toMatch(/^error: .*; (services there|deployments there|choose one): /);
    expect(run.stderr).not.toMatch(/acme|\becho\b|\bshop\b/);
  }
});

import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Value from 'typebox/value';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { SkewReport } from '../../src/report/schema.ts';
import { type Json, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram, temporaryFolder } from './program.ts';

const recordings = fileURLToPath(new URL('../recordings', import.meta.url));

describe('--from a file that is no record', () => {
  const record = JSON.stringify({ apiVersion: 'grpc-skew/v1alpha1', kind: 'SkewEvidence', metadata: {} });
  test.concurrent.each([
    ['cut short', record.slice(0, -9), /^error: seen\.json is cut short or damaged: .*; record it again/],
    ['empty', '', /^error: seen\.json is no JSON; write one with /],
    ['text', 'Hello', /^error: seen\.json is no JSON; /],
    ['a list', '[]', /^error: seen\.json is no record of grpc-skew; /],
    [
      'another object',
      '{"kind":"Pod","apiVersion":"v1"}',
      /^error: seen\.json is no record of grpc-skew: its kind is "Pod"; /,
    ],
    [
      'a report',
      '{"kind":"SkewReport","apiVersion":"grpc-skew/v1alpha1"}',
      /^error: seen\.json is a report, not the evidence it came from; /,
    ],
    [
      'newer',
      record.replace('v1alpha1', 'v2'),
      /^error: seen\.json is written as grpc-skew\/v2; this version reads grpc-skew\/v1alpha1/,
    ],
    ['incomplete', record, /^error: seen\.json is damaged at \/.*; record it again$/],
    ['hostile', '{"kind":"\\u001b[2J\\u202e"}', /^error: seen\.json is no record of grpc-skew: its kind is "/],
    ['deep', `${'['.repeat(100_000)}`, /^error: seen\.json is no JSON; |is cut short/],
  ])('%s', async (_name, text, line) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    writeFileSync(join(folder, 'seen.json'), text);
    const run = await runProgram(['--from', 'seen.json'], { cwd: folder });
    for (const one of clean) await one();
    expectError(run, 1, line);
    expect(run.stderr).not.toMatch(/[\u001b\u202e]/);
  });

  test.concurrent('not there, not readable as a file', async () => {
    expectError(
      await runProgram(['--from', 'no/such.json']),
      1,
      /^error: no\/such\.json: no such file or folder; name a file/,
    );
    expectError(await runProgram(['--from', '']), 2, /^error: --from needs a value; /);
    expectError(await runProgram(['--from', '/proc/self/mem']), 1, /^error: \/proc\/self\/mem cannot be read: \w+; /);
    const endless = await runProgram(['--from', '/dev/zero']);
    expectError(endless, 1, /^error: \/dev\/zero cannot be read: it is a device, not a file; /);
    const device = await runProgram(['--from', '/dev/null']);
    expectError(device, 1, /^error: \/dev\/null /);
  });
});

describe('--from a folder', () => {
  test.concurrent('an empty one', async ({ onTestFinished }) => {
    const run = await runProgram(['--from', temporaryFolder(onTestFinished)]);
    expectError(
      run,
      1,
      /^error: .*it holds no service\.json; save the Service, as the API gives it in JSON, as service\.json/,
    );
  });

  test.concurrent('with only service.json', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, 'service.json'), readFileSync(join(recordings, 'skew-scaleup/service.json')));
    const run = await runProgram(['--from', folder]);
    expectError(run, 1, /^error: could not list endpointslices .*: the recording holds no endpointslices\.json; /);
  });

  test.concurrent('without commands, metrics or events: partial, and says so', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    for (const name of ['service', 'endpointslices', 'pods'])
      writeFileSync(join(folder, `${name}.json`), readFileSync(join(recordings, `skew-scaleup/${name}.json`)));
    const run = await runProgram(['--from', folder]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^UNKNOWN/m);
    expect(run.stdout).toMatch(/not seen/);
    expectNoTrace(run);
  });

  test.concurrent('with names that would lead out of it', async ({ onTestFinished }) => {
    const outer = temporaryFolder(onTestFinished);
    const folder = join(outer, 'recording');
    cpSync(join(recordings, 'skew-scaleup'), folder, { recursive: true });
    const pod = readdirSync(join(folder, 'pod')).findLast((name) => name.startsWith('echo')) ?? '';
    renameSync(join(folder, 'pod', pod), join(outer, 'outside'));
    for (const name of ['pods', 'endpointslices', 'metrics-pods']) {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${pod}"`, '"../../outside"'));
    }
    const record = join(outer, 'record.json');
    expect(
      (await runProgram(['--from', folder, '--metrics-port', '9090', '-o', 'json', '--record', record])).code,
    ).toBe(0);
    const { pods, connections, calls } = JSON.parse(readFileSync(record, 'utf8')) as Json;
    // Of this pod nothing is seen; of the nine others all is.
    const { uid } = pods.find(({ name }: Json) => name === '../../outside');
    const seen = (looks: Json) => new Set(looks.map(({ podUid }: Json) => podUid));
    for (const { looks } of [connections, calls]) expect([seen(looks).has(uid), seen(looks).size]).toEqual([false, 9]);
  });

  test.concurrent('with a file that is damaged', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    for (const name of ['service', 'endpointslices', 'pods'])
      writeFileSync(join(folder, `${name}.json`), readFileSync(join(recordings, `skew-scaleup/${name}.json`)));
    writeFileSync(join(folder, 'events.json'), '{"items": [');
    writeFileSync(join(folder, 'times.json'), '<html>');
    mkdirSync(join(folder, 'metrics-pods.json'));
    expect((await runProgram(['--from', folder, '-o', 'json'])).code).toBe(0);
    writeFileSync(join(folder, 'pods.json'), '{"items": [');
    expectError(
      await runProgram(['--from', folder]),
      1,
      /^error: could not list pods .*: pods\.json is no JSON object; /,
    );
    writeFileSync(join(folder, 'service.json'), '[1');
    expectError(await runProgram(['--from', folder]), 1, /^error: .*service/);
  }, 20_000);

  test.concurrent.each(readdirSync(recordings))('%s', async (name) => {
    const json = await runProgram(['--from', join(recordings, name), '-o', 'json']);
    expect([json.code, json.stderr]).toEqual([0, '']);
    expect([...Value.Errors(SkewReport, JSON.parse(json.stdout))]).toEqual([]);
  });

  test.concurrent.each(['l7-proxy', 'probe-broken'])('%s as a wide table', async (name) => {
    const run = await runProgram(['--from', join(recordings, name), '-o', 'wide']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/ svc\/echo\S* :/);
    expectNoTrace(run);
  });
});

describe('a record with numbers that no cluster has', () => {
  test.each([
    ['service.ports', 1e308],
    ['spec.askedWindowSeconds', -1e21],
    ['spec.windowSeconds', -1e21],
  ])('%s: refused, with its place', async (where, number) => {
    const folder = temporaryFolder(onTestFinished);
    const whole = await runProgram(['--from', join(recordings, 'skew-scaleup'), '--record', 'seen.json'], {
      cwd: folder,
    });
    expect(whole.code).toBe(0);
    const record: Json = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
    if (where.startsWith('spec.')) record.spec[where.slice('spec.'.length)] = number;
    else record.service.ports[0].port = number;
    writeFileSync(join(folder, 'seen.json'), JSON.stringify(record));
    const run = await runProgram(['--from', 'seen.json'], { cwd: folder });
    expectError(
      run,
      1,
      new RegExp(`^error: seen\\.json is damaged at /${where.replace('.', '/')}.*: no look gives such a number`),
    );
  });
});

test('a record by which the asked window has its older name says the same', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const from = ['--from', join(recordings, 'skew-scaleup'), '--window', '4', '-o', 'json'];
  const first = await runProgram([...from, '--record', 'seen.json'], { cwd: folder });
  const record: Json = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
  const { askedWindowSeconds, ...spec } = record.spec;
  expect(askedWindowSeconds).toBe(4);
  writeFileSync(join(folder, 'old.json'), JSON.stringify({ ...record, spec: { ...spec, windowSeconds: 4 } }));
  const again = await runProgram(['--from', 'old.json', '-o', 'json'], { cwd: folder });
  expect(again).toMatchObject({ code: 0, stderr: '', stdout: first.stdout });
});

test('a record, replayed, gives the same report byte for byte', async ({ onTestFinished }) => {
  const cluster = await startCluster(onTestFinished);
  const first = await cluster.run(['echo', '-o', 'json', '--window', '0.2', '--record', 'seen.json']);
  const again = await runProgram(['--from', join(cluster.folder, 'seen.json'), '-o', 'json']);
  expect(again).toMatchObject({ code: 0, stderr: '', stdout: first.stdout });
  const yaml = await runProgram(['--from', join(cluster.folder, 'seen.json'), '-o', 'yaml']);
  expect(parse(yaml.stdout)).toEqual(JSON.parse(first.stdout));
  const copied = await runProgram(['--from', join(cluster.folder, 'seen.json'), '--record', 'copy.json'], {
    cwd: cluster.folder,
  });
  expect(copied.code).toBe(0);
  expect(readFileSync(join(cluster.folder, 'copy.json'), 'utf8')).toBe(
    readFileSync(join(cluster.folder, 'seen.json'), 'utf8'),
  );
});

test('a folder, recorded as one file, gives the same report', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const first = await runProgram(['--from', join(recordings, 'skew-scaleup'), '-o', 'json', '--record', 'seen.json'], {
    cwd: folder,
  });
  const again = await runProgram(['--from', 'seen.json', '-o', 'json'], { cwd: folder });
  expect(again.stdout).toBe(first.stdout);
});

describe('--record', () => {
  test.concurrent('is written even when the diagnosis fails', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const record = (name: string): Json => JSON.parse(readFileSync(join(cluster.folder, name), 'utf8'));
    expectError(await cluster.run(['nope', '--record', 'a.json']), 1, /not found/);
    expect(record('a.json').signals).toMatchObject([{ id: 'service', state: 'unavailable' }]);
    cluster.objects['service'].spec.ports.push({ name: 'web', port: 80 });
    cluster.objects['service'].spec.ports[0].name = 'api';
    expectError(await cluster.run(['echo', '--record', 'b.json']), 2, /choose one with --port/);
    expect(record('b.json')).toMatchObject({ kind: 'SkewEvidence', service: { name: 'echo' } });
    const chosen = await runProgram(['--from', join(cluster.folder, 'b.json'), '--port', 'api', '-o', 'json']);
    expect(JSON.parse(chosen.stdout).spec.port.name).toBe('api');
  }, 20_000);

  test.concurrent('where it cannot be written: the report is there all the same', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '--window', '0', '-o', 'json', '--record', 'no/such/folder/seen.json']);
    expect([run.code, JSON.parse(run.stdout).kind]).toEqual([1, 'SkewReport']);
    expect(run.stderr).toMatch(/^error: could not write the record: .*; choose another file with --record\n$/);
    expect(readdirSync(cluster.folder)).toEqual(['config']);
  });

  test.concurrent('to a device, and through a link: neither is replaced', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    await cluster.run(['echo', '--window', '0', '--record', '/dev/null']);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    symlinkSync('real.json', join(cluster.folder, 'link.json'));
    writeFileSync(join(cluster.folder, 'real.json'), '');
    await cluster.run(['echo', '--window', '0', '--record', 'link.json']);
    expect(lstatSync(join(cluster.folder, 'link.json')).isSymbolicLink()).toBe(true);
    expect(statSync(join(cluster.folder, 'real.json')).size).toBeGreaterThan(1000);
    expect(readdirSync(cluster.folder).sort()).toEqual(['config', 'link.json', 'real.json']);
  });

  test.concurrent('for its owner alone', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    await cluster.run(['echo', '--window', '0', '--record', 'seen.json']);
    expect(statSync(join(cluster.folder, 'seen.json')).mode & 0o777).toBe(0o600);
  });

  test.concurrent('onto a folder', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    mkdirSync(join(cluster.folder, 'seen'));
    const run = await cluster.run(['echo', '--window', '0', '--record', 'seen']);
    expect(run.stderr).toMatch(/^error: could not write the record: /m);
    expect(readdirSync(cluster.folder).sort()).toEqual(['config', 'seen']);
  });
});

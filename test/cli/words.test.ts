import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readProbeMetrics } from '../../src/signals/probe-metrics/read.ts';
import { kubeconfig } from '../kube/open-client.ts';
import { type Json, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram, temporaryFolder } from './program.ts';

const recording = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));

/** What every object of JavaScript answers to. */
const inherited = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'];

describe('words that every object of JavaScript answers to', () => {
  test.concurrent('as reasons of Events, label keys, types of conditions and names: the record is read again', async ({
    onTestFinished,
  }) => {
    const cluster = await startCluster(onTestFinished);
    const { events, pods, services } = cluster.objects;
    const [event] = events.items;
    events.items = inherited.map((reason) => ({
      ...event,
      reason,
      involvedObject: { ...event.involvedObject, kind: 'Pod' },
    }));
    const mark = (object: Json): void => {
      for (const word of inherited)
        Object.defineProperty(object, word, { value: 'x', enumerable: true, configurable: true, writable: true });
    };
    for (const pod of pods.items) {
      mark(pod.metadata.labels);
      pod.status.conditions = [...pod.status.conditions, ...inherited.map((type) => ({ type, status: 'True' }))];
      pod.metadata.ownerReferences = [
        { ...pod.metadata.ownerReferences?.[0], kind: 'Constructor', name: 'constructor', controller: true },
      ];
    }
    mark(services.items[0].spec.selector);
    mark(cluster.objects['service'].spec.selector);
    const first = await cluster.run(['echo', '-o', 'json', '--window', '0', '--record', 'seen.json']);
    expect([first.code, first.stderr]).toEqual([0, expect.not.stringMatching(/^error/m)]);
    const record = join(cluster.folder, 'seen.json');
    const kept = JSON.parse(readFileSync(record, 'utf8')).pods[0].labels;
    for (const word of inherited) expect(Object.hasOwn(kept, word)).toBe(true);
    const again = await runProgram(['--from', record, '-o', 'json']);
    expect(again).toMatchObject({ code: 0, stderr: '', stdout: first.stdout });
    const compared = ['--baseline', record, '-o'];
    for (const more of [
      ...['wide', 'yaml', 'markdown', 'chat', 'html'].map((output) => [...compared, output]),
      ['--redact'],
    ]) {
      const run = await runProgram(['--from', record, ...more]);
      expect([run.code, run.stderr]).toEqual([0, '']);
      expectNoTrace(run);
    }
    const fix = await runProgram(['fix', '--from', record]);
    expect(fix.stderr).not.toMatch(/fault of grpc-skew/);
  }, 40_000);

  test('as types of probes on a page of kubelet: no counter of ours', () => {
    const line = (type: string) =>
      `prober_probe_total{container="c",namespace="n",pod="p",pod_uid="u",probe_type="${type}",result="failed"} 3`;
    expect(readProbeMetrics([...inherited, 'Liveness'].map(line).join('\n')).map(({ type }) => type)).toEqual([
      'liveness',
    ]);
  });

  test.concurrent.each(inherited)('%s as auth-provider of a kubeconfig: an error that says so', async (name) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    writeFileSync(join(folder, 'config'), kubeconfig('https://127.0.0.1:9', { 'auth-provider': { name } }));
    const run = await runProgram(['echo'], { env: { KUBECONFIG: join(folder, 'config') } });
    for (const one of clean) await one();
    expectError(run, 1, new RegExp(`the auth-provider "${name}" is no longer supported`));
    expect(run.stderr).not.toMatch(/native code|function/);
  });
});

describe('what no reader expects is an error of ours', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.concurrent.each([
    ['kind', `{"kind":${deep(50_000)},"apiVersion":"grpc-skew/v1alpha1"}`],
    ['apiVersion', `{"kind":"SkewEvidence","apiVersion":${deep(50_000)}}`],
    ['apiVersion as an object', '{"kind":"SkewEvidence","apiVersion":{"toString":1}}'],
    ['a field', `{"kind":"SkewEvidence","apiVersion":"grpc-skew/v1alpha1","pods":${deep(50_000)}}`],
  ])('a record whose %s is nested deep', async (_what, text) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    writeFileSync(join(folder, 'seen.json'), text);
    const run = await runProgram(['--from', 'seen.json'], { cwd: folder });
    const asBaseline = await runProgram(['--from', recording, '--baseline', 'seen.json'], { cwd: folder });
    for (const one of clean) await one();
    for (const one of [run, asBaseline])
      expectError(one, 1, /^error: seen\.json is (?:no record of|written as|damaged at)/);
  });

  test.concurrent('raw answers and kubeconfigs that are nested deep, names of half a character', async ({
    onTestFinished,
  }) => {
    const folder = temporaryFolder(onTestFinished);
    cpSync(recording, folder, { recursive: true });
    writeFileSync(join(folder, 'events.json'), `{"request":"x","status":500,"body":${deep(50_000)}}`);
    writeFileSync(join(folder, 'nodes.json'), `{"items":${deep(50_000)}}`);
    const service = readFileSync(join(recording, 'service.json'), 'utf8');
    writeFileSync(
      join(folder, 'service.json'),
      service.replaceAll('"name":"echo"', '"name":"e\\ud800"').replaceAll('"name": "echo"', '"name": "e\\ud800"'),
    );
    const run = await runProgram(['--from', folder]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expectNoTrace(run);
    for (const text of [deep(50_000), `users: ${deep(20_000)}`, `{"users":${deep(20_000)}}`]) {
      writeFileSync(join(folder, 'config'), text);
      expectError(await runProgram(['echo', '--kubeconfig', 'config'], { cwd: folder }), 1, /not valid YAML/);
    }
  }, 40_000);

  test.concurrent.each([
    ['an argument', { args: ['a\u0000b'] }],
    ['a variable', { env: [{ name: 'A', value: 'a\u0000b' }] }],
    ['the command', { command: 'a\u0000b' }],
  ])('NUL in %s of a credential plugin', async (_what, more) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'true', interactiveMode: 'Never', ...more };
    writeFileSync(join(folder, 'config'), kubeconfig('https://127.0.0.1:9', { exec }));
    const run = await runProgram(['echo'], { env: { KUBECONFIG: join(folder, 'config') } });
    for (const one of clean) await one();
    expectError(
      run,
      1,
      /credential plugin .*: its command, an argument or a variable holds a NUL character; correct the kubeconfig/,
    );
  });

  test.concurrent('an extension of a cluster that holds itself', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'true',
      interactiveMode: 'Never',
      provideClusterInfo: true,
    };
    const text = kubeconfig('https://127.0.0.1:9', { exec });
    const written = JSON.parse(text);
    written.clusters[0].cluster.extensions = [{ name: 'client.authentication.k8s.io/exec', extension: 'HERE' }];
    writeFileSync(join(folder, 'config'), JSON.stringify(written).replace('"HERE"', '&a [ *a ]'));
    expectError(await runProgram(['echo', '--kubeconfig', 'config'], { cwd: folder }), 1, /cannot be written as JSON/);
  });
});

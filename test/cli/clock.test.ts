import { cpSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startCluster } from './cluster.ts';
import { runProgram, temporaryFolder } from './program.ts';

const recording = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));

describe('clocks that differ', () => {
  test.concurrent.each([
    [-3, '3 h ahead of'],
    [3, '3 h behind'],
    [0, null],
  ])(
    'the API server is %i h from us: ages go by its clock, and one warning says so',
    async (hours, said) => {
      const clean: (() => void | Promise<void>)[] = [];
      const cluster = await startCluster((one) => clean.push(one));
      const at = () => new Date(Date.now() + hours * 3_600_000);
      // All that the cluster noted is of its own time: the pods began ten minutes ago.
      const began = new Date(at().getTime() - 600_000).toISOString();
      for (const pod of cluster.objects['pods'].items) {
        pod.metadata.creationTimestamp = began;
        pod.status.startTime = began;
        for (const container of pod.status.containerStatuses) container.state = { running: { startedAt: began } };
      }
      cluster.objects['events'].items = [];
      cluster.on(/./, (request, response) => {
        response.setHeader('Date', at().toUTCString());
        cluster.answerAsRecorded(request, response);
      });
      const run = await cluster.run(['echo', '--window', '0', '-o', 'json', '--record', 'seen.json']);
      const record = JSON.parse(readFileSync(join(cluster.folder, 'seen.json'), 'utf8'));
      for (const one of clean) await one();
      expect(run.code).toBe(0);
      const warnings = run.stderr.split('\n').filter((line) => /clock/.test(line));
      expect(warnings).toEqual(
        said === null
          ? []
          : [
              `Warning: the clock of this machine is ${said} that of the API server: ages go by the clock of the server`,
            ],
      );
      const ages = JSON.parse(run.stdout).status.pods.map((pod: { ageSeconds: number }) => pod.ageSeconds);
      for (const age of ages) expect(Math.abs(age - 600)).toBeLessThan(120);
      expect(Math.abs(Date.parse(record.connections.looks[0].lookedAt) - at().getTime())).toBeLessThan(120_000);
    },
    40_000,
  );
});

describe('times that no clock shows', () => {
  // The last moment that JavaScript can count to: what is later by a second is no date.
  const last = new Date(8.64e15);

  test.concurrent('of the API server: as if it had told none', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(/./, (request, response) => {
      response.setHeader('Date', last.toUTCString());
      cluster.answerAsRecorded(request, response);
    });
    const startedAt = Date.now();
    const run = await cluster.run(['echo', '--window', '0', '-o', 'json']);
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringMatching(/clock|fault/)]);
    const seen = Date.parse(JSON.parse(run.stdout).metadata.generatedAt);
    expect(seen).toBeGreaterThanOrEqual(startedAt);
    expect(seen).toBeLessThanOrEqual(Date.now());
  });

  test.concurrent.each([last.toISOString(), 'soon', ''])(
    'noted in a folder of raw answers, "%s": that of the file counts',
    async (noted) => {
      const clean: (() => void | Promise<void>)[] = [];
      const folder = temporaryFolder((one) => clean.push(one));
      cpSync(recording, folder, { recursive: true });
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const times = Object.fromEntries(names.map((name) => [name, { receivedAt: noted }]));
      writeFileSync(join(folder, 'times.json'), JSON.stringify(times));
      const written = new Date('2026-11-29T17:00:00Z');
      for (const name of names) utimesSync(join(folder, name), written, written);
      const run = await runProgram(['--from', folder, '-o', 'json', '--record', join(folder, 'seen.json')]);
      const record = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
      for (const one of clean) await one();
      expect([run.code, run.stderr, record.metadata.now]).toEqual([0, '', '2026-11-29T17:00:00.000Z']);
    },
  );
});

describe('files as PowerShell and editors write them', () => {
  const bytes = (text: string): readonly (readonly [string, Buffer])[] => [
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ];

  test.concurrent('a record and a folder of raw answers are read', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const first = await runProgram(['--from', recording, '-o', 'json', '--record', 'seen.json'], { cwd: folder });
    const text = readFileSync(join(folder, 'seen.json'), 'utf8');
    for (const [, content] of bytes(text)) {
      writeFileSync(join(folder, 'other.json'), content);
      const run = await runProgram(['--from', 'other.json', '-o', 'json'], { cwd: folder });
      expect([run.code, run.stderr, run.stdout]).toEqual([0, '', first.stdout]);
      const compared = await runProgram(['--from', 'seen.json', '--baseline', 'other.json'], { cwd: folder });
      expect([compared.code, compared.stderr]).toEqual([0, '']);
    }
    const raw = join(folder, 'raw');
    cpSync(recording, raw, { recursive: true, preserveTimestamps: true });
    for (const name of readdirSync(raw).filter((one) => statSync(join(raw, one)).isFile()))
      writeFileSync(join(raw, name), bytes(readFileSync(join(raw, name), 'utf8'))[1]?.[1] ?? '');
    const again = await runProgram(['--from', raw, '-o', 'json'], { cwd: folder });
    expect([again.code, again.stderr, JSON.parse(again.stdout).status.verdict]).toEqual([
      0,
      '',
      JSON.parse(first.stdout).status.verdict,
    ]);
  }, 60_000);
});

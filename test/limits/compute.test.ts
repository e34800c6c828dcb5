import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnosePorts } from '../../src/diagnose.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { expectNoTrace, programPath, runProgram } from '../cli/program.ts';
import { withConnections, withPods } from './large.ts';
import { runMeasured } from './peak.ts';

const recording = fileURLToPath(new URL('../recordings/skew-scaleup', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-large-'));
let evidence: SkewEvidence;

beforeAll(async () => {
  const run = await runProgram(['--from', recording, '--record', 'seen.json'], { cwd: folder });
  expect(run.code).toBe(0);
  evidence = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shapes: readonly (readonly [string, (scale: number) => SkewEvidence])[] = [
  ['one pod with 130,000 clients', (scale) => withConnections(evidence, 130_000 * scale)],
  ['1,000 pods with 100 connections of 200 clients', (scale) => withPods(evidence, 1000 * scale, 100, 200)],
  ['1,000 pods with 100 clients each', (scale) => withPods(evidence, 1000 * scale, 100, 100_000)],
];

/** Seconds of CPU that a diagnosis takes, the best of three: other work on the machine does not count. */
function seconds(of: SkewEvidence): number {
  const all = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    const diagnosis = diagnosePorts(of);
    const { user } = process.cpuUsage(before);
    const held = diagnosis.ok ? (diagnosis.value[0]?.status.pods ?? []).map((pod) => pod.connections ?? 0) : [];
    const sockets = of.connections?.looks.filter((look) => look.sample === 2).flatMap((look) => look.sockets) ?? [];
    expect(held.reduce((sum, one) => sum + one, 0)).toBe(sockets.length);
    return user / 1e6;
  });
  return Math.min(...all);
}

describe.each(shapes)('%s', (name, shape) => {
  test('four times as many take about four times as long', { timeout: 120_000 }, () => {
    seconds(shape(1 / 16));
    expect(seconds(shape(1)) / seconds(shape(1 / 4))).toBeLessThan(10);
  });

  test('are diagnosed from a record', { timeout: 90_000 }, async () => {
    const file = `${name.replaceAll(/\W+/g, '-')}.json`;
    writeFileSync(join(folder, file), JSON.stringify(shape(1)));
    const run = await runMeasured(['--from', file], { cwd: folder, timeoutMs: 80_000 });
    expectNoTrace(run);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.peak).toBeLessThan(1200);
  });
});

const input = (name: string, text: () => string) => {
  const file = join(folder, name);
  writeFileSync(file, text());
  return file;
};

describe.each<readonly [string, () => readonly string[]]>([
  [
    'a large record is read and judged',
    () => ['--from', input('large.json', () => JSON.stringify(withConnections(evidence, 130_000)))],
  ],
  ['a record of nothing but lists is read', () => ['--from', input('lists.json', () => `[${'[],'.repeat(2e7)}[]]`)]],
  ['a record of nothing but levels is read', () => ['--from', input('levels.json', () => '['.repeat(6e7))]],
  [
    'a kubeconfig of a million anchors is read',
    () => ['echo', '--kubeconfig', input('anchors', () => '&a '.repeat(1e6))],
  ],
  [
    'a kubeconfig of a million entries is read',
    () => ['echo', '--kubeconfig', input('entries', () => '- a\n'.repeat(1e6))],
  ],
])('a signal while %s', (_what, makeArgs) => {
  let args: readonly string[];
  beforeAll(() => {
    args = makeArgs();
  });

  test.each([
    ['SIGINT', 400],
    ['SIGINT', 800],
    ['SIGTERM', 1200],
    ['SIGINT', 1600],
  ] as const)('%s after %i ms', { timeout: 30_000 }, async (signal, milliseconds) => {
    // The shell says when: it sends the signal and counts how long the program still is there.
    const line = `"$@" >/dev/null & pid=$!
      sleep ${milliseconds / 1000}; kill -${signal.slice(3)} $pid 2>/dev/null; sent=$(date +%s%N)
      wait $pid; echo $? $(( ($(date +%s%N) - sent) / 1000000 ))`;
    const run = await runProgram(['-c', line, 'sh', process.execPath, programPath, ...args], { command: ['bash'] });
    const [code, tookMs] = run.stdout.trim().split(' ').map(Number);
    // 0 and 1: it was done before.
    expect([0, 1, 130, signal === 'SIGINT' ? 130 : 143]).toContain(code);
    expect(tookMs).toBeLessThan(1000);
  });
});

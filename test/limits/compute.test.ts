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

describe.each([
  ['SIGINT', [400, 800, 1200, 1600]],
  ['SIGTERM', [1000]],
] as const)('%s while a large record is read and judged', (signal, moments) => {
  test.each(moments)('after %i ms', { timeout: 30_000 }, async (milliseconds) => {
    const file = join(folder, 'interrupted.json');
    writeFileSync(file, JSON.stringify(withConnections(evidence, 130_000)));
    // The shell says when: it sends the signal and counts how long the program still is there.
    const line = `"$0" "$1" --from "$2" >/dev/null & pid=$!
      sleep ${milliseconds / 1000}; kill -${signal.slice(3)} $pid 2>/dev/null; sent=$(date +%s%N)
      wait $pid; echo $? $(( ($(date +%s%N) - sent) / 1000000 ))`;
    const run = await runProgram(['-c', line, process.execPath, programPath, file], { command: ['bash'] });
    const [code, tookMs] = run.stdout.trim().split(' ').map(Number);
    expect([0, 130, signal === 'SIGINT' ? 130 : 143]).toContain(code);
    expect(tookMs).toBeLessThan(1000);
  });
});

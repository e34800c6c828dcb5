/**
 * Work without a clock: how often each function of the program, or the busiest block in it, ran. The same on any machine
 * under any load. Searches of the engine itself (indexOf, includes) are not in it: these the times show.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { SkewEvidence } from '../../src/evidence/schema.ts';

export type Work = ReadonlyMap<string, number>;

/** Work of one diagnosis each. Nothing of the program may be loaded before: what is compiled already has no counters. */
export async function countWork(evidences: readonly SkewEvidence[]): Promise<readonly Work[]> {
  // Counters from the first call of a function on, and until the end: what is inlined loses its own.
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--no-lazy-feedback-allocation');
  setFlagsFromString('--no-flush-bytecode');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const { diagnosePorts } = await import('../../src/diagnose.ts');
  const found: Work[] = [];
  for (const evidence of evidences) {
    await session.post('Profiler.takePreciseCoverage');
    if (!diagnosePorts(evidence).ok) throw new Error('there is no report');
    found.push(readCoverage((await session.post('Profiler.takePreciseCoverage')).result));
  }
  session.disconnect();
  return found;
}

interface Covered {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

function readCoverage(scripts: readonly Covered[]): Work {
  const work = new Map<string, number>();
  for (const { url, functions } of scripts) {
    const file = /\/(src\/.*\.ts)$/.exec(url)?.[1];
    if (file === undefined) continue;
    const lines = lineStarts(fileURLToPath(url));
    for (const { functionName, ranges } of functions) {
      const line = lines.findLastIndex((start) => start <= (ranges[0]?.startOffset ?? 0)) + 1;
      const count = ranges.reduce((most, range) => Math.max(most, range.count), 0);
      const key = `${file}:${line} ${functionName}`;
      work.set(key, (work.get(key) ?? 0) + count);
    }
  }
  return work;
}

const known = new Map<string, readonly number[]>();

/** The offset of the first character of each line: types are stripped in place, so the offsets are those of the source. */
function lineStarts(path: string): readonly number[] {
  const starts = known.get(path) ?? [
    0,
    ...[...readFileSync(path, 'utf8').matchAll(/\n/g)].map(({ index }) => index + 1),
  ];
  known.set(path, starts);
  return starts;
}

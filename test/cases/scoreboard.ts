/** Prints, after the tests, how the public cases came out, how often each confidence was right, and the same of the simulation. */
import type { Reporter, TestCase } from 'vitest/node';
import { confidences } from '../../src/report/ids.ts';
import type { Claim, Score } from './judge.ts';

/** A reporter of the test runner. Silent in a run in which nothing was judged. */
export function scoreboard(print: (text: string) => void): Reporter {
  return {
    onTestRunEnd(modules) {
      const metas = modules.flatMap((module) => [...module.children.allTests()].map((test: TestCase) => test.meta()));
      const scores = metas.flatMap((meta) => meta.scores ?? []);
      const claims = metas.flatMap((meta) => meta.claims ?? []);
      const simulated = metas.flatMap((meta) => meta.truth ?? []);
      const lines = [...scoreLines(scores), ...calibrationLines(claims), ...truthLines(simulated)];
      if (lines.length > 0) print(`\n${lines.join('\n')}\n`);
    },
  };
}

/** One line a result, with the numbers of its cases; what went wrong is told with its reason. */
export function scoreLines(scores: readonly Score[]): string[] {
  if (scores.length === 0) return [];
  const of = (result: Score['result']) =>
    scores.filter((score) => score.result === result).sort((a, b) => a.number - b.number);
  return [
    ` ${scores.length} public cases`,
    ...(['right', 'wrong', 'unknown'] as const).map((result) => {
      const found = of(result);
      return `   ${result.padEnd(8)}${String(found.length).padStart(4)}   ${found.map(({ number }) => number).join(' ')}`;
    }),
    ...[...of('wrong'), ...of('unknown')].map(({ number, why }) => `   case ${number}: ${why}`),
  ];
}

/** How often what was called certain, likely or possible was right: causes and states apart. */
export function calibrationLines(claims: readonly Claim[]): string[] {
  if (claims.length === 0) return [];
  const cell = (kind: Claim['kind'], confidence: Claim['confidence']) => {
    const found = claims.filter((claim) => claim.kind === kind && claim.confidence === confidence);
    const right = found.filter((claim) => claim.right).length;
    return found.length === 0 ? '-' : `${right} of ${found.length}`;
  };
  return [
    ` Right where the truth is known  ${'causes'.padEnd(14)}states`,
    ...confidences.map(
      (confidence) =>
        `   ${confidence.padEnd(29)}  ${cell('cause', confidence).padEnd(14)}${cell('state', confidence)}`,
    ),
  ];
}

/** What the sample of simulated truths came to, as its test says it. */
export function truthLines(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [' Simulated truths', ...lines.map((line) => `   ${line}`)];
}

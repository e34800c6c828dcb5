/** A run compared with its baseline: both runs with their figures, ranges and times. */
import type { ComparedRun, Comparison } from '../report/comparison.ts';
import type { SkewReport } from '../report/schema.ts';
import { ofWhichPast } from '../report/window.ts';
import { labelled, labelledList, type Screen } from './lines.ts';
import { figureName } from './measured.ts';
import { clock, pods, share } from './numbers.ts';
import type { Tone } from './style.ts';

export const comparisonTones: Readonly<Record<Comparison['result'], Tone>> = {
  improved: 'good',
  unchanged: 'warn',
  worse: 'hot',
  'cannot-tell': 'warn',
};

/** `2.7 (2.5–2.9) of 10 pods used`, `by calls`, `hottest echo-x7 50 %`, the time; `to` stands between the ends of a range. */
export function comparisonWords(run: ComparedRun, basis: Comparison['basis'], to: string): string[] {
  const { effectivePods, effectivePodsRange: range, hottestPod, hottestShare, span } = run;
  const by = run.basis ?? basis;
  const used =
    effectivePods === null
      ? `pods used not known, of ${run.pods}`
      : `${pods(effectivePods)}${range === null ? '' : ` (${pods(range[0])}${to}${pods(range[1])})`} of ${run.pods} pods used`;
  return [
    used,
    ...(by === null ? [] : [`by ${figureName(by)}${ofWhichPast(by, span)}`]),
    ...(hottestPod === null ? [] : [`hottest ${hottestPod} ${share(hottestShare)}`]),
    clock(run.generatedAt),
  ];
}

export function comparisonLines(screen: Screen, report: SkewReport): string[] {
  const { comparison } = report.status;
  if (comparison === undefined) return [];
  const { basis, before, after, notes, settledBy } = comparison;
  const run = (label: string, one: ComparedRun) =>
    labelled(screen, {
      label,
      text: comparisonWords(one, basis, screen.signs.range).join(` ${screen.signs.dot} `),
    });
  return [
    ...run('before', before),
    ...run('after', after),
    ...labelledList(screen, 'note', notes),
    ...labelledList(screen, 'settle it', settledBy === null ? [] : [settledBy], 'strong'),
  ];
}

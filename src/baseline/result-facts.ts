import type { ComparisonResult } from '../report/ids.ts';
import type { Meaning } from '../report/meaning.ts';
import { percent } from '../report/words.ts';
import { leastChange, sharp } from './limits.ts';

const change = `${percent(leastChange.ofFigure)} of the figure or ${percent(leastChange.ofPods)} of the pods`;

export const resultFacts: readonly Meaning<ComparisonResult>[] = [
  {
    id: 'improved',
    title: 'A larger part of the pods does the work than in the baseline',
    means: [
      'the ranges of both runs, with the noise of each and the pods not seen, do not touch',
      `the difference is at least ${change}`,
      'no pod of the baseline that is still there was left out; pods that a rollout or a scale-down took away are none',
      'fewer pods alone are no improvement: more of them must work, or all that are left evenly',
    ],
  },
  {
    id: 'unchanged',
    title: 'The load is spread as in the baseline',
    means: [
      `the ranges of both runs touch and are no wider than ${percent(sharp.ofFigure)} of the figure or ${percent(sharp.ofPods)} of the pods, or the difference is under ${change}`,
      'a rollout that only made another pod hot is unchanged, and the line says so',
    ],
  },
  {
    id: 'worse',
    title: 'A smaller part of the pods does the work than in the baseline',
    means: ['as for improved, the other way round; new pods that get nothing count'],
  },
  {
    id: 'cannot-tell',
    title: 'The two runs do not settle it',
    means: [
      'the runs have no measure of the load in common (calls, messages, bytes of a window, CPU); connections alone prove nothing',
      'totals of a lifetime show the load of before: they stand for the baseline, never for the run after it',
      'or a pod of the baseline was left out, a range is too wide, or one of the runs is unknown or without traffic',
    ],
  },
];

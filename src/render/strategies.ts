/** The strategies side by side, and what is known of each. */
import type { Precondition, StrategyAnswer } from '../report/advice.ts';
import type { SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { figureColumn, type GridColumn, nameColumn, wordColumn } from './grid.ts';
import type { Screen } from './lines.ts';
import * as numbers from './numbers.ts';
import type { Entry } from './section.ts';

const statusWords: Readonly<Record<Precondition['status'], string>> = {
  met: 'met',
  failed: 'NOT MET',
  unknown: 'not known',
};

/** `used`: of how many pods it makes use, where no table beside it says that. */
export function strategyEntry({ id, title, ...strategy }: StrategyAnswer, used: readonly string[] = []): Entry {
  const { newPod, cost } = strategy.prediction;
  return {
    id,
    title,
    text: '',
    facts: [
      ['for', strategy.fits],
      ['against', strategy.against],
      ['needs', strategy.preconditions.map(({ text, status }) => `${statusWords[status]}: ${text}`)],
      ['pods used', used],
      ['new pods', newPod === '' ? [] : [newPod]],
      ['costs', cost],
    ],
  };
}

/** For the wide output. */
export function strategyColumns(screen: Screen, report: SkewReport): GridColumn<StrategyAnswer>[] {
  const { strategy, action, current, alternative } = report.status.recommendation;
  const role = ({ id }: StrategyAnswer) =>
    [
      id === strategy ? `recommended:${action}` : '',
      id === current ? 'in-place' : '',
      id === alternative ? 'alternative' : '',
    ]
      .filter((word) => word !== '')
      .join(' ');
  return [
    nameColumn('STRATEGY', 0, ({ id }) => id),
    figureColumn('PODS-USED', 1, ({ prediction }) => numbers.pods(prediction.effectivePods)),
    figureColumn('RANGE', 3, ({ prediction }) => rangeText(screen, prediction.effectivePodsRange)),
    figureColumn('PEAK/MEAN', 2, ({ prediction }) => numbers.factor(prediction.peakToMean)),
    { head: 'ROLE', align: 'left', content: 'words', leaves: 1, cell: role },
  ];
}

/** The same in words, for the live view. */
export function strategyWords(screen: Screen, report: SkewReport): GridColumn<StrategyAnswer>[] {
  const { recommendation, skew } = report.status;
  const roles = new Map<string | null, string>([
    [recommendation.current, 'in place'],
    [recommendation.alternative, 'or'],
    [recommendation.strategy, recommendation.action],
  ]);
  const used = ({ id, prediction: { effectivePods, effectivePodsRange } }: StrategyAnswer) => {
    if (effectivePods === null) return 'not known';
    const isOne = effectivePodsRange === null || effectivePods === skew?.pods || id === 'cluster-ip';
    const range = isOne ? '' : ` (${rangeText(screen, effectivePodsRange)})`;
    const change = id === recommendation.current ? '' : fromNow(screen.signs.arrow, report);
    return `${change}${numbers.pods(effectivePods)}${range}`;
  };
  return [
    wordColumn('STRATEGY', 0, ({ id }) => id),
    wordColumn('', 0, ({ id }) => roles.get(id) ?? ''),
    wordColumn(`PODS USED OF ${skew?.pods ?? '?'}`, 0, used),
    wordColumn('NEW PODS GET TRAFFIC', 0, ({ prediction }) => prediction.newPod),
  ];
}

export function rangeText(screen: Screen, range: readonly [number, number] | null): string {
  return range === null ? numbers.notKnown : `${numbers.pods(range[0])}${screen.signs.range}${numbers.pods(range[1])}`;
}

/** What the simulation says of a strategy: `2.7 → 9.9 of 10 pods`; nothing where that is not known, or nothing is to change. */
export function predictedPods(report: SkewReport, strategy: string | null, arrow: string): string {
  const { recommendation, skew } = report.status;
  const effective = recommendation.strategies.find(({ id }) => id === strategy)?.prediction.effectivePods ?? null;
  if (effective === null || skew === null || recommendation.action === 'keep') return '';
  return `${fromNow(arrow, report) || 'about '}${numbers.pods(effective)} of ${plural(skew.pods, 'pod')}`;
}

/** `2.7 → `: what a prediction starts from; nothing where the load of now is not known. */
function fromNow(arrow: string, { status }: SkewReport): string {
  const now = status.skew?.effectivePods ?? null;
  return now === null ? '' : `${numbers.pods(now)} ${arrow} `;
}

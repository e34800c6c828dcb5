/** The five strategies side by side and then one by one, for the wide output. */
import type { SkewReport, StrategyAnswer } from '../report/schema.ts';
import { figureColumn, type GridColumn, grid, nameColumn } from './grid.ts';
import { heading, labelled, labelledList, type Screen } from './lines.ts';
import * as numbers from './numbers.ts';

export function strategyLines(screen: Screen, report: SkewReport): string[] {
  const { strategies } = report.status.recommendation;
  if (strategies.length === 0) return [];
  return [
    ...heading(screen, 'STRATEGIES'),
    ...grid(screen, columns(screen, report), strategies, {
      overflow: 'continue',
      tone: ({ id }) => (id === report.status.recommendation.strategy ? 'strong' : null),
    }),
    ...strategies.flatMap((strategy) => detailLines(screen, strategy)),
  ];
}

function columns(screen: Screen, report: SkewReport): GridColumn<StrategyAnswer>[] {
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

export function rangeText(screen: Screen, range: readonly [number, number] | null): string {
  return range === null ? numbers.notKnown : `${numbers.pods(range[0])}${screen.signs.range}${numbers.pods(range[1])}`;
}

function detailLines(screen: Screen, strategy: StrategyAnswer): string[] {
  const needs = strategy.preconditions.map(({ text, status }) => `${statusWords[status]}: ${text}`);
  return [
    '',
    ...labelled(screen, { label: strategy.id, labelTone: 'strong', text: strategy.title }),
    ...labelledList(screen, '  for', strategy.fits),
    ...labelledList(screen, '  against', strategy.against),
    ...labelledList(screen, '  needs', needs),
    ...labelledList(screen, '  new pods', strategy.prediction.newPod === '' ? [] : [strategy.prediction.newPod]),
    ...labelledList(screen, '  costs', strategy.prediction.cost),
  ];
}

const statusWords = { met: 'met', failed: 'NOT MET', unknown: 'not known' } as const;

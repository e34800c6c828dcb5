import { maxOf } from '../figures/extremes.ts';
import { command, labelled, labelledList } from '../render/lines.ts';
import { pods as podsText } from '../render/numbers.ts';
import { rangeText } from '../render/strategies.ts';
import { padEnd, widthOf } from '../render/text.ts';
import type { Relief, SkewReport, StrategyAnswer } from '../report/schema.ts';
import type { WatchState } from '../watch/state.ts';
import { type Line, spread } from './line.ts';
import { type Look, margin, screenOf } from './look.ts';
import { heading, indented } from './why-view.ts';

/** Prose is no wider than this, with the margin before it. */
const widest = 112;

const proseOf = (look: Look) => screenOf(look, Math.min(look.columns, widest) - margin.length);

/** The third screen: the answer, what helps now, the five strategies; toggles change the answer at once. */
export function todoLines(report: SkewReport, state: WatchState, look: Look): Line[] {
  const { recommendation, relief, avoid } = report.status;
  const { strategy, strategies } = recommendation;
  const screen = proseOf(look);
  const space: Line[] = look.rows >= 30 ? [{ text: '' }] : [];
  const rule = { text: `rule ${recommendation.rule}`, tone: 'dim' } as const;
  const [fix = '', ...fixRest] = labelled(screen, {
    label: 'fix',
    labelTone: 'strong',
    text: recommendation.text,
    tone: 'strong',
    right: rule,
  });
  return [
    // Chosen first, so that a small screen starts with it.
    ...(strategies.some(({ id }) => id === strategy)
      ? [{ text: fix, item: { kind: 'strategy', id: strategy } } as const]
      : indented([fix])),
    ...indented([
      ...fixRest,
      ...labelledList(screen, 'first', recommendation.first, 'strong'),
      ...labelledList(screen, 'because', recommendation.because),
    ]),
    ...space,
    ...indented([...relief.flatMap((one) => reliefLines(one, look)), ...labelledList(screen, 'avoid', avoid)]),
    ...space,
    ...toggleLines(report, state, look),
    { text: '' },
    ...strategyLines(report, look),
    heading('enter: for, against, what it presupposes, what it costs', look),
  ];
}

/** The five strategies, with what each is predicted to give. */
export function strategyLines(report: SkewReport, look: Look): Line[] {
  const strategies = ordered(report);
  if (strategies.length === 0) return [];
  const rows = strategies.map((strategy) => strategyCells(strategy, report, look));
  const strategyHeads = ['STRATEGY', '', `PODS USED OF ${report.status.skew?.pods ?? '?'}`];
  const widths = strategyHeads.map(
    (head, column) => maxOf([head, ...rows.map((row) => row[column] ?? '')].map(widthOf)) + 2,
  );
  const line = (cells: readonly string[]) => cells.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join('');
  return [
    heading(`${line(strategyHeads)}NEW PODS GET TRAFFIC`, look),
    ...strategies.map(({ id, prediction }, index): Line => {
      const cells = line(rows[index] ?? []);
      const isChosen = id === report.status.recommendation.strategy;
      return {
        text: `${isChosen ? look.screen.paint('good', cells) : cells}${prediction.newPod}`,
        item: { kind: 'strategy', id },
      };
    }),
  ];
}

function reliefLines(one: Relief, look: Look): string[] {
  const screen = proseOf(look);
  return [
    ...labelled(screen, { label: 'relief', text: `${one.action}: ${one.prediction}` }),
    ...(one.command === null ? [] : command(screen, one.command)),
    ...labelled(screen, { label: '', text: `risk: ${one.risk}` }),
  ];
}

/** What the user can say that the cluster does not know. */
function toggleLines(report: SkewReport, state: WatchState, look: Look): Line[] {
  const { recommendation } = report.status;
  const { paint, signs } = look.screen;
  const said =
    state.clients === 'inferred'
      ? [`${recommendation.ownership} (${recommendation.ownershipBasis})`, `${recommendation.ownership} (inferred)`]
      : [`${state.clients}, as you say`];
  const language = `${paint('strong', 'l')} language ${paint('strong', state.language === 'unknown' ? 'not said' : state.language)}`;
  const width = Math.min(look.columns, widest) - margin.length;
  // What it was inferred from only where there is room for all of it.
  const lines = said.map((words) => `${paint('strong', 'w')} clients ${paint('strong', words)}`);
  const clients = lines.find((line) => widthOf(line) + 2 + widthOf(language) <= width) ?? lines.at(-1) ?? '';
  return [{ text: margin + spread(clients, language, width, signs.ellipsis) }];
}

/** The recommended one first, then its alternative, what is in place, the others in their usual order. */
function ordered(report: SkewReport): readonly StrategyAnswer[] {
  const { strategy, alternative, current, strategies } = report.status.recommendation;
  const rank = (id: string) => (id === strategy ? 0 : id === alternative ? 1 : id === current ? 2 : 3);
  return [...strategies].sort((a, b) => rank(a.id) - rank(b.id));
}

/** Its name, what it is here, and what it is predicted to give. */
function strategyCells(strategy: StrategyAnswer, report: SkewReport, look: Look): readonly string[] {
  const { recommendation, skew } = report.status;
  const { prediction, id } = strategy;
  const isSame = prediction.effectivePodsRange === null || prediction.effectivePods === skew?.pods;
  const range = isSame || id === 'cluster-ip' ? '' : ` (${rangeText(look.screen, prediction.effectivePodsRange)})`;
  const used = prediction.effectivePods === null ? 'not known' : `${podsText(prediction.effectivePods)}${range}`;
  const roles = new Map([
    [recommendation.current, 'in place'],
    [recommendation.alternative, 'or'],
    [recommendation.strategy, recommendation.action],
  ]);
  return [id, roles.get(id) ?? '', used];
}

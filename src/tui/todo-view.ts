import { firstLines } from '../render/advice.ts';
import { grid } from '../render/grid.ts';
import { command, labelled, labelledList } from '../render/lines.ts';
import { strategyWords } from '../render/strategies.ts';
import { widthOf } from '../render/text.ts';
import type { Relief, StrategyAnswer } from '../report/advice.ts';
import type { SkewReport } from '../report/schema.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, margin } from './canvas.ts';
import { type Line, spread } from './line.ts';
import { heading, indented, proseOf } from './why-view.ts';

/** The third screen: the answer, what helps now, the five strategies; toggles change the answer at once. */
export function todoLines(report: SkewReport, state: WatchState, canvas: Canvas): Line[] {
  const { recommendation, relief, avoid } = report.status;
  const { strategy, strategies } = recommendation;
  const screen = proseOf(canvas);
  const space: Line[] = canvas.rows >= 30 ? [{ text: '' }] : [];
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
      ...firstLines(screen, recommendation),
      ...labelledList(screen, 'because', recommendation.because),
    ]),
    ...space,
    ...indented([...relief.flatMap((one) => reliefLines(one, canvas)), ...labelledList(screen, 'avoid', avoid)]),
    ...space,
    ...toggleLines(report, state, canvas),
    { text: '' },
    ...strategyLines(report, canvas),
    heading('enter: for, against, what it presupposes, what it costs', canvas),
  ];
}

/** The five strategies, with what each is predicted to give. */
export function strategyLines(report: SkewReport, canvas: Canvas): Line[] {
  const strategies = ordered(report);
  if (strategies.length === 0) return [];
  const { recommendation } = report.status;
  const columns = strategyWords(canvas.screen, report);
  const tone = ({ id }: StrategyAnswer, column: unknown) =>
    id === recommendation.strategy && column !== columns.at(-1) ? 'good' : null;
  // A line that is too long is cut at its end, as all lines are: no column leaves.
  const [head = '', ...rows] = grid(canvas.screen, columns, strategies, {
    overflow: 'drop',
    keys: columns.length,
    tone,
  });
  return [
    { text: margin + head },
    ...strategies.map(({ id }, row): Line => ({ text: rows[row] ?? '', item: { kind: 'strategy', id } })),
  ];
}

function reliefLines(one: Relief, canvas: Canvas): string[] {
  const screen = proseOf(canvas);
  return [
    ...labelled(screen, { label: 'relief', text: `${one.action}: ${one.prediction}` }),
    ...(one.command === null ? [] : command(screen, one.command)),
    ...labelled(screen, { label: '', text: `risk: ${one.risk}` }),
  ];
}

/** What the user can say that the cluster does not know. */
function toggleLines(report: SkewReport, state: WatchState, canvas: Canvas): Line[] {
  const { recommendation } = report.status;
  const { paint, signs } = canvas.screen;
  const said =
    state.clients === 'inferred'
      ? [`${recommendation.ownership} (${recommendation.ownershipBasis})`, `${recommendation.ownership} (inferred)`]
      : [`${state.clients}, as you say`];
  const language = `${paint('strong', 'l')} language ${paint('strong', state.language === 'unknown' ? 'not said' : state.language)}`;
  const width = proseOf(canvas).textWidth;
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

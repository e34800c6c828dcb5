import { execTexts, figureName } from '../render/measured.ts';
import { age } from '../render/numbers.ts';
import { widthOf } from '../render/text.ts';
import type { SkewReport } from '../report/schema.ts';
import { clock, plural } from '../report/words.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { type Canvas, margin } from './canvas.ts';
import { cutEnd, spread } from './line.ts';
import { runningLine } from './steps.ts';

/** The last lines of every screen: what is going on, what was not seen and how old the figures are, the keys. */
export function footerLines(state: WatchState, canvas: Canvas, body: Movable): string[] {
  const { ellipsis } = canvas.screen.signs;
  return [activityLine(state, canvas), seenLine(state, canvas), keysLine(state, canvas, body)].map((line) =>
    cutEnd(line, canvas.columns, ellipsis),
  );
}

function activityLine(state: WatchState, canvas: Canvas): string {
  const { paint } = canvas.screen;
  if (state.notice !== null) return `  ${paint('strong', state.notice)}`;
  if (state.problem !== null) return `  ${paint('warn', `no new answer: ${state.problem}`)}`;
  if (state.asleep)
    return `  ${paint('warn', 'no key for 10 minutes: no more commands are run in pods until you press one')}`;
  if (state.waitingFor !== null) return state.report === null ? '' : runningLine(state, canvas);
  const last = state.events.at(-1);
  return last === undefined ? '' : `  ${paint('dim', clock(last.time))}  ${last.text}`;
}

function seenLine(state: WatchState, canvas: Canvas): string {
  const { report } = state;
  if (report === null) return '';
  const { paint, signs } = canvas.screen;
  const missing = report.status.signals.filter((signal) => signal.state !== 'complete');
  const names = missing.map((signal) => {
    const name = `${figureName(signal.id)}${signal.state === 'partial' ? ' in part' : ''}`;
    return signal.needs === null || isNarrow(canvas) ? name : `${name} (needs ${signal.needs})`;
  });
  const left =
    names.length === 0
      ? paint('dim', state.waitingFor === null ? '  all signals seen' : '')
      : paint('warn', `  not seen: ${names.join(', ')}`);
  const right = [execs(report, canvas), ...figureAges(report, state)].join(` ${signs.dot} `);
  return spread(left, paint('dim', right), canvas.columns, signs.ellipsis);
}

/** On a narrow screen the number of all of them. */
function execs(report: SkewReport, canvas: Canvas): string {
  const { execs: all, execPods } = report.status;
  return isNarrow(canvas) && execPods > 0 ? plural(all, 'exec') : execTexts(report).join(', ');
}

/** `CPU 47 s, connections 12 s old`: ages of the figures that the verdict rests on. */
function figureAges(report: SkewReport, state: WatchState): string[] {
  const since = state.reportedAt === null ? 0 : Math.max(0, (state.now - state.reportedAt) / 1000);
  const ages = ['usage', 'connections', 'calls'].flatMap((id) => {
    const seconds = report.status.signals.find((signal) => signal.id === id)?.ageSeconds ?? null;
    return seconds === null ? [] : [`${figureName(id)} ${age(seconds + since)}`];
  });
  return ages.length === 0 ? [] : [`${ages.join(', ')} old`];
}

/** No room for what other screens say in full. */
function isNarrow(canvas: Canvas): boolean {
  return canvas.columns < 100;
}

/** What of the screen above decides which keys do something. */
export interface Movable {
  /** Lines there are to move over. */
  readonly length: number;
  readonly chosen: Item | null;
}

interface KeyName {
  readonly key: string;
  readonly does: string;
  /** Where the screen is narrow. */
  readonly short?: string;
}

/** What the last line names, with the order in which it is left out where there is no room: the lowest first. */
const keys: readonly (KeyName & {
  readonly stays: number;
  readonly screen?: WatchState['screen'];
  /** The only screen that names it. */
  readonly only?: WatchState['screen'];
  /** Whether it does something now; else it is not named. */
  readonly works?: (state: WatchState, body: Movable) => boolean;
})[] = [
  { key: '1', does: 'now', stays: 9, screen: 'now' },
  { key: '2', does: 'why', stays: 9, screen: 'why' },
  { key: '3', does: 'what to do', short: 'to do', stays: 9, screen: 'what-to-do' },
  { key: 'enter', does: 'details', stays: 5, works: (_, body) => body.chosen !== null },
  { key: 'p', does: 'port', stays: 6, works: ({ ports }) => ports.length > 1 },
  { key: 'o', does: 'order', stays: 6, only: 'now', works: (_, body) => body.length > 1 },
  { key: 'w', does: 'clients', stays: 6, only: 'what-to-do', works: hasReport },
  { key: 'l', does: 'language', stays: 6, only: 'what-to-do', works: hasReport },
  { key: 'c', does: 'command', stays: 3, works: hasReport },
  { key: 'y', does: 'copy', stays: 2, works: hasReport },
  { key: 's', does: 'save', stays: 1, works: hasReport },
  { key: 'space', does: 'pause', stays: 4 },
  { key: '?', does: 'keys', stays: 8 },
  { key: 'q', does: 'quit', stays: 7 },
];

function hasReport({ report }: WatchState): boolean {
  return report !== null;
}

function keysLine(state: WatchState, canvas: Canvas, body: Movable): string {
  const { paint } = canvas.screen;
  const named = ({ key, does, screen }: KeyName & Pick<(typeof keys)[number], 'screen'>) =>
    screen === state.screen ? paint('strong', `[${key} ${does}]`) : `${paint('strong', key)} ${paint('dim', does)}`;
  const line = (shown: readonly Parameters<typeof named>[0][]) => margin + shown.map(named).join(margin);
  if (state.overlay !== null) {
    const scroll = { key: canvas.unicode ? '↑↓' : 'up down', does: 'scroll' };
    return line([{ key: 'esc', does: 'back' }, ...(body.length > 1 ? [scroll] : []), { key: 'q', does: 'quit' }]);
  }
  let shown = keys
    .filter(({ only, works }) => (only === undefined || only === state.screen) && works?.(state, body) !== false)
    .map((entry) => ({ ...entry, does: isNarrow(canvas) ? (entry.short ?? entry.does) : entry.does }));
  for (let least = 1; widthOf(line(shown)) > canvas.columns && least < 9; least++)
    shown = shown.filter(({ stays }) => stays > least);
  return line(shown);
}

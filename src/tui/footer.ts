import { execTexts, figureName } from '../render/measured.ts';
import { age } from '../render/numbers.ts';
import { widthOf, wrap } from '../render/text.ts';
import type { SkewReport } from '../report/schema.ts';
import { clock, plural } from '../report/words.ts';
import { staleSeconds } from '../watch/shown.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, margin } from './canvas.ts';
import { bindings, type Movable } from './keys.ts';
import { isNarrow, keysLine } from './keys-line.ts';
import { cutEnd, spread } from './line.ts';
import { runningLine } from './steps.ts';
import { typingLine } from './typing-line.ts';

/** The last lines of every screen: what is going on, what was not seen and how old the figures are, the keys. */
export function footerLines(state: WatchState, canvas: Canvas, body: Movable): string[] {
  const { ellipsis } = canvas.screen.signs;
  const above = longNotice(state, canvas) ?? [activityLine(state, canvas, body), seenLine(state, canvas)];
  return [...above, keysOf(state, canvas, body)].map((line) => cutEnd(line, canvas.columns, ellipsis));
}

/** An answer to a key that takes two lines, as the path of a file may; null: there is none. */
function longNotice({ notice }: WatchState, canvas: Canvas): readonly [string, string] | null {
  const width = canvas.columns - margin.length;
  if (notice === null || widthOf(notice) <= width) return null;
  const [first = '', second = ''] = wrap(notice, width).map((line) => margin + canvas.screen.paint('strong', line));
  return [first, second];
}

function activityLine(state: WatchState, canvas: Canvas, { hasLog }: Movable): string {
  const { paint } = canvas.screen;
  if (state.typing) return margin + typingLine(state.filter, canvas);
  if (state.notice !== null) return margin + paint('strong', state.notice);
  if (state.problem !== null) return `  ${paint('warn', nextTry(state))}`;
  if (state.asleep)
    return `  ${paint('warn', 'no key for 10 minutes: no more commands are run in pods until you press one')}`;
  if (state.waitingFor !== null) return state.report === null ? '' : runningLine(state, canvas);
  if (state.filter !== '') return margin + paint('dim', `only what has ${state.filter} in its name; esc shows all`);
  const last = state.events.at(-1);
  return last === undefined || hasLog === true ? '' : `  ${paint('dim', clock(last.time))}  ${last.text}`;
}

/** The failure itself stands with the verdict. */
function nextTry({ problem, retryAt, now, paused }: WatchState): string {
  if (paused) return `no new answer: ${problem}`;
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000);
  return `no new answer; ${seconds > 0 ? `next try in ${seconds} s` : 'trying again now'}`;
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
      ? paint('dim', state.waitingFor === null && staleSeconds(state) === null ? '  all signals seen' : '')
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

function keysOf(state: WatchState, canvas: Canvas, body: Movable): string {
  const isCovered = state.overlay !== null;
  const shown = bindings
    .flatMap(({ footer = [] }) => footer)
    .filter(({ covered }) => (isCovered ? covered !== undefined : covered !== 'only'))
    .filter(({ only, works }) => (only ?? state.screen) === state.screen && works?.(state, body) !== false);
  return keysLine(shown, canvas, ({ screen }) => screen === state.screen);
}

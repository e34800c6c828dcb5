import { headlineEntries } from '../render/headline.ts';
import { type Line as LabelledLine, labelled } from '../render/lines.ts';
import { warningsOf, warningText } from '../render/warnings.ts';
import type { SkewReport } from '../report/schema.ts';
import { clock } from '../report/words.ts';
import { flapping } from '../watch/flapping.ts';
import { staleSeconds } from '../watch/shown.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { spread } from './line.ts';

/** Widest prose: longer lines are hard to read. */
export const widestHeadline = 110;
export const labelWidth = 12;

const stale = 'STALE';
/** What is wrapped first where there is no room for all; the others are cut at their end: other screens have them whole. */
const wrappedFirst = [stale, 'now', 'settle it', 'compared', 'flapping', 'why', 'fix', 'warn', 'since', 'impact'];
/** What goes first where there is not even a line for each. */
const leavesFirst = ['since', 'compared', 'fix', 'missing', 'warn', 'impact', 'flapping', 'settle it'];

/** The headline, in about `room` lines: with less, what is least urgent goes; with more, what is cut at its end is whole. */
export function headlineView(report: SkewReport, state: WatchState, canvas: Canvas, room: number): string[] {
  const { paint, signs } = canvas.screen;
  const width = Math.min(canvas.columns - margin.length, widestHeadline);
  const entries = fitting(entriesOf(report, state), room).map((entry) => {
    const label =
      paint(entry.labelTone ?? 'label', entry.label) + ' '.repeat(Math.max(1, labelWidth - entry.label.length));
    const text = entry.tone === undefined ? entry.text : paint(entry.tone, entry.text);
    const right = entry.right === undefined ? '' : paint(entry.right.tone, entry.right.text);
    const rank = wrappedFirst.indexOf(entry.label);
    return {
      rank,
      whole: labelled(screenOf(canvas, width), entry),
      cut: [spread(label + text, right, width, signs.ellipsis)],
    };
  });
  let spare = room - entries.length;
  const wrapped = new Set<(typeof entries)[number]>();
  for (const entry of entries.toSorted((a, b) => a.rank - b.rank)) {
    const more = entry.whole.length - 1;
    if (more > spare) continue;
    spare -= more;
    wrapped.add(entry);
  }
  return entries.flatMap((entry) => (wrapped.has(entry) ? entry.whole : entry.cut)).map((line) => margin + line);
}

function fitting(entries: readonly LabelledLine[], room: number): readonly LabelledLine[] {
  let left = entries;
  for (const label of leavesFirst) if (left.length > room) left = left.filter((entry) => entry.label !== label);
  return left;
}

function entriesOf(report: SkewReport, state: WatchState): readonly LabelledLine[] {
  const entries = headlineEntries(report, state.waitingFor);
  const verdicts = state.waitingFor === null ? 1 : 2;
  const known = [
    ...entries.slice(0, verdicts),
    ...unrestEntries(state),
    ...entries.slice(verdicts),
    ...warnEntries(report),
  ];
  if (staleSeconds(state) === null || state.reportedAt === null) return known;
  const text = `since ${clock(state.reportedAt)}: ${state.problem ?? 'no look has answered'}`;
  return [{ label: stale, labelTone: 'strong', text, tone: 'strong' }, ...known.map(faint)];
}

/** What is old steps back, and hurts no more than it did. */
function faint({ right, ...entry }: LabelledLine): LabelledLine {
  return { ...entry, labelTone: 'dim', tone: 'dim', ...(right && { right: { ...right, tone: 'dim' } }) };
}

function unrestEntries({ unrest }: WatchState): LabelledLine[] {
  const text = flapping(unrest);
  if (text === null) return [];
  return [{ label: 'flapping', labelTone: 'warn', text: `${text}; why, now and fix are of the worst of that time` }];
}

/** The most harmful warning, with the number of all: the second screen has the others. */
function warnEntries(report: SkewReport): LabelledLine[] {
  const [worst, ...others] = warningsOf(report);
  if (worst === undefined) return [];
  const right = { text: `1 of ${others.length + 1}`, tone: 'warn' } as const;
  return [{ label: 'warn', labelTone: 'warn', text: warningText(worst), ...(others.length > 0 && { right }) }];
}

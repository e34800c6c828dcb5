import { headlineEntries } from '../render/headline.ts';
import { type Line as LabelledLine, labelled } from '../render/lines.ts';
import { warningsOf, warningText } from '../render/warnings.ts';
import type { SkewReport } from '../report/schema.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { spread } from './line.ts';

/** Widest prose: longer lines are hard to read. */
const widest = 110;
const labelWidth = 12;

/** Lines that the headline may always take, however many pods there are: those scroll. */
const always = 9;

/** What is wrapped first where there is no room for all; the others are cut at their end: other screens have them whole. */
const wrappedFirst = ['now', 'settle it', 'compared', 'why', 'fix', 'warn', 'since', 'impact'];

/** The headline: in full where they take at most `room` lines, else as many of them in full as fit. */
export function headlineView(report: SkewReport, canvas: Canvas, room: number): string[] {
  const { paint, signs } = canvas.screen;
  const width = Math.min(canvas.columns - margin.length, widest);
  const entries = [...headlineEntries(report), ...warnEntries(report)].map((entry) => {
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
  let spare = Math.max(room, always) - entries.length;
  const wrapped = new Set<(typeof entries)[number]>();
  for (const entry of entries.toSorted((a, b) => a.rank - b.rank)) {
    const more = entry.whole.length - 1;
    if (more > spare) continue;
    spare -= more;
    wrapped.add(entry);
  }
  return entries.flatMap((entry) => (wrapped.has(entry) ? entry.whole : entry.cut)).map((line) => margin + line);
}

/** The most harmful warning, with the number of all: the second screen has the others. */
function warnEntries(report: SkewReport): LabelledLine[] {
  const [worst, ...others] = warningsOf(report);
  if (worst === undefined) return [];
  const right = { text: `1 of ${others.length + 1}`, tone: 'warn' } as const;
  return [{ label: 'warn', labelTone: 'warn', text: warningText(worst), ...(others.length > 0 && { right }) }];
}

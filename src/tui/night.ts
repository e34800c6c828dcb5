import { nightEntries } from '../render/header.ts';
import { labelled } from '../render/lines.ts';
import type { SkewReport } from '../report/schema.ts';
import { spread } from './line.ts';
import { type Look, margin, screenOf } from './look.ts';

/** Widest prose: longer lines are hard to read. */
const widest = 110;
const labelWidth = 12;

/** Lines that the night header may always take, however many pods there are: those scroll. */
const always = 9;

/** What is wrapped first where there is no room for all; the others are cut at their end: other screens have them whole. */
const wrappedFirst = ['now', 'settle it', 'compared', 'why', 'fix', 'since', 'impact'];

/** The lines read at night: in full where they take at most `room` lines, else as many of them in full as fit. */
export function nightView(report: SkewReport, look: Look, room: number): string[] {
  const { paint, signs } = look.screen;
  const width = Math.min(look.columns - margin.length, widest);
  const entries = nightEntries(report).map((entry) => {
    const label =
      paint(entry.labelTone ?? 'label', entry.label) + ' '.repeat(Math.max(1, labelWidth - entry.label.length));
    const text = entry.tone === undefined ? entry.text : paint(entry.tone, entry.text);
    const right = entry.right === undefined ? '' : paint(entry.right.tone, entry.right.text);
    const rank = wrappedFirst.indexOf(entry.label);
    return {
      rank,
      whole: labelled(screenOf(look, width), entry),
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

import { nightEntries } from '../render/header.ts';
import { labelled } from '../render/lines.ts';
import type { SkewReport } from '../report/schema.ts';
import { spread } from './line.ts';
import { type Look, margin, screenOf } from './look.ts';

/** Widest prose: longer lines are hard to read. */
const widest = 110;
const labelWidth = 12;

/** Lines that the night header may always take, however many pods there are. */
const always = 9;

/**
 * The lines read at night: in full where they take at most `room` lines, else each on one line, cut at its end (the
 * other screens have it whole).
 */
export function nightView(report: SkewReport, look: Look, room: number): string[] {
  const width = Math.min(look.columns - margin.length, widest);
  const entries = nightEntries(report);
  const whole = entries.flatMap((entry) => labelled(screenOf(look, width), entry));
  if (whole.length <= Math.max(room, look.rows >= 30 ? always : 0)) return whole.map((line) => margin + line);
  const { paint, signs } = look.screen;
  return entries.map((entry) => {
    const label =
      paint(entry.labelTone ?? 'label', entry.label) + ' '.repeat(Math.max(1, labelWidth - entry.label.length));
    const text = entry.tone === undefined ? entry.text : paint(entry.tone, entry.text);
    const right = entry.right === undefined ? '' : paint(entry.right.tone, entry.right.text);
    return margin + spread(label + text, right, width, signs.ellipsis);
  });
}

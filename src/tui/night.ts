import { nightEntries } from '../render/header.ts';
import { labelled } from '../render/lines.ts';
import type { SkewReport } from '../report/schema.ts';
import { spread } from './line.ts';
import { type Look, screenOf } from './look.ts';

/** Widest prose: longer lines are hard to read. */
const widest = 110;
const labelWidth = 12;
/** From so many rows on there is room for every line in full. */
const tallRows = 32;

/**
 * The lines read at night. On a small screen each takes one line, cut at its end (the other screens have it whole); a
 * tall one shows them in full.
 */
export function nightView(report: SkewReport, look: Look): string[] {
  const width = Math.min(look.columns, widest);
  const entries = nightEntries(report);
  if (look.rows >= tallRows) return entries.flatMap((entry) => labelled(screenOf(look, width), entry));
  const { paint, signs } = look.screen;
  return entries.map((entry) => {
    const label =
      paint(entry.labelTone ?? 'label', entry.label) + ' '.repeat(Math.max(1, labelWidth - entry.label.length));
    const text = entry.tone === undefined ? entry.text : paint(entry.tone, entry.text);
    const right = entry.right === undefined ? '' : paint(entry.right.tone, entry.right.text);
    return spread(label + text, right, width, signs.ellipsis);
  });
}

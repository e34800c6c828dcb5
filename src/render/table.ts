/** `-o table` and `-o wide`: what is read first stands first. */
import type { SkewReport } from '../report/schema.ts';
import { adviceLines } from './advice.ts';
import { comparisonLines } from './comparison.ts';
import { nightLines, title } from './header.ts';
import { labelled, labelledList, screenFor } from './lines.ts';
import { measuredLines, notSeenLines, warningLines } from './looks.ts';
import { podLines } from './pods.ts';
import { sanitise, sanitiseAll, toAscii } from './sanitise.ts';
import { painter, signs } from './style.ts';
import { wideLines } from './wide.ts';

export type TableOptions = {
  /** Of the terminal; no line is longer. Below 60 it is laid out for 60. */
  readonly columns: number;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly wide: boolean;
};

export function renderTable(report: SkewReport, options: TableOptions): string {
  const { columns, color, unicode, wide } = options;
  const screen = screenFor({ columns, paint: painter(color), signs: signs(unicode) });
  // once for the whole report, so that no text can be forgotten further down
  const safe = sanitiseAll(report, (text) => (unicode ? sanitise(text) : toAscii(sanitise(text))).trim());
  const lines = [
    title(screen, safe),
    ...(safe.spec.portNote === null ? [] : labelled(screen, { label: 'port', text: safe.spec.portNote })),
    '',
    ...nightLines(screen, safe),
    ...comparisonLines(screen, safe),
    ...(wide ? [] : labelledList(screen, 'also', otherCauses(safe))),
    '',
    ...podLines(screen, safe, wide),
    '',
    ...adviceLines(screen, safe, wide),
    ...warningLines(screen, safe),
    ...notSeenLines(screen, safe),
    ...measuredLines(screen, safe),
    ...(wide ? wideLines(screen, safe) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first cause is the "why"; the others in a line, without their reasons. */
function otherCauses(report: SkewReport): string[] {
  const others = report.status.causes.slice(1).map(({ id, confidence }) => `${id} (${confidence})`);
  return others.length === 0 ? [] : [others.join(', ')];
}

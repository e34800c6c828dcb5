/** `-o table` and `-o wide`: what is read first stands first. */
import type { SkewReport } from '../report/schema.ts';
import { adviceLines } from './advice.ts';
import { comparisonLines } from './comparison.ts';
import { headlineLines, title } from './headline.ts';
import { labelled, labelledList, type Screen, screenFor } from './lines.ts';
import { measuredLines } from './measured.ts';
import { notSeenLines } from './not-seen.ts';
import { podLines } from './pods.ts';
import { sanitise, sanitiseAll, toAscii } from './sanitise.ts';
import { painter, signs } from './style.ts';
import { type Warning, warningsOf, warningText } from './warnings.ts';
import { wideLines } from './wide.ts';

export type TableOptions = {
  /** Of the terminal; no line is longer. Below 60 it is laid out for 60. */
  readonly columns: number;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly wide: boolean;
  /** What the verdicts still wait for. */
  readonly missing?: string | null;
};

/** The reports of one look, one for each port: what is the same for all of them stands once, at the end. */
export function renderTables(reports: readonly SkewReport[], options: TableOptions): string {
  const { columns, color, unicode, wide, missing = null } = options;
  const screen = screenFor({ columns, paint: painter(color), signs: signs(unicode) });
  // once for the whole report, so that no text can be forgotten further down
  const safe = reports.map((report) =>
    sanitiseAll(report, (text) => (unicode ? sanitise(text) : toAscii(sanitise(text))).trim()),
  );
  const [first] = safe;
  const isSeveral = safe.length > 1;
  if (first === undefined) return '';
  const shared = sharedWarnings(safe);
  const lines = [
    ...safe.flatMap((report) =>
      portLines(screen, report, { wide, missing, shared, isOne: !isSeveral, isFirst: report === first }),
    ),
    ...(isSeveral ? [''] : []),
    ...warningLines(screen, shared),
    ...notSeenLines(screen, safe),
    ...measuredLines(screen, first, isSeveral ? 'shared' : 'all'),
    ...(wide ? wideLines(screen, first, isSeveral ? 'shared' : 'all') : []),
  ];
  return `${lines.join('\n')}\n`;
}

interface PortLines {
  readonly wide: boolean;
  readonly missing: string | null;
  readonly shared: readonly Warning[];
  readonly isOne: boolean;
  readonly isFirst: boolean;
}

/** What is of one port alone. */
function portLines(screen: Screen, report: SkewReport, { wide, missing, shared, isOne, isFirst }: PortLines): string[] {
  const { portNote } = report.spec;
  return [
    ...(isFirst ? [] : ['']),
    title(screen, report),
    ...(portNote === null || !isFirst ? [] : labelled(screen, { label: 'port', text: portNote })),
    '',
    ...headlineLines(screen, report, missing),
    ...comparisonLines(screen, report),
    ...(wide ? [] : labelledList(screen, 'also', otherCauses(report))),
    '',
    ...podLines(screen, report, wide),
    '',
    ...adviceLines(screen, report, wide),
    ...warningLines(
      screen,
      warningsOf(report).filter((warning) => !isShared(warning, shared)),
    ),
    ...(isOne ? [] : measuredLines(screen, report, 'port')),
    ...(isOne || !wide ? [] : wideLines(screen, report, 'port')),
  ];
}

function warningLines(screen: Screen, warnings: readonly Warning[]): string[] {
  return labelledList(screen, 'warning', warnings.map(warningText), 'warn');
}

/** Warnings that every report has. */
function sharedWarnings([first, ...others]: readonly SkewReport[]): readonly Warning[] {
  if (first === undefined) return [];
  return warningsOf(first).filter((warning) => others.every(({ status }) => isShared(warning, status.warnings)));
}

function isShared(warning: Warning, others: readonly Warning[]): boolean {
  return others.some(({ id, text }) => id === warning.id && text === warning.text);
}

/** The first cause is the "why"; the others in a line, without their reasons. */
function otherCauses(report: SkewReport): string[] {
  const others = report.status.causes.slice(1).map(({ id, confidence }) => `${id} (${confidence})`);
  return others.length === 0 ? [] : [others.join(', ')];
}

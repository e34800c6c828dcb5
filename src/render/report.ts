import { asDocument } from '../report/document.ts';
import type { SkewReport } from '../report/schema.ts';
import { renderChat } from './chat.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import type { Terminal } from './screen.ts';
import { type ColorFlag, colorChoice, unicodeChoice } from './style.ts';
import { renderTables } from './table.ts';
import { yamlOf } from './yaml.ts';

/** Columns of a table that goes to a file or a pipe, where $COLUMNS does not say otherwise. */
const plainColumns = { table: 80, wide: 140 } as const;

/** Renders the reports of one look, one for each port, in the wanted format and for the terminal that is there. */
export function renderReports(
  reports: readonly SkewReport[],
  wanted: {
    readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'markdown' | 'chat' | 'html';
    readonly color: ColorFlag;
    /** What the verdicts still wait for: a table says it. */
    readonly missing?: string | null;
  },
  terminal: Terminal,
): string {
  const document = asDocument(reports) ?? {};
  switch (wanted.output) {
    case 'json':
      return renderJson(document);
    case 'yaml':
      return yamlOf(document);
    case 'markdown':
      return reports.map((report) => renderMarkdown(report)).join('\n');
    case 'chat':
      return reports.map((report) => renderChat(report)).join('\n');
    case 'html':
      return renderHtml(reports);
    default:
      return renderTables(reports, {
        columns: terminal.columns ?? (Number(terminal.env['COLUMNS']) || plainColumns[wanted.output]),
        color: colorChoice({ flag: wanted.color, env: terminal.env, isTerminal: terminal.stdoutIsTerminal }),
        unicode: unicodeChoice(terminal.env),
        wide: wanted.output === 'wide',
        missing: wanted.missing ?? null,
      });
  }
}

/** The reports of one look of several: a line of JSON, a document of a stream of YAML, or a table below the one before. */
export function renderAgain(
  reports: readonly SkewReport[],
  { isFirst, ...wanted }: Parameters<typeof renderReports>[1] & { readonly isFirst: boolean },
  terminal: Terminal,
): string {
  if (wanted.output === 'json') return renderJson(asDocument(reports) ?? {}, 0);
  const between = isFirst ? '' : wanted.output === 'yaml' ? '---\n' : '\n';
  return between + renderReports(reports, wanted, terminal);
}

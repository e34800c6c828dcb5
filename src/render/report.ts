import type { SkewReport } from '../report/schema.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { type ColorFlag, colorChoice, type Environment, unicodeChoice } from './style.ts';
import { renderTable } from './table.ts';
import { renderYaml } from './yaml.ts';

/** Columns of a table that goes to a file or a pipe, where $COLUMNS does not say otherwise. */
const plainColumns = 80;

/** Renders a report in the wanted format, for the terminal that is there. */
export function renderReport(
  report: SkewReport,
  wanted: { readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'markdown'; readonly color: ColorFlag },
  terminal: { readonly env: Environment; readonly stdoutIsTerminal: boolean; readonly columns: number | null },
): string {
  switch (wanted.output) {
    case 'json':
      return renderJson(report);
    case 'yaml':
      return renderYaml(report);
    case 'markdown':
      return renderMarkdown(report);
    default:
      return renderTable(report, {
        columns: terminal.columns ?? (Number(terminal.env['COLUMNS']) || plainColumns),
        color: colorChoice({ flag: wanted.color, env: terminal.env, isTerminal: terminal.stdoutIsTerminal }),
        unicode: unicodeChoice(terminal.env),
        wide: wanted.output === 'wide',
      });
  }
}

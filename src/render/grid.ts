/** Tables without borders, as kubectl prints them, fitted to a width. */
import CliTable3 from 'cli-table3';
import { type Content, fitColumns, gap, type Overflow } from './column-widths.ts';
import type { Screen } from './lines.ts';
import { cutNames } from './names.ts';
import { toAscii } from './sanitise.ts';
import type { Signs, Tone } from './style.ts';
import { wrap } from './text.ts';

export type GridColumn<Row> = {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly content: Content;
  /** When room is short, the columns with the highest number leave the table; those that name the row never do. */
  readonly leaves: number;
  /** Of a name: so much of it stays, if other columns must leave for that. */
  readonly least?: number;
  readonly cell: (row: Row) => string;
  /** For bars: 0..1 of the full length, null: not known. */
  readonly fraction?: (row: Row) => number | null;
  /** For bars: where on it a mark stands, 0..1. */
  readonly mark?: (row: Row) => number | null;
};

type Cell<Row> = GridColumn<Row>['cell'];

/** What is never cut: a figure at the right, or a short word at the left. */
export function figureColumn<Row>(head: string, leaves: number, cell: Cell<Row>): GridColumn<Row> {
  return { head, align: 'right', content: 'figure', leaves, cell };
}

export function wordColumn<Row>(head: string, leaves: number, cell: Cell<Row>): GridColumn<Row> {
  return { head, align: 'left', content: 'figure', leaves, cell };
}

/** What is cut in the middle where there is no room for all of it. */
export function nameColumn<Row>(head: string, leaves: number, cell: Cell<Row>): GridColumn<Row> {
  return { head, align: 'left', content: 'name', leaves, cell };
}

export type GridOptions<Row, Column> = {
  /** Columns that do not fit are left out, or shown in another table below, with the first ones again. */
  readonly overflow: Overflow;
  /** How many of the first columns name the row; default 1. */
  readonly keys?: number;
  readonly tone?: (row: Row, column: Column) => Tone | null;
};

/** The lines of a table of at most `screen.tableWidth` columns. */
export function grid<Row, Column extends GridColumn<Row>>(
  screen: Screen,
  columns: readonly Column[],
  rows: readonly Row[],
  options: GridOptions<Row, Column>,
): string[] {
  const measured = columns.map((column) => ({
    ...column,
    column,
    texts: rows.map((row) => cellText(column.cell(row))),
  }));
  const fitting = fitColumns(measured, screen.tableWidth, options.overflow, options.keys);
  const cells = fitting.map(({ column, width }) => cellLines(column, width, rows, screen.signs));
  const widths = fitting.map(({ column }, index) =>
    (cells[index] ?? []).flat().reduce((most, text) => Math.max(most, text.length), column.head.length),
  );
  const linesOf = (row: Row, at: number) =>
    fitting.map(({ column: { column } }, index) => {
      const tone = options.tone?.(row, column) ?? null;
      const texts = cells[index]?.[at] ?? [];
      return texts.map((text) => (tone === null ? text : screen.paint(tone, text))).join('\n');
    });
  const lines = inBatches([fitting.map(({ column }) => screen.paint('dim', column.head)), ...rows.map(linesOf)])
    .flatMap((batch) => {
      const table = new CliTable3({
        chars: noLines,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
        colAligns: fitting.map(({ column }) => column.align),
        colWidths: widths.map((width) => width + gap),
      });
      for (const row of batch) table.push(row);
      return table.toString().split('\n');
    })
    .map((line) => line.trimEnd());
  const leaving = measured.filter((one) => !fitting.some(({ column }) => column === one)).map(({ column }) => column);
  if (leaving.length === 0 || options.overflow === 'drop') return lines;
  return [...lines, '', ...grid(screen, [...columns.slice(0, options.keys ?? 1), ...leaving], rows, options)];
}

/** So many rows at a time: cli-table3 holds each row of a table against all before it. */
const rowsAtOnce = 200;

function inBatches<One>(all: readonly One[]): One[][] {
  const batches = Math.ceil(all.length / rowsAtOnce);
  return Array.from({ length: batches }, (_, at) => all.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce));
}

/** The lines of each cell of a column. */
function cellLines<Row>(
  column: GridColumn<Row> & { texts: readonly string[] },
  width: number,
  rows: readonly Row[],
  signs: Signs,
): string[][] {
  switch (column.content) {
    case 'name':
      return cutNames(column.texts, width, signs.ellipsis).map((text) => [text]);
    case 'words':
      return column.texts.map((text) => wrap(text, width));
    case 'bar':
      return rows.map((row) => [bar(column.fraction?.(row) ?? null, width, signs, column.mark?.(row) ?? null)]);
    case 'figure':
      return column.texts.map((text) => [text]);
  }
}

/**
 * Cells hold figures, our own words and Kubernetes names, which are ASCII. Anything else is shown as an escape: it would
 * be a forgery, and cli-table3 measures with older width tables than ours, so that the columns would not line up.
 */
function cellText(text: string): string {
  return text.replace(notOurs, toAscii);
}
const notOurs = /[^\x20-\x7e–×→▁-█]+/gu;

/** A bar with eighths of a cell; a dot for nothing, blank for not known; the mark takes the place of the cell where it stands. */
function bar(fraction: number | null, width: number, signs: Signs, mark: number | null): string {
  if (fraction === null) return '';
  const steps = signs.bar.length;
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width * steps);
  const full = signs.bar.at(-1) ?? '';
  const drawn =
    filled === 0 ? signs.none : full.repeat(Math.floor(filled / steps)) + (signs.bar[(filled % steps) - 1] ?? '');
  if (mark === null) return drawn;
  const at = Math.min(width - 1, Math.floor(mark * width));
  return drawn.padEnd(at).slice(0, at) + signs.fair + drawn.slice(at + 1);
}

const edges = ['top', 'bottom', 'left', 'mid', 'right', 'middle'];
const crossings = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'];
const noLines = Object.fromEntries([...edges, ...crossings, 'left-mid', 'mid-mid', 'right-mid'].map((at) => [at, '']));

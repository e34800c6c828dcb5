import type { GridColumn } from '../grid.ts';
import { type Child, element, type Markup } from './element.ts';

/** A column of a page: the same as in a terminal, where no cell needs more than text. */
export type PageColumn<Row> = Pick<GridColumn<Row>, 'head' | 'align' | 'cell'> & {
  readonly draw?: (row: Row) => Child;
};

/** A table; on a narrow page each row becomes a list under its first cell. */
export function table<Row>(
  caption: string,
  columns: readonly PageColumn<Row>[],
  rows: readonly Row[],
  rowClass: (row: Row) => string = () => '',
): Markup {
  const [key, ...others] = columns;
  if (key === undefined) return element('div', {});
  const heads = columns.map(({ head, align }) => element('th', { scope: 'col', class: align }, head));
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, heads)),
    element(
      'tbody',
      {},
      rows.map((row) =>
        element(
          'tr',
          { class: rowClass(row) },
          element('th', { scope: 'row', class: key.align }, content(key, row)),
          others.map((column) => element('td', { class: column.align, head: column.head }, content(column, row))),
        ),
      ),
    ),
  );
}

function content<Row>({ draw, cell }: PageColumn<Row>, row: Row): Child {
  return draw === undefined ? cell(row) : draw(row);
}

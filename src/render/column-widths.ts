import { maxOf } from '../figures/extremes.ts';
/** How wide each column of a table is, and which columns do not fit. */
import { widthOf } from './text.ts';

/** What gives way when room is short: names are cut in the middle, words wrap, a bar gets shorter, figures never. */
export type Content = 'figure' | 'name' | 'words' | 'bar';

/** A column as the layout sees it. */
export type Measured = {
  readonly content: Content;
  /** When room is short, the columns with the highest number leave the table; those that name the row never do. */
  readonly leaves: number;
  /** Of a name: so much of it stays, if other columns must leave for that. */
  readonly least?: number;
  readonly head: string;
  readonly texts: readonly string[];
};

/** Whether columns that do not fit are lost, or shown elsewhere: then they had better leave than cut the others. */
export type Overflow = 'drop' | 'continue';

export const gap = 2;
const bar = { minimum: 6, good: 8, maximum: 32 };
const words = { good: 12, minimum: 24 };
const name = { minimum: 15, good: 32 };

/** The columns that fit into `room`, with their widths, in the given order; the first `keys` always stay. */
export function fitColumns<C extends Measured>(
  columns: readonly C[],
  room: number,
  overflow: Overflow,
  keys = 1,
): { column: C; width: number }[] {
  const fitting = columns.map((column) => ({ column, width: minimum(column, room, overflow) }));
  const total = () => fitting.reduce((sum, { width }) => sum + width + gap, -gap);
  while (fitting.length > keys + 1 && total() > room) {
    const last = fitting.slice(keys).reduce((worst, one) => (one.column.leaves >= worst.column.leaves ? one : worst));
    fitting.splice(fitting.indexOf(last), 1);
  }
  let left = room - total();
  const grow = (content: Content, wanted: (column: C) => number) => {
    for (const one of fitting.filter(({ column }) => column.content === content)) {
      const more = Math.min(left, Math.max(0, wanted(one.column) - one.width));
      one.width += more;
      left -= more;
    }
  };
  // what is left goes where it helps most: a readable bar, whole names to copy, words on one line, a long bar
  grow('words', (column) => Math.min(words.good, natural(column)));
  grow('bar', () => bar.good);
  grow('name', natural);
  grow('words', natural);
  grow('bar', () => bar.maximum);
  return fitting;
}

function minimum(column: Measured, room: number, overflow: Overflow): number {
  switch (column.content) {
    case 'figure':
      return natural(column);
    case 'bar':
      return bar.minimum;
    case 'name':
      return Math.min(
        natural(column),
        Math.max(
          column.least ?? (overflow === 'drop' ? name.minimum : Math.min(name.good, Math.floor(room / 3))),
          column.head.length,
        ),
      );
    case 'words': {
      const word = longest(column, (text) => maxOf(text.split(' ').map(widthOf)));
      return overflow === 'drop' ? word : Math.max(word, Math.min(natural(column), words.minimum));
    }
  }
}

function natural(column: Measured): number {
  return longest(column, widthOf);
}

function longest(column: Measured, measure: (text: string) => number): number {
  return column.texts.reduce((most, text) => Math.max(most, measure(text)), column.head.length);
}

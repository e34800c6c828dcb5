import { plural } from '../report/words.ts';
import { type Window, windowAround } from '../watch/window.ts';
import type { Canvas } from './canvas.ts';
import type { Line } from './line.ts';

/**
 * Rows that keys move to: the lines that can be chosen, and where more lies between or behind them than a screen shows,
 * rows on the way, so that nothing is out of reach.
 */
export function stopsOf(lines: readonly Line[], room: number): readonly number[] {
  const items = lines.flatMap((line, row) => (line.item === undefined ? [] : [row]));
  if (lines.length <= room) return items;
  const step = room - 2;
  const [top, bottom] = [Math.floor(room / 2), lines.length - Math.ceil(room / 2)];
  // The first stop shows the start, and a chosen line is always seen.
  const stops: number[] = (items[0] ?? lines.length) >= room - 1 ? [top] : [];
  let middle = top;
  const fill = (to: number) => {
    while (to - middle > step) {
      middle += step;
      stops.push(middle);
    }
  };
  // With the last line that can be chosen the end is shown, where that is the next screen and has both.
  const showsEnd = (row: number) =>
    stops.length > 0 && row === items.at(-1) && row > lines.length - room && bottom - middle <= step;
  for (const row of items) {
    const next = showsEnd(row) ? bottom : Math.max(top, Math.min(row, bottom));
    fill(next);
    stops.push(row);
    middle = stops.length === 1 ? top : next;
  }
  if (middle === bottom && stops.length > 1) return stops;
  fill(bottom);
  return [...stops, lines.length - 1];
}

/** The row of the stop that the cursor is at. */
export function stopAt(stops: readonly number[], cursor: number): number {
  return stops[Math.min(cursor, stops.length - 1)] ?? 0;
}

/** The window that shows a stop, and with the first or last of them what is before or behind it. */
export function windowOf(stops: readonly number[], cursor: number, length: number, room: number): Window {
  const at = stopAt(stops, cursor);
  const end = cursor === 0 ? 0 : cursor >= stops.length - 1 ? length - 1 : at;
  const window = windowAround(end, length, room);
  return isVisible(at, window, length) ? window : windowAround(at, length, room);
}

/** Not under the sign at an edge. */
function isVisible(row: number, { first, count }: Window, length: number): boolean {
  const [above, below] = [first > 0 ? 1 : 0, first + count < length ? 1 : 0];
  return row >= first + above && row < first + count - below;
}

/** The lines of a window; at an edge behind which there is more stands how much. */
export function withEdges(lines: readonly string[], { first, count }: Window, canvas: Canvas): readonly string[] {
  const { paint, signs } = canvas.screen;
  const last = first + count - 1;
  const sign = (text: string) => paint('dim', `  ${signs.ellipsis} ${text}`);
  return lines.slice(first, first + count).map((line, index) => {
    const row = first + index;
    if (row === first && first > 0) return sign(`${plural(first + 1, 'line')} above`);
    return row === last && last < lines.length - 1 ? sign(plural(lines.length - last, 'more line')) : line;
  });
}

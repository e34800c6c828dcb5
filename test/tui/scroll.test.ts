import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Line } from '../../src/tui/line.ts';
import { stopsOf, windowOf, withEdges } from '../../src/tui/scroll.ts';
import { canvasAs } from './frames.ts';

/** Lines of which those in `items` can be chosen. */
const list = (length: number, items: readonly number[]): Line[] =>
  Array.from({ length }, (_, row) => ({
    text: `line ${row}`,
    ...(items.includes(row) && { item: { kind: 'cause' as const, id: String(row) } }),
  }));

/** What is on the screen at each stop. */
function screensOf(lines: readonly Line[], room: number): (readonly string[])[] {
  const stops = stopsOf(lines, room);
  const texts = lines.map(({ text }) => text);
  const cursors = stops.length === 0 ? [0] : stops.map((_, cursor) => cursor);
  return cursors.map((cursor) => withEdges(texts, windowOf(stops, cursor, lines.length, room), canvasAs()));
}

describe('a list longer than the screen', () => {
  test('says at each edge how much is behind it', () => {
    // Ten lines in a room of five: four and the sign; at the end the sign and four.
    expect(screensOf(list(10, [0, 9]), 5)).toEqual([
      ['line 0', 'line 1', 'line 2', 'line 3', '  … 6 more lines'],
      // On the way, lest lines 4 and 5 are never seen.
      ['  … 4 lines above', 'line 4', 'line 5', 'line 6', '  … 3 more lines'],
      ['  … 6 lines above', 'line 6', 'line 7', 'line 8', 'line 9'],
    ]);
  });

  test('has no sign where all of it is there', () => {
    expect(screensOf(list(5, [0, 2]), 5)[0]).toEqual(['line 0', 'line 1', 'line 2', 'line 3', 'line 4']);
  });

  test('stops at what can be chosen alone, where that shows all', () => {
    expect(stopsOf(list(20, [0, 15, 16, 17]), 15)).toEqual([0, 15, 16, 17]);
    expect(stopsOf(list(5, []), 5)).toEqual([]);
  });

  test('never hides a line from who goes down, whatever can be chosen', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.nat(119), { maxLength: 12 }),
        fc.integer({ min: 10, max: 40 }),
        (length, chosen, room) => {
          const items = [...new Set(chosen.filter((row) => row < length))];
          const lines = list(length, items);
          const screens = screensOf(lines, room);
          const seen = new Set(screens.flat());
          expect(lines.filter(({ text }) => !seen.has(text))).toEqual([]);
          const stops = stopsOf(lines, room);
          expect(stops).toEqual([...new Set(stops)].sort((a, b) => a - b));
          expect(stops.filter((row) => items.includes(row))).toHaveLength(items.length);
          for (const [cursor, row] of stops.entries())
            if (items.includes(row)) expect(screens[cursor]).toContain(`line ${row}`);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each<readonly [number, readonly number[], number]>([
    [100, [], 20],
    [100, [0], 20],
    [100, [0, 99], 20],
    [100, [0, 1, 2, 50], 20],
    [61, [0, 30, 31, 60], 12],
    [21, [0, 20], 20],
    [22, [0], 20],
    [13, [5], 12],
  ])(
    'of %i lines with %j to choose, in a room of %i, each is seen, and each chosen line where it is chosen',
    (length, items, room) => {
      const lines = list(length, items);
      const screens = screensOf(lines, room);
      const seen = new Set(screens.flat());
      expect(lines.filter(({ text }) => !seen.has(text))).toEqual([]);
      for (const [cursor, row] of stopsOf(lines, room).entries())
        if (items.includes(row)) expect(screens[cursor]).toContain(`line ${row}`);
      for (const screen of screens) expect(screen).toHaveLength(room);
    },
  );
});

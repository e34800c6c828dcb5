import { maxOf } from '../figures/extremes.ts';
import { severityTone } from '../render/headline.ts';
import { padEnd } from '../render/text.ts';
import type { SkewReport } from '../report/schema.ts';
import { clock } from '../report/words.ts';
import { overTime, type Trend } from '../watch/trend.ts';
import type { Canvas } from './canvas.ts';
import { pastPoints, usedWords } from './shape.ts';
import { level } from './strip.ts';

/** No graph shows less time than this: a minute of nothing would look like an hour of it. In milliseconds. */
const shortestTime = 300_000;

/** How many pods were used over time, as columns over an axis of `height - 2` rows; nothing without a figure. */
export function usedGraph(
  report: SkewReport,
  trend: Trend,
  canvas: Canvas,
  [width, height]: readonly [number, number],
): string[] {
  const { paint, signs } = canvas.screen;
  const { first, samples } = trend;
  const last = samples.at(-1);
  if (first === null || last === undefined || canvas.plain) return [];
  const past = pastPoints(report, first.at);
  const points = [...past, ...samples.map(({ at, used, pods }) => ({ at, value: used, pods }))];
  const most = Math.ceil(
    maxOf(
      points.map(({ pods }) => pods),
      1,
    ),
  );
  const scale = String(most).length;
  const from = Math.min(points[0]?.at ?? last.at, last.at - shortestTime);
  const values = overTime(points, [from, last.at], width - scale - 1);
  const rows = Math.max(1, height - 2);
  const drawn = Array.from({ length: rows }, (_, row) => {
    const bottom = rows - 1 - row;
    const cells = values.map((value) =>
      value === null ? ' ' : cell((value / most) * rows - bottom, bottom === 0, canvas),
    );
    const mark = row === 0 ? String(most) : row === rows - 1 ? '0' : '';
    return `${paint('dim', mark.padStart(scale))} ${paint(severityTone(report.status), cells.join(''))}`;
  });
  const [start, end] = [clock(from).slice(0, 5), clock(last.at).slice(0, 5)];
  return [
    `${paint('dim', 'OVER TIME')}  ${usedWords(trend, signs, paint)}`,
    ...drawn,
    `${' '.repeat(scale + 1)}${paint('dim', padEnd(start, width - scale - 1 - end.length) + end)}`,
  ];
}

/** The part of a column that lies in one row: `filled` rows of it, which may be more than one or less than none. */
function cell(filled: number, isLowest: boolean, { screen }: Canvas): string {
  if (filled >= 1) return level(1, screen.signs);
  const isEmpty = filled * screen.signs.levels.length < 0.5;
  return isEmpty && !isLowest ? ' ' : level(Math.max(0, filled), screen.signs);
}

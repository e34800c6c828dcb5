import { maxOf } from '../figures/extremes.ts';
import { duration, pods as figure, share } from '../render/numbers.ts';
import type { Paint, Signs } from '../render/style.ts';
import { padEnd, widthOf } from '../render/text.ts';
import { fairSharesOf } from '../report/carried.ts';
import type { SkewReport } from '../report/schema.ts';
import { overTime, type Trend } from '../watch/trend.ts';
import { type Canvas, margin } from './canvas.ts';
import { labelWidth } from './headline.ts';
import { cutEnd, spread } from './line.ts';
import { level, strip } from './strip.ts';

/** The shape at a glance: a cell for each pod, and how many pods were used over time. */
export function shapeLines(report: SkewReport, trend: Trend, canvas: Canvas): string[] {
  if (report.status.pods.length === 0 || canvas.plain) return [];
  return [stripLine(report, canvas), ...usedLine(report, trend, canvas)];
}

/** A cell for each pod, and what the mark on their bars is. */
export function stripLine(report: SkewReport, canvas: Canvas): string {
  const { paint, signs } = canvas.screen;
  const { pods } = report.status;
  const fair = new Set(fairSharesOf(pods).values());
  const [only = null] = fair;
  const legend = fair.size > 1 ? `${signs.fair} fair share` : `${signs.fair} fair share ${share(only)}`;
  const room = canvas.columns - margin.length - labelWidth;
  const beside = room - widthOf(legend) - 2;
  // The whole strip is worth more than the words at its end.
  const width = pods.length <= room ? room : beside - foldedWidth;
  const { text, perCell } = strip(report, width, canvas);
  const folded = perCell === 1 ? '' : paint('dim', ` each cell ${perCell} pods`);
  const left = `${margin}${paint('label', padEnd('pods', labelWidth))}${text}${folded}`;
  const fits = pods.length <= beside || perCell > 1;
  return spread(left, fits && fair.size > 0 ? paint('dim', legend) : '', canvas.columns, signs.ellipsis);
}

/** Room for ` each cell 1000 pods`. */
const foldedWidth = 20;

/** Cells of a time at most. */
const usedCells = 24;

/** `used  ▃▃▃▃▃▇▇  2.7 → 10 pods since you opened`: with the last hour of Prometheus before it, where there is one. */
function usedLine(report: SkewReport, trend: Trend, canvas: Canvas): string[] {
  const { paint, signs } = canvas.screen;
  const { first, samples } = trend;
  const last = samples.at(-1);
  if (first === null || last === undefined) return [];
  const past = pastPoints(report, first.at);
  const live = samples.map(({ at, used }) => ({ at, value: used }));
  const most = maxOf([...samples.map(({ pods }) => pods), ...past.map(({ pods }) => pods)], 1);
  const spark = (points: readonly { readonly at: number; readonly value: number }[]) => {
    const cells = Math.min(past.length === 0 ? usedCells : usedCells / 2, points.length);
    const [from = 0, to = 0] = [points[0]?.at, points.at(-1)?.at];
    const values = from === to ? [points[0]?.value ?? null] : overTime(points, [from, to], cells);
    return values.map((value) => (value === null ? ' ' : level(value / most, signs))).join('');
  };
  const hour = past.length === 0 ? '' : `${spark(past)} ${paint('dim', 'last hour')}   `;
  const words = usedWords(trend, signs, paint);
  const text = `${margin}${paint('label', padEnd('used', labelWidth))}${hour}${spark(live)} ${words}`;
  return [cutEnd(text, canvas.columns, signs.ellipsis)];
}

/** Less than this is the noise of two looks, in pods. */
const leastChange = 0.5;

/** How many pods are used, and how many were when the view opened. */
export function usedWords({ first, samples }: Trend, { arrow }: Signs, paint: Paint): string {
  const last = samples.at(-1);
  if (first === null || last === undefined) return '';
  const [was, is] = [figure(first.used), figure(last.used)];
  if (Math.abs(first.used - last.used) >= leastChange)
    return paint('strong', `since you opened: ${was} ${arrow} ${is} pods used`);
  const seconds = (last.at - first.at) / 1000;
  const since = seconds >= 60 ? `, no change since you opened (${duration(seconds)})` : '';
  return `${is} of ${last.pods} pods used${since}`;
}

/** The last hour by Prometheus, to when the view opened. */
export function pastPoints(report: SkewReport, until: number) {
  const [history] = report.status.prometheus?.history ?? [];
  return (history?.points ?? []).flatMap(({ time, effectivePods, pods }) => {
    const at = Date.parse(time);
    return at < until ? [{ at, value: effectivePods, pods }] : [];
  });
}

import { podColumns, podTone } from '../render/columns.ts';
import { grid } from '../render/grid.ts';
import type { SkewReport } from '../report/schema.ts';
import { orderPods } from '../watch/order.ts';
import type { WatchState } from '../watch/state.ts';
import { windowAround } from '../watch/window.ts';
import { type Canvas, marksOf, screenOf } from './canvas.ts';
import type { Line } from './line.ts';

/** From so many columns on the pods show what the wide output shows. */
const wideColumns = 130;

/**
 * The pods as a list of `room` lines: only those in the window are laid out, so a thousand cost no more than ten.
 * The chosen one is marked by a sign, not by colour alone.
 */
export function podList(report: SkewReport, state: WatchState, canvas: Canvas, width: number, room: number): Line[] {
  const { paint, signs } = canvas.screen;
  const pods = orderPods(report.status.pods, state.order);
  if (pods.length === 0) return [{ text: paint('warn', '  no pods stand behind this port of the Service') }];
  const rows = room - 1;
  const window = windowAround(state.cursor.now, pods.length, pods.length > rows ? rows - 1 : rows);
  const shown = pods.slice(window.first, window.first + window.count);
  const columns = podColumns(pods, width >= wideColumns ? 'live-wide' : 'live').filter(
    ({ id }) => !(canvas.plain && id === 'bar'),
  );
  const [head = '', ...lines] = grid(screenOf(canvas, width - 2), columns, shown, { overflow: 'drop', tone: podTone });
  const chosen = state.overlay === null && state.screen === 'now' ? state.cursor.now - window.first : -1;
  const body = lines.map((line, index) => ({
    text: index === chosen ? `${paint('strong', marksOf(canvas).chosen)} ${line}` : `  ${line}`,
    item: { kind: 'pod' as const, name: shown[index]?.name ?? '' },
  }));
  const hidden = pods.length - window.count;
  const more = `  ${signs.ellipsis} ${window.first + 1}${signs.range}${window.first + window.count} of ${pods.length} pods, by ${state.order}`;
  return [{ text: `  ${head}` }, ...body, ...(hidden > 0 ? [{ text: paint('dim', more) }] : [])];
}

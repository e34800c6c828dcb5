import { maxOf, minOf } from '../figures/extremes.ts';
import { type PodColumn, podColumns, podTone } from '../render/columns.ts';
import { figureColumn, grid } from '../render/grid.ts';
import { factor, notKnown, share } from '../render/numbers.ts';
import type { Signs } from '../render/style.ts';
import { fairSharesOf, loadsOf } from '../report/carried.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { type PodRow, podRows } from '../watch/rows.ts';
import type { WatchState } from '../watch/state.ts';
import { overTime, type Trend } from '../watch/trend.ts';
import { windowAround } from '../watch/window.ts';
import { type Canvas, marksOf, screenOf } from './canvas.ts';
import { idleText } from './idle.ts';
import type { Line } from './line.ts';
import { level, loadTone } from './strip.ts';

/** From so many columns on the pods show what the wide output shows. */
const wideColumns = 130;

interface PodListPlace {
  readonly width: number;
  readonly room: number;
  /** The details of the chosen pod stand below: what they say leaves the list, for the course of each pod. */
  readonly aboveDetails?: boolean;
}

/**
 * The pods as a list of `room` lines: only those in the window are laid out, so a thousand cost no more than ten. The row of
 * the idle ones stays in sight below what is left out. The chosen row is marked by a sign, not by colour alone.
 */
export function podList(report: SkewReport, state: WatchState, canvas: Canvas, place: PodListPlace): Line[] {
  const { room } = place;
  const { paint, signs } = canvas.screen;
  const rows = podRows(report.status.pods, state);
  if (rows.length === 0) {
    const isFiltered = report.status.pods.length > 0;
    const text = isFiltered
      ? `no pod or node has ${state.filter} in its name`
      : 'no pods stand behind this port of the Service';
    return [{ text: paint('warn', `  ${text}`) }];
  }
  const last = rows.at(-1);
  const below = last?.kind === 'idle' && rows.length > room - 1 ? [last] : [];
  const list = rows.slice(0, rows.length - below.length);
  const space = room - 1 - below.length;
  const window = windowAround(state.cursor.now, list.length, Math.max(1, list.length > space ? space - 1 : space));
  const shown = list.slice(window.first, window.first + window.count);
  const lines = rowLines([...shown, ...below], report, state, { canvas, place });
  const at = state.cursor.now;
  const chosen = at === rows.length - 1 && below.length > 0 ? shown.length : at - window.first;
  const marked = lines.rows.map(({ text, item }, index) => {
    if (index !== chosen || !isListOpen(state)) return { item, text: `  ${text}` };
    const key =
      item.kind === 'idle' ? paint('dim', ` ${signs.dot} enter ${state.unfolded ? 'folds' : 'unfolds'} them`) : '';
    return { item, text: `${paint('strong', marksOf(canvas).chosen)} ${text}${key}` };
  });
  const hidden = list.length - window.count;
  const more = `  ${signs.ellipsis} ${window.first + 1}${signs.range}${window.first + window.count} of ${plural(list.length, state.unfolded ? 'row' : 'pod')}, by ${state.order}`;
  const sign = hidden > 0 && space > 1 ? [{ text: paint('dim', more) }] : [];
  return [{ text: `  ${lines.head}` }, ...marked.slice(0, shown.length), ...sign, ...marked.slice(shown.length)];
}

function isListOpen({ overlay, screen }: WatchState): boolean {
  return overlay === null && screen === 'now';
}

/** The rows as lines, and the line above them. */
function rowLines(
  rows: readonly PodRow[],
  report: SkewReport,
  state: WatchState,
  { canvas, place }: { readonly canvas: Canvas; readonly place: PodListPlace },
): { readonly head: string; readonly rows: readonly Required<Line>[] } {
  const { paint } = canvas.screen;
  const pods = rows.flatMap((row) => (row.kind === 'pod' ? [row.pod] : []));
  const [head = '', ...lines] = grid(
    screenOf(canvas, place.width - 2),
    columnsFor(report, state, canvas, place),
    pods,
    {
      overflow: 'drop',
      tone: (pod, column) => (ofLoad.has(column.id) ? loadTone(pod, report) : podTone(pod, column, report)),
    },
  );
  let next = 0;
  return {
    head,
    rows: rows.map((row) =>
      row.kind === 'pod'
        ? { text: lines[next++] ?? '', item: { kind: 'pod', name: row.pod.name } }
        : {
            text: paint('idle', `${state.unfolded ? '-' : '+'} ${idleText(row.pods, report)}`),
            item: { kind: 'idle' },
          },
    ),
  };
}

/** Those of the other outputs, with where a fair share ends on each bar, and how many fair shares a pod has. */
function columnsFor(
  report: SkewReport,
  { trend }: WatchState,
  canvas: Canvas,
  { width, aboveDetails = false }: PodListPlace,
): readonly PodColumn[] {
  const { pods } = report.status;
  const { signs } = canvas.screen;
  const [loads, fair] = [loadsOf(pods), fairSharesOf(pods)];
  const most = maxOf([...loads.values(), ...fair.values()], 0);
  const part = (value: number | null | undefined) => (value == null || most === 0 ? null : value / most);
  const ofFair = (pod: ReportPod) => {
    const [load, part] = [loads.get(pod), fair.get(pod)];
    return load === undefined || !part ? notKnown : `${factor(load / part)}${signs.times}`;
  };
  const hasTrend = (width >= trendColumns || aboveDetails) && !canvas.plain && trend.first !== null;
  return podColumns(pods, width >= wideColumns ? 'live-wide' : 'live').flatMap((column): PodColumn[] => {
    switch (column.id) {
      case 'bar': {
        if (canvas.plain) return [];
        const known = (pod: ReportPod) => loads.get(pod);
        const fraction = (pod: ReportPod) => (most === 0 && known(pod) !== undefined ? 0 : part(known(pod)));
        return [{ ...column, fraction, mark: (pod) => part(fair.get(pod)) }];
      }
      case 'share':
        return [
          { ...column, cell: (pod) => share(loads.get(pod) ?? null) },
          { id: 'of-fair', ...figureColumn(`${signs.times}FAIR`, 2, ofFair) },
          ...(hasTrend ? [trendColumn(trend, pods, signs)] : []),
        ];
      default:
        return aboveDetails && inDetails.has(column.id) ? [] : [column];
    }
  });
}

const inDetails = new Set(['calls', 'bytes', 'age']);

/** From so many columns on each pod has its own course. */
const trendColumns = 100;
const trendCells = 8;

/** How many fair shares a pod had over the last hour, where a Prometheus told of it, and since the view opened; held against the most that any had. */
function trendColumn({ samples }: Trend, pods: readonly ReportPod[], signs: Signs): PodColumn {
  const most = maxOf(
    [
      ...samples.map(({ loads }) => maxOf([...loads.values()], 0)),
      ...pods.flatMap(({ past = [] }) => past.map(Number)),
    ],
    0,
  );
  const [from = 0, to = 0] = [samples[0]?.at, samples.at(-1)?.at];
  const drawn = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null || most === 0 ? ' ' : level(value / most, signs))).join('');
  // A young Service has no hour to show.
  const pasts = pods.flatMap(({ past = [] }) => (past.some((value) => value !== null) ? [past] : []));
  const skipped = minOf(pasts.map((past) => past.findIndex((value) => value !== null)));
  const hour = maxOf(
    pasts.map((past) => past.length - skipped),
    0,
  );
  const cell = ({ name, past = [] }: ReportPod) => {
    const live = overTime(
      samples.map(({ at, loads }) => ({ at, value: loads.get(name) ?? null })),
      [from, to],
      Math.min(trendCells, samples.length),
    );
    return `${hour === 0 ? '' : `${drawn(past.slice(skipped)).padStart(hour)} `}${drawn(live).padStart(trendCells)}`;
  };
  return { id: 'trend', head: 'TREND', align: 'left', content: 'figure', leaves: 16, cell };
}

const ofLoad = new Set(['name', 'bar', 'share', 'of-fair', 'trend']);

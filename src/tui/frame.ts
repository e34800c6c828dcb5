import type { SkewReport } from '../report/schema.ts';
import { orderPods } from '../watch/order.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { type Canvas, marksOf, smallest } from './canvas.ts';
import { detailLines } from './details-view.ts';
import { footerLines } from './footer.ts';
import { headlineView } from './headline.ts';
import type { Movable } from './keys.ts';
import { cutEnd, type Line, plainLines, sideBySide } from './line.ts';
import { nowView } from './now-view.ts';
import { overlayLines } from './overlays.ts';
import { stopAt, stopsOf, windowOf, withEdges } from './scroll.ts';
import { titleLine } from './title.ts';
import { todoLines } from './todo-view.ts';
import { whyLines } from './why-view.ts';

/** What a frame shows: exactly `canvas.rows` lines. */
export interface Frame extends Body {
  /** Lines of a page. */
  readonly page: number;
}

/** Lays a state out for a terminal. Pure: tests read frames without one. */
export function layOut(state: WatchState, canvas: Canvas): Frame {
  return frameAround(layOutBody(state, canvas), state, canvas);
}

/** What changes with the report and with keys, but not with every tick of the clock. */
export function layOutBody(state: WatchState, canvas: Canvas): Body {
  const room = canvas.rows - titleRows - footerRows;
  const chosen = chosenItem(state, canvas);
  const body = bodyOf(state, canvas, room, chosen);
  const lines = Array.from({ length: Math.max(0, room) }, (_, row) =>
    cutEnd(body.lines[row] ?? '', canvas.columns, canvas.screen.signs.ellipsis),
  );
  return { lines, length: body.length, chosen };
}

/** The title above, the footer below: clocks and ages go on there. */
export function frameAround(body: Body, state: WatchState, canvas: Canvas): Frame {
  if (isTooSmall(canvas)) return tooSmall(canvas);
  const lines = [titleLine(state, canvas), ...body.lines, ...footerLines(state, canvas, body)];
  return { lines, length: body.length, page: Math.max(1, body.lines.length - 4), chosen: body.chosen };
}

const titleRows = 1;
const footerRows = 3;

function isTooSmall(canvas: Canvas): boolean {
  return canvas.columns < smallest.columns || canvas.rows < smallest.rows;
}

/** What stands between the title and the footer. */
export interface Body extends Movable {
  readonly lines: readonly string[];
}

function bodyOf(state: WatchState, canvas: Canvas, room: number, chosen: Item | null): Omit<Body, 'chosen'> {
  if (isTooSmall(canvas)) return { lines: [], length: 0 };
  const { report } = state;
  if (state.overlay !== null) {
    const lines = overlayLines(state, report, chosen, canvas).map((line) => line.text);
    const first = Math.max(0, Math.min(state.scroll, lines.length - room));
    const window = { first, count: Math.min(room, lines.length) };
    return { lines: withEdges(lines, window, canvas), length: Math.max(1, lines.length - room + 1) };
  }
  if (report === null || state.screen === 'now') {
    return { lines: nowView(state, canvas, room).map((line) => line.text), length: report?.status.pods.length ?? 0 };
  }
  const head = verdictAbove(report, canvas);
  const list = listOf(report, state, canvas);
  const lines = scrolled(list, state.cursor[state.screen], canvas);
  const panel = { columns: canvas.columns - listColumns, chosen, room: list.room };
  return {
    lines: [...head, ...(hasDetails(canvas) ? besides(lines, panel, state, canvas) : lines)],
    length: list.stops.length,
  };
}

/** What the second and third screen list, and where keys stop in it. */
interface List {
  readonly lines: readonly Line[];
  readonly stops: readonly number[];
  /** Rows that there are for it. */
  readonly room: number;
}

function listOf(report: SkewReport, state: WatchState, canvas: Canvas): List {
  const isWide = hasDetails(canvas);
  const listLook = isWide ? { ...canvas, columns: listColumns - 2 } : canvas;
  // The reasons of the chosen cause stand in one place.
  const opened = isWide ? null : state.cursor.why;
  const lines = state.screen === 'why' ? whyLines(report, opened, listLook) : todoLines(report, state, listLook);
  const room = canvas.rows - titleRows - footerRows - verdictAbove(report, canvas).length;
  return { lines, stops: stopsOf(lines, room), room };
}

/** What stands at the left of a wide screen takes no more. */
const listColumns = 116;
/** Narrower than this the details of the chosen line come by a key only. */
const detailColumns = 70;

const hasDetails = (canvas: Canvas) => canvas.columns - listColumns >= detailColumns;

/** A wide screen has room for what enter shows, as far as it fits. */
function besides(list: readonly string[], { columns, chosen, room }: Panel, state: WatchState, canvas: Canvas) {
  if (state.report === null || chosen === null) return list;
  const language = state.language === 'unknown' ? null : state.language;
  const details = detailLines(chosen, state.report, { ...canvas, columns }, language).map(({ text }) => text);
  const more = `  ${canvas.screen.signs.ellipsis} the rest by enter`;
  const shown = details.length > room ? [...details.slice(0, room - 1), canvas.screen.paint('dim', more)] : details;
  return sideBySide(plainLines(list), shown, listColumns - 2, canvas).map(({ text }) => text);
}

interface Panel {
  readonly columns: number;
  readonly chosen: Item | null;
  readonly room: number;
}

/** From so many rows on the verdict stands above the other screens, too. */
const tallRows = 30;

function verdictAbove(report: SkewReport, canvas: Canvas): readonly string[] {
  return canvas.rows < tallRows ? [] : [...headlineView(report, canvas, 0).slice(0, 1), ''];
}

/** A list longer than the screen, around its chosen line, which is marked by a sign. */
function scrolled({ lines, stops, room }: List, cursor: number, canvas: Canvas): readonly string[] {
  const at = stopAt(stops, cursor);
  const mark = canvas.screen.paint('strong', marksOf(canvas).chosen);
  const texts = lines.map(({ text, item }, row) =>
    item === undefined ? text : row === at ? `${mark} ${text}` : `  ${text}`,
  );
  return withEdges(texts, windowOf(stops, cursor, lines.length, room), canvas);
}

/** The item of the chosen line; null on a row that can be stopped at only. */
function chosenItem(state: WatchState, canvas: Canvas): Item | null {
  const { report } = state;
  if (report === null) return null;
  if (state.screen === 'now') {
    const pod = orderPods(report.status.pods, state.order)[state.cursor.now];
    return pod === undefined ? null : { kind: 'pod', name: pod.name };
  }
  const { lines, stops } = listOf(report, state, canvas);
  return lines[stopAt(stops, state.cursor[state.screen])]?.item ?? null;
}

function tooSmall(canvas: Canvas): Frame {
  const text = `grpc-skew needs ${smallest.columns}×${smallest.rows}, this is ${canvas.columns}×${canvas.rows}`;
  const lines = [text, 'make the window larger, or use -o table'].map((line) =>
    line.slice(0, Math.max(0, canvas.columns)),
  );
  return { lines: lines.slice(0, Math.max(1, canvas.rows)), length: 0, page: 1, chosen: null };
}

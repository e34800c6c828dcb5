import type { SkewReport } from '../report/schema.ts';
import { orderPods } from '../watch/order.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { detailLines } from './details-view.ts';
import { stopAt, stopsOf, windowOf, withEdges } from './fold.ts';
import { footerLines } from './footer.ts';
import { cutEnd, type Line, plainLines, sideBySide } from './line.ts';
import { type Look, marksOf, smallest } from './look.ts';
import { nightView } from './night.ts';
import { nowView } from './now-view.ts';
import { overlayLines } from './overlays.ts';
import { titleLine } from './title.ts';
import { todoLines } from './todo-view.ts';
import { whyLines } from './why-view.ts';

/** What a frame shows: exactly `look.rows` lines. */
export interface Frame {
  readonly lines: readonly string[];
  /** Lines there are to move over: of the list of the screen, or of what covers it. */
  readonly length: number;
  /** Lines of a page. */
  readonly page: number;
  readonly chosen: Item | null;
}

/** Lays a state out for a terminal. Pure: tests read frames without one. */
export function layOut(state: WatchState, look: Look): Frame {
  return frameAround(layOutBody(state, look), state, look);
}

/** What changes with the report and with keys, but not with every tick of the clock. */
export function layOutBody(state: WatchState, look: Look): Body {
  const room = look.rows - titleRows - footerRows;
  const chosen = chosenItem(state, look);
  const body = bodyOf(state, look, room, chosen);
  const lines = Array.from({ length: Math.max(0, room) }, (_, row) =>
    cutEnd(body.lines[row] ?? '', look.columns, look.screen.signs.ellipsis),
  );
  return { lines, length: body.length, chosen };
}

/** The title above, the footer below: clocks and ages go on there. */
export function frameAround(body: Body, state: WatchState, look: Look): Frame {
  if (isTooSmall(look)) return tooSmall(look);
  const lines = [titleLine(state, look), ...body.lines, ...footerLines(state, look, body)];
  return { lines, length: body.length, page: Math.max(1, body.lines.length - 4), chosen: body.chosen };
}

const titleRows = 1;
const footerRows = 3;

function isTooSmall(look: Look): boolean {
  return look.columns < smallest.columns || look.rows < smallest.rows;
}

export interface Body {
  readonly lines: readonly string[];
  readonly length: number;
  readonly chosen: Item | null;
}

function bodyOf(state: WatchState, look: Look, room: number, chosen: Item | null): Omit<Body, 'chosen'> {
  if (isTooSmall(look)) return { lines: [], length: 0 };
  const { report } = state;
  if (state.overlay !== null) {
    const lines = overlayLines(state, report, chosen, look).map((line) => line.text);
    const first = Math.max(0, Math.min(state.scroll, lines.length - room));
    const window = { first, count: Math.min(room, lines.length) };
    return { lines: withEdges(lines, window, look), length: Math.max(1, lines.length - room + 1) };
  }
  if (report === null || state.screen === 'now') {
    return { lines: nowView(state, look, room).map((line) => line.text), length: report?.status.pods.length ?? 0 };
  }
  const head = verdictAbove(report, look);
  const list = listOf(report, state, look);
  const lines = scrolled(list, state.cursor[state.screen], look);
  const panel = { columns: look.columns - listColumns, chosen, room: list.room };
  return {
    lines: [...head, ...(hasDetails(look) ? besides(lines, panel, state, look) : lines)],
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

function listOf(report: SkewReport, state: WatchState, look: Look): List {
  const isWide = hasDetails(look);
  const listLook = isWide ? { ...look, columns: listColumns - 2 } : look;
  // The reasons of the chosen cause stand in one place.
  const opened = isWide ? null : state.cursor.why;
  const lines = state.screen === 'why' ? whyLines(report, opened, listLook) : todoLines(report, state, listLook);
  const room = look.rows - titleRows - footerRows - verdictAbove(report, look).length;
  return { lines, stops: stopsOf(lines, room), room };
}

/** What stands at the left of a wide screen takes no more. */
const listColumns = 116;
/** Narrower than this the details of the chosen line come by a key only. */
const detailColumns = 70;

const hasDetails = (look: Look) => look.columns - listColumns >= detailColumns;

/** A wide screen has room for what enter shows, as far as it fits. */
function besides(list: readonly string[], { columns, chosen, room }: Panel, state: WatchState, look: Look) {
  if (state.report === null || chosen === null) return list;
  const language = state.language === 'unknown' ? null : state.language;
  const details = detailLines(chosen, state.report, { ...look, columns }, language).map(({ text }) => text);
  const more = `  ${look.screen.signs.ellipsis} the rest by enter`;
  const shown = details.length > room ? [...details.slice(0, room - 1), look.screen.paint('dim', more)] : details;
  return sideBySide(plainLines(list), shown, listColumns - 2, look).map(({ text }) => text);
}

interface Panel {
  readonly columns: number;
  readonly chosen: Item | null;
  readonly room: number;
}

/** From so many rows on the verdict stands above the other screens, too. */
const tallRows = 30;

function verdictAbove(report: SkewReport, look: Look): readonly string[] {
  return look.rows < tallRows ? [] : [...nightView(report, look, 0).slice(0, 1), ''];
}

/** A list longer than the screen, around its chosen line, which is marked by a sign. */
function scrolled({ lines, stops, room }: List, cursor: number, look: Look): readonly string[] {
  const at = stopAt(stops, cursor);
  const mark = look.screen.paint('strong', marksOf(look).chosen);
  const texts = lines.map(({ text, item }, row) =>
    item === undefined ? text : row === at ? `${mark} ${text}` : `  ${text}`,
  );
  return withEdges(texts, windowOf(stops, cursor, lines.length, room), look);
}

/** The item of the chosen line; null on a row that can be stopped at only. */
function chosenItem(state: WatchState, look: Look): Item | null {
  const { report } = state;
  if (report === null) return null;
  if (state.screen === 'now') {
    const pod = orderPods(report.status.pods, state.order)[state.cursor.now];
    return pod === undefined ? null : { kind: 'pod', name: pod.name };
  }
  const { lines, stops } = listOf(report, state, look);
  return lines[stopAt(stops, state.cursor[state.screen])]?.item ?? null;
}

function tooSmall(look: Look): Frame {
  const text = `grpc-skew needs ${smallest.columns}×${smallest.rows}, this is ${look.columns}×${look.rows}`;
  const lines = [text, 'make the window larger, or use -o table'].map((line) =>
    line.slice(0, Math.max(0, look.columns)),
  );
  return { lines: lines.slice(0, Math.max(1, look.rows)), length: 0, page: 1, chosen: null };
}

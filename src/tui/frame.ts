import { stateLabel } from '../render/headline.ts';
import { duration } from '../render/numbers.ts';
import { wrap } from '../render/text.ts';
import type { SkewReport } from '../report/schema.ts';
import { podRows } from '../watch/rows.ts';
import { shownReport, staleSeconds } from '../watch/shown.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { type Canvas, canvasFor, faded, margin, marksOf, smallest } from './canvas.ts';
import { detailLines } from './details-view.ts';
import { eventLines } from './event-lines.ts';
import { ownWords } from './explain-view.ts';
import { footerLines } from './footer.ts';
import { usedGraph } from './graph.ts';
import { headlineView } from './headline.ts';
import type { Movable } from './keys.ts';
import { cutEnd, type Line, plainLines, sideBySide } from './line.ts';
import { nowView, waitingView } from './now-view.ts';
import { overlayLines } from './overlays.ts';
import { podList } from './pods.ts';
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
export function layOutBody(given: WatchState, whole: Canvas): Body {
  const canvas = staleSeconds(given) === null ? whole : faded(whole);
  const state = { ...given, report: shownReport(given) };
  const room = canvas.rows - titleRows - footerRows;
  const chosen = chosenItem(state, canvas);
  const body = bodyOf(state, canvas, room, chosen);
  const lines = Array.from({ length: Math.max(0, room) }, (_, row) =>
    cutEnd(body.lines[row] ?? '', canvas.columns, canvas.screen.signs.ellipsis),
  );
  return { ...body, lines, chosen };
}

/** All of the state that the body shows; of the clock only whether what is shown has become old. */
export function bodyFacts(state: WatchState): readonly unknown[] {
  const { report, screen, overlay, cursor, scroll, order, filter, unfolded, events, trend, unrest, waitingFor } = state;
  const { clients, language, problem, steps } = state;
  const lists = [report, screen, overlay, cursor, scroll, order, filter, unfolded, events, trend, unrest, waitingFor];
  return [...lists, clients, language, problem, staleSeconds(state) !== null, report === null ? steps : null];
}

/** The title above, the footer below: clocks and ages go on there. */
export function frameAround(body: Body, state: WatchState, canvas: Canvas): Frame {
  if (isTooSmall(canvas)) return tooSmall(state, canvas);
  const lines = [titleLine(state, canvas), ...body.lines, ...footerLines(state, canvas, body)];
  const rowAt = (row: number) => body.rowAt(row - titleRows);
  return { ...body, lines, page: Math.max(1, body.lines.length - 4), rowAt };
}

const titleRows = 1;
const footerRows = 3;

function isTooSmall(canvas: Canvas): boolean {
  return canvas.columns < smallest.columns || canvas.rows < smallest.rows;
}

/** What stands between the title and the footer. */
export interface Body extends Movable {
  readonly lines: readonly string[];
  /** Where the cursor is on the line that stands on such a row, counted as the rows of `lines` are; null: nothing can be chosen there. */
  rowAt(row: number): number | null;
}

const nowhere = () => null;

function bodyOf(state: WatchState, canvas: Canvas, room: number, chosen: Item | null): Omit<Body, 'chosen'> {
  if (isTooSmall(canvas)) return { lines: [], length: 0, rowAt: nowhere };
  const { report } = state;
  if (state.overlay !== null) {
    const lines = overlayLines(state, report, chosen, canvas).map((line) => line.text);
    const first = Math.max(0, Math.min(state.scroll, lines.length - room));
    const window = { first, count: Math.min(room, lines.length) };
    return {
      lines: withEdges(lines, window, canvas),
      length: Math.max(1, lines.length - room + 1),
      rowAt: nowhere,
    };
  }
  if (report === null) return { lines: waitingView(state, canvas).map((line) => line.text), length: 0, rowAt: nowhere };
  if (state.screen === 'now') {
    const rows = podRows(report.status.pods, state);
    const { lines: shown, hasLog } = nowView(report, state, canvas, room);
    return {
      lines: shown.map((line) => line.text),
      length: rows.length,
      hasLog,
      rowAt(row) {
        const item = shown[row]?.item;
        const at = rows.findIndex((one) =>
          one.kind === 'pod' ? item?.kind === 'pod' && item.name === one.pod.name : item?.kind === 'idle',
        );
        return at < 0 ? null : at;
      },
    };
  }
  const head = verdictAbove(report, state, canvas);
  const list = listOf(report, state, canvas);
  const shown = scrolled(list, state.cursor[state.screen], canvas);
  const under = hasDetails(canvas) ? underList(report, state, canvas, list.room - shown.length) : [];
  const lines = [...shown, ...under];
  const panel = { columns: canvas.columns - listColumns, chosen, room: list.room };
  const { first } = windowOf(list.stops, state.cursor[state.screen], list.lines.length, list.room);
  return {
    lines: [...head, ...(hasDetails(canvas) ? besides(lines, panel, state, canvas) : lines)],
    length: list.stops.length,
    hasLog: under.length > 0,
    rowAt(row) {
      const line = row - head.length + first;
      const at = list.stops.findLastIndex((stop) => stop <= line);
      // What follows a line that can be chosen belongs to it, up to the next blank one.
      const own = list.lines.slice(list.stops[at], line + 1);
      const isShown = row >= head.length && row < room && line < list.lines.length;
      return isShown && own[0]?.item !== undefined && own.every(({ text }) => text !== '') ? at : null;
    },
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
  const lines =
    state.screen === 'why' ? whyLines(report, opened, listLook, state.filter) : todoLines(report, state, listLook);
  const room = canvas.rows - titleRows - footerRows - verdictAbove(report, state, canvas).length;
  return { lines, stops: stopsOf(lines, room), room };
}

/** What a wide and tall screen has room for below a list: the pods, how many were used over time, and what changed. */
function underList(report: SkewReport, state: WatchState, canvas: Canvas, room: number): readonly string[] {
  if (room < roomUnderList) return [];
  const part = canvasFor({ ...canvas, columns: listColumns - 2 });
  const all = { ...state, unfolded: true };
  const shown = podRows(report.status.pods, all).length < room / 2 ? all : state;
  const rows = podRows(report.status.pods, shown).length + 1;
  const pods = podList(report, shown, part, { width: part.columns, room: Math.min(rows, Math.floor(room / 2)) });
  const events = eventLines(report, state, part, Math.floor(room / 4));
  const height = Math.min(tallestGraph, room - pods.length - events.length - 3);
  const graph = usedGraph(report, state.trend, part, [part.columns - 4, height]);
  const sections = [pods.map(({ text }) => text), graph.map((line) => margin + line), events];
  return sections.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines]));
}

const tallestGraph = 16;
/** Fewer rows than this say nothing of three things. */
const roomUnderList = 16;

/** What stands at the left of a wide screen takes no more. */
const listColumns = 116;
/** Narrower than this the details of the chosen line come by a key only. */
const detailColumns = 70;

const hasDetails = (canvas: Canvas) => canvas.columns - listColumns >= detailColumns;

/** A wide screen has room for what enter shows, as far as it fits. */
function besides(list: readonly string[], { columns, chosen, room }: Panel, state: WatchState, canvas: Canvas) {
  if (state.report === null || chosen === null || chosen.kind === 'idle') return list;
  const language = state.language === 'unknown' ? null : state.language;
  const details = detailLines(chosen, state.report, { ...canvas, columns }, language).map(({ text }) => text);
  const more = `  ${canvas.screen.signs.ellipsis} the rest by enter`;
  // What the words of it mean stands below, where all of that fits, too.
  const words = ownWords(chosen, state.report, { ...canvas, columns }).map(({ text }) => text);
  const whole = details.length + words.length <= room ? [...details, ...words] : details;
  const shown = details.length > room ? [...details.slice(0, room - 1), canvas.screen.paint('dim', more)] : whole;
  return sideBySide(plainLines(list), shown, listColumns - 2, canvas).map(({ text }) => text);
}

interface Panel {
  readonly columns: number;
  readonly chosen: Item | null;
  readonly room: number;
}

/** From so many rows on the verdict stands above the other screens, too. */
const tallRows = 30;

function verdictAbove(report: SkewReport, state: WatchState, canvas: Canvas): readonly string[] {
  const lines = staleSeconds(state) === null ? 1 : 2;
  return canvas.rows < tallRows ? [] : [...headlineView(report, state, canvas, 0).slice(0, lines), ''];
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
    const row = podRows(report.status.pods, state)[state.cursor.now];
    if (row === undefined) return null;
    return row.kind === 'pod' ? { kind: 'pod', name: row.pod.name } : { kind: 'idle' };
  }
  const { lines, stops } = listOf(report, state, canvas);
  return lines[stopAt(stops, state.cursor[state.screen])]?.item ?? null;
}

/** State, why and now, as far as they fit; then what size the rest needs. */
function tooSmall(state: WatchState, canvas: Canvas): Frame {
  const { columns, rows, screen } = canvas;
  const [width, height] = [Math.max(1, columns), Math.max(1, rows)];
  const needs = `needs ${smallest.columns}×${smallest.rows}, this is ${columns}×${rows}`;
  const words = canvas.unicode ? needs : needs.replaceAll('×', 'x');
  const last = screen.paint('dim', words);
  const report = shownReport(state);
  const entries = report === null ? [['LOOKING', `svc/${state.subject.service}`] as const] : brief(report, state);
  const blocks = entries.map(([label, text]) =>
    wrap(`${label} ${text}`, width).map((line, row) =>
      row === 0 ? screen.paint('strong', line.slice(0, label.length)) + line.slice(label.length) : line,
    ),
  );
  // Whole lines of each for as long as there is room: of the last ones the first line at least.
  let spare = height - 1 - blocks.length;
  const lines = blocks.flatMap((block) => {
    const more = Math.max(0, Math.min(spare, block.length - 1));
    spare -= more;
    const shown = block.slice(0, 1 + more);
    return more === block.length - 1 ? shown : [...shown.slice(0, -1), `${shown.at(-1)} ${screen.signs.ellipsis}`];
  });
  const shown = [...lines.slice(0, height === 1 ? 1 : height - 1), ...(height === 1 ? [] : [last])];
  return {
    lines: shown.map((line) => cutEnd(line, width, screen.signs.ellipsis)),
    length: 0,
    page: 1,
    chosen: null,
    rowAt: nowhere,
  };
}

function brief(report: SkewReport, state: WatchState): (readonly [label: string, text: string])[] {
  const { verdict, headline } = report.status;
  const old = staleSeconds(state);
  return [
    ...(old === null ? [] : [['STALE', duration(old)] as const]),
    [stateLabel(report), verdict.summary],
    ['why', headline.why],
    ['now', headline.now],
  ];
}

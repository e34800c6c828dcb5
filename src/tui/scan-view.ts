import { type GridColumn, grid } from '../render/grid.ts';
import { impactWords } from '../render/headline.ts';
import { type Line as LabelledLine, labelled } from '../render/lines.ts';
import { age } from '../render/numbers.ts';
import { itemLabel, itemTone, liveScanColumns } from '../render/scan.ts';
import { cutMiddle, widthOf } from '../render/text.ts';
import type { ScanItem } from '../report/scan.ts';
import { clock, duration, plural } from '../report/words.ts';
import { nameOf, type ScanState, scanItems, scanRows } from '../watch/scan-state.ts';
import { windowAround } from '../watch/window.ts';
import { type Canvas, margin, marksOf, screenOf } from './canvas.ts';
import { explainService } from './explain-view.ts';
import { keysLine } from './keys-line.ts';
import { cutEnd, spread } from './line.ts';
import { helpLines } from './overlays.ts';
import { type ScanMovable, scanBindings } from './scan-keys.ts';
import { withEdges } from './scroll.ts';
import { typingLine } from './typing-line.ts';

/** What a frame of the live list shows: exactly `canvas.rows` lines. */
export interface ScanFrame extends ScanMovable {
  readonly title: string;
  readonly body: readonly string[];
  readonly footer: readonly string[];
  /** The line of the list that a row of the screen shows. */
  rowAt(screenRow: number): number | null;
}

const titleRows = 1;

/** Lays the live list out for a terminal. Pure: tests read frames without one. */
export function layOutScan(state: ScanState, canvas: Canvas): ScanFrame {
  const cut = (line: string) => cutEnd(line, canvas.columns, canvas.screen.signs.ellipsis);
  const rows = scanRows(state);
  const footerRows = Math.max(0, Math.min(3, canvas.rows - titleRows));
  const room = Math.max(0, canvas.rows - titleRows - footerRows);
  const body =
    state.overlay !== null ? coveredBody(state, state.overlay, canvas, room) : listBody(state, rows, canvas, room);
  const movable = {
    length: body.length,
    page: Math.max(1, room - 4),
    chosen: state.overlay !== null ? null : (rows[state.cursor] ?? null),
  };
  const footer = [activityLine(state, canvas), seenLine(state, canvas), keyNames(state, canvas, movable)];
  return {
    ...movable,
    title: cut(titleLine(state, canvas)),
    body: Array.from({ length: room }, (_, row) => cut(body.lines[row] ?? '')),
    footer: footer.slice(footer.length - footerRows).map(cut),
    rowAt(screenRow) {
      const at = screenRow - titleRows - body.listTop;
      return at >= 0 && at < body.shown ? body.first + at : null;
    },
  };
}

interface Body {
  readonly lines: readonly string[];
  /** Lines there are to move over. */
  readonly length: number;
  /** Where in these lines the list begins, which of its lines is the first that is shown, and how many are. */
  readonly listTop: number;
  readonly first: number;
  readonly shown: number;
}

const noList = { listTop: 0, first: 0, shown: 0 };

function coveredBody(state: ScanState, overlay: NonNullable<ScanState['overlay']>, canvas: Canvas, room: number): Body {
  const pace =
    'Services, pods, endpoints and usage are listed every 10 s, or less often where that takes long. No command is run in any pod before you open a Service. Nothing is ever changed.';
  const words = overlay.kind === 'help' ? helpLines(scanBindings, pace, canvas) : explainService(overlay.item, canvas);
  const lines = words.map(({ text }) => text);
  const first = Math.max(0, Math.min(state.scroll, lines.length - room));
  return {
    ...noList,
    lines: withEdges(lines, { first, count: Math.min(room, lines.length) }, canvas),
    length: Math.max(1, lines.length - room + 1),
  };
}

function listBody(state: ScanState, rows: readonly ScanItem[], canvas: Canvas, room: number): Body {
  const { paint, signs } = canvas.screen;
  const { scan, cursor } = state;
  if (scan === null) return { ...noList, lines: waitingLines(state, canvas), length: 0 };
  const head = [summaryLine(state, canvas), ruler(canvas)];
  if (rows.length === 0) return { ...noList, lines: [...head, ...emptyLines(state, canvas)], length: 0 };
  const chosen = rows[cursor];
  const below =
    chosen === undefined || room < 9 ? [] : chosenLines(chosen, state, canvas, Math.max(3, Math.floor(room / 3)));
  const space = Math.max(1, room - head.length - 1 - below.length);
  const window = windowAround(cursor, rows.length, rows.length > space ? space - 1 : space);
  const shown = rows.slice(window.first, window.first + window.count);
  const columns = columnsFor(state, canvas);
  const [heading = '', ...lines] = grid(screenOf(canvas, canvas.columns - margin.length), columns, shown, {
    overflow: 'drop',
    tone: itemTone,
  });
  const marked = lines.map((line, at) =>
    at + window.first === cursor ? `${paint('strong', marksOf(canvas).chosen)} ${line}` : margin + line,
  );
  const more = `${margin}${signs.ellipsis} ${window.first + 1}${signs.range}${window.first + window.count} of ${rows.length}`;
  const list = [margin + heading, ...marked, ...(window.count < rows.length ? [paint('dim', more)] : [])];
  const blank = Array.from({ length: Math.max(0, room - head.length - list.length - below.length) }, () => '');
  return {
    lines: [...head, ...list, ...blank, ...below],
    length: rows.length,
    listTop: head.length + 1,
    first: window.first,
    shown: window.count,
  };
}

/** Names are what is looked for: others leave before one is cut to less than this. */
const leastName = (canvas: Canvas) => Math.floor(canvas.columns * 0.45);

function columnsFor({ everywhere, diagnosed }: ScanState, canvas: Canvas): GridColumn<ScanItem>[] {
  const columns = liveScanColumns(everywhere, diagnosed.size > 0).filter(
    ({ content }) => !(canvas.plain && content === 'bar'),
  );
  return columns.map((column) => (column.content === 'name' ? { ...column, least: leastName(canvas) } : column));
}

function ruler(canvas: Canvas): string {
  return canvas.screen.paint('dim', (canvas.unicode ? '─' : '-').repeat(canvas.columns));
}

/** Before there is a scan: what is asked, or why there is none. */
function waitingLines(state: ScanState, canvas: Canvas): string[] {
  const { paint } = canvas.screen;
  const { problem } = state;
  const screen = screenOf(canvas, Math.min(canvas.columns - margin.length, widest));
  const lines =
    problem === null
      ? labelled(screen, { label: 'LOOKING', labelTone: 'strong', text: state.asking ?? '' })
      : [
          ...labelled(screen, { label: 'NO LIST', labelTone: 'warn', text: problem.message, tone: 'strong' }),
          ...(problem.hint === null ? [] : labelled(screen, { label: 'next', text: problem.hint })),
          '',
          paint(
            'dim',
            `a asks ${state.everywhere ? `for namespace ${state.namespace} alone` : 'for all namespaces'}, r asks again now`,
          ),
        ];
  return ['', ...lines.map((line) => margin + line)];
}

/** Prose is no wider: longer lines are hard to read. Narrower than the other it is cut, not wrapped. */
const [narrowest, widest] = [40, 110];

function summaryLine(state: ScanState, canvas: Canvas): string {
  const { scan, filter, problem } = state;
  if (scan === null) return '';
  const { paint, signs } = canvas.screen;
  const { services, looksLikeGrpc, skipped } = scan.status;
  const items = scanItems(state);
  const left = [
    `${plural(services, 'service')}, ${looksLikeGrpc} ${looksLikeGrpc === 1 ? 'looks' : 'look'} like gRPC`,
    ...(skipped.length === 0 ? [] : [`${skipped.length} left out`]),
    ...(filter === '' ? [] : [`/${filter}`]),
  ].join(` ${signs.dot} `);
  const count = (level: ScanItem['impact']['level']) => items.filter(({ impact }) => impact.level === level).length;
  const [harm, risk, unknown] = [count('harm'), count('risk'), count('unknown')];
  const right = [
    ...(harm > 0 ? [paint('hot', `${harm} with HARM`)] : []),
    ...(risk > 0 ? [paint('warn', `${risk} at risk`)] : []),
    ...(harm + risk === 0 && unknown > 0 ? [paint('dim', `${unknown} not known`)] : []),
    ...(harm + risk + unknown === 0 && items.length > 0 ? [paint('good', 'no harm seen')] : []),
  ].join(`  `);
  return spread(margin + paint(problem === null ? 'strong' : 'dim', left), right, canvas.columns, signs.ellipsis);
}

function emptyLines(state: ScanState, canvas: Canvas): string[] {
  const items = state.scan?.status.items.length ?? 0;
  const skipped = state.scan?.status.skipped ?? [];
  const screen = screenOf(canvas, Math.min(canvas.columns - margin.length, widest));
  const text =
    items > 0
      ? `of ${plural(items, 'Service')} none has ${state.filter} in its name; esc clears the filter`
      : `no Service looks like gRPC ${state.everywhere ? 'in any namespace' : `in namespace ${state.namespace}; a shows all namespaces`}`;
  const lines = [
    ...labelled(screen, { label: 'nothing', text }),
    ...skipped.flatMap(({ namespace, name, reason }) =>
      labelled(screen, { label: 'left out', text: `${namespace}/${name}: ${reason}` }),
    ),
  ];
  return ['', ...lines.map((line) => margin + line)];
}

/** What is known of the chosen Service, on at most so many lines. */
function chosenLines(item: ScanItem, { diagnosed }: ScanState, canvas: Canvas, most: number): string[] {
  const { paint, signs } = canvas.screen;
  const width = Math.min(canvas.columns - margin.length, widest);
  const opened = diagnosed.get(nameOf(item));
  const since = opened === undefined ? '' : `, diagnosed ${clock(opened.at)}Z`;
  const name = `${item.namespace}/${item.name}:${item.port.port}`;
  const entries: LabelledLine[] = [
    // Where the list may have cut it, the whole name.
    ...(widthOf(name) > leastName(canvas) ? [{ label: 'service', text: name }] : []),
    {
      ...{ label: itemLabel(item), labelTone: itemTone(item, { head: 'STATE' }) ?? 'strong' },
      ...{ text: item.summary, tone: 'strong' },
      ...(item.state === 'unknown' ? {} : { right: { text: `${item.confidence}${since}`, tone: 'dim' } }),
    },
    { label: 'impact', text: item.impact.text, right: impactWords[item.impact.level] },
    ...(item.cause === null ? [] : [{ label: 'why', text: item.cause.replaceAll('-', ' ') }]),
  ];
  const whole = width < narrowest ? [] : entries.flatMap((entry) => labelled(screenOf(canvas, width), entry));
  const cut = () =>
    entries.map(({ label, labelTone = 'label', text, right }) =>
      spread(
        `${paint(labelTone, label)}${' '.repeat(Math.max(1, 12 - label.length))}${text}`,
        right === undefined ? '' : paint(right.tone, right.text),
        width,
        signs.ellipsis,
      ),
    );
  const lines = whole.length > 0 && whole.length < most ? whole : cut().slice(0, most - 1);
  return [ruler(canvas), ...lines.map((line) => margin + line)];
}

/** `  prod-eu / shop / Services                     live  15:42:55Z`. */
function titleLine(state: ScanState, canvas: Canvas): string {
  const { paint, signs } = canvas.screen;
  const word = statusWord(state);
  const status = `${word}  ${clock(state.now)}Z`;
  const place = state.everywhere ? 'all namespaces' : state.namespace;
  const room = canvas.columns - margin.length - widthOf(status) - 2;
  const context = cutMiddle(state.context, Math.max(5, Math.floor(room / 2) - 3), signs.ellipsis);
  const left = `${margin}${context} / ${paint('strong', cutMiddle(place, Math.max(5, room - widthOf(context) - 3), signs.ellipsis))}`;
  return spread(
    left,
    paint(word === 'live' || word === 'looking' ? 'dim' : 'warn', status),
    canvas.columns,
    signs.ellipsis,
  );
}

function statusWord({ paused, problem, seenAt, scan, now }: ScanState): string {
  if (paused) return 'PAUSED';
  if (problem !== null) return seenAt === null ? 'no answer' : `STALE ${duration((now - seenAt) / 1000)}`;
  return scan === null ? 'looking' : 'live';
}

function activityLine(state: ScanState, canvas: Canvas): string {
  const { paint } = canvas.screen;
  if (state.typing) return margin + typingLine(state.filter, canvas);
  if (state.notice !== null) return margin + paint('strong', state.notice);
  if (state.problem !== null && state.scan !== null)
    return margin + paint('warn', `no new answer: ${state.problem.message}`);
  if (state.asking !== null && state.scan !== null)
    return margin + paint('dim', `${marksOf(canvas).running} ${state.asking}`);
  return '';
}

function seenLine(state: ScanState, canvas: Canvas): string {
  const { paint, signs } = canvas.screen;
  const missing = (state.scan?.status.signals ?? []).filter(
    ({ state: seen }) => seen !== 'complete' && seen !== 'skipped',
  );
  const names = missing.map(({ id, needs }) => (needs === null ? id : `${id} (needs ${needs})`));
  const left =
    names.length > 0
      ? paint('warn', `${margin}not seen: ${names.join(', ')}`)
      : state.scan === null
        ? ''
        : paint('dim', `${margin}by endpoints and CPU${canvas.columns < 76 ? '' : '; enter looks at connections'}`);
  const right = [
    ...(state.seenAt === null ? [] : [`${age((state.now - state.seenAt) / 1000)} old`]),
    ...(state.nextAt === null || state.paused ? [] : [`next in ${age((state.nextAt - state.now) / 1000)}`]),
  ].join(` ${signs.dot} `);
  return spread(left, paint('dim', right), canvas.columns, signs.ellipsis);
}

function keyNames(state: ScanState, canvas: Canvas, shown: ScanMovable): string {
  const keys = scanBindings.flatMap(({ footer }) => {
    if (footer === undefined || footer.works?.(state, shown) === false) return [];
    return (state.overlay !== null ? footer.covered !== undefined : footer.covered !== 'only') ? [footer] : [];
  });
  return keysLine(keys, canvas);
}

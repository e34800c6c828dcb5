import { firstLines } from '../render/advice.ts';
import { causeEntry } from '../render/causes.ts';
import { command, labelled, labelledList } from '../render/lines.ts';
import { factLines } from '../render/section.ts';
import type { SkewReport } from '../report/schema.ts';
import { podRows } from '../watch/rows.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, screenOf } from './canvas.ts';
import { detailLines } from './details-view.ts';
import { eventLines } from './event-lines.ts';
import { usedGraph } from './graph.ts';
import { headlineView, widestHeadline } from './headline.ts';
import { type Line, plainLines, sideBySide, spaced, unchosen } from './line.ts';
import { podList } from './pods.ts';
import { stripLine } from './shape.ts';
import { strategyLines } from './todo-view.ts';
import { clientLines, heading, indented, notSeenLines, pathLines, probeLines, warningLines } from './why-view.ts';

/** A screen of at least this has room for all three screens beside each other. */
export const dashboardSize = { columns: 170, rows: 48 } as const;

/** Parts of the width for the pods and for why; what to do has the rest. */
const parts = { pods: 0.4, why: 0.33 } as const;
/** Lines of the headline at least, so that the graph beside it can be read. */
const headlineRoom = 9;
const tallestGraph = 12;
const bottomAtMost = 12;

/** All at once: the verdict and the graph, the strip; the pods, why and what to do; what changed and what was not seen. */
export function dashboard(report: SkewReport, state: WatchState, canvas: Canvas, room: number): Line[] {
  const rule = { text: canvas.screen.paint('dim', (canvas.unicode ? '─' : '-').repeat(canvas.columns)) };
  const strip = report.status.pods.length === 0 || canvas.plain ? [] : plainLines([stripLine(report, canvas)]);
  const bottom = bottomOf(report, state, canvas);
  const left = room - strip.length - bottom.length - 2;
  const least = headOf(report, state, canvas, headlineRoom).length;
  const columns = columnsOf(report, state, canvas, left - least);
  const head = headOf(report, state, canvas, Math.min(tallestGraph, left - columns.length));
  const spare = Math.max(0, left - columns.length - head.length);
  const blank: Line[] = Array.from({ length: spare }, () => ({ text: '' }));
  return [...head, ...strip, rule, ...columns, ...blank, rule, ...bottom];
}

/** The headline, and how many pods were used beside it, in so many lines. */
function headOf(report: SkewReport, state: WatchState, canvas: Canvas, height: number): Line[] {
  const left = widestHeadline + 6;
  const graph = usedGraph(report, state.trend, canvas, [canvas.columns - left - 4, height]);
  return sideBySide(plainLines(headlineView(report, state, canvas, headlineRoom)), graph, left, canvas);
}

function bottomOf(report: SkewReport, state: WatchState, canvas: Canvas): Line[] {
  const half = Math.floor(canvas.columns / 2) - 1;
  const part = { ...canvas, columns: half, screen: screenOf(canvas, half) };
  const probes = report.status.pods.length === 0 ? [] : probeLines(report, part);
  const right = spaced([strategyLines(report, part).map(unchosen), probes]);
  const unseen = notSeenLines(report, part);
  const left = spaced([plainLines(eventLines(report, state, part, bottomAtMost - unseen.length - 1)), unseen]);
  return sideBySide(
    left,
    right.map(({ text }) => text),
    half,
    canvas,
  ).slice(0, bottomAtMost);
}

/** The pods, why and what to do beside each other, in as many of `room` lines as the longest of them needs. */
function columnsOf(report: SkewReport, state: WatchState, canvas: Canvas, room: number): Line[] {
  const [pods, why] = [Math.floor(canvas.columns * parts.pods), Math.floor(canvas.columns * parts.why)];
  const part = (columns: number): Canvas => ({ ...canvas, columns, screen: screenOf(canvas, columns) });
  const middle = within(room, whyColumn(report, part(why)), canvas);
  const right = within(room, todoColumn(report, state, part(canvas.columns - pods - why - 4)), canvas);
  const beside = sideBySide(
    middle,
    right.map(({ text }) => text),
    why,
    canvas,
  ).map(({ text }) => text);
  return sideBySide(within(room, podColumn(report, state, part(pods), room), canvas), beside, pods, canvas);
}

/** At most so many lines; where there are more the last one says how many. */
function within(room: number, lines: readonly Line[], { screen }: Canvas): readonly Line[] {
  if (lines.length <= room) return lines;
  const more = `  ${screen.signs.ellipsis} ${lines.length - room + 1} more lines`;
  return [...lines.slice(0, room - 1), { text: screen.paint('dim', more) }];
}

/** The pods, and where they leave room what is known of the chosen one. */
function podColumn(report: SkewReport, state: WatchState, canvas: Canvas, room: number): Line[] {
  const rows = podRows(report.status.pods, state);
  const list = podList(report, state, canvas, {
    width: canvas.columns,
    room: Math.min(room, rows.length + 1),
    aboveDetails: true,
  });
  const chosen = rows[state.cursor.now];
  if (chosen?.kind !== 'pod') return list;
  const details = detailLines({ kind: 'pod', name: chosen.pod.name }, report, canvas);
  return list.length + details.length + 1 > room ? list : [...list, { text: '' }, ...details];
}

function whyColumn(report: SkewReport, canvas: Canvas): Line[] {
  const screen = screenOf(canvas, canvas.columns - 2);
  const causes = report.status.causes.flatMap((cause) => {
    const { title, text, facts } = causeEntry(cause);
    // The headline has the first one in words already.
    const why = text === report.status.headline.why ? [] : [text];
    return [
      ...labelled(screen, { label: cause.confidence, text: title, tone: 'strong' }),
      ...factLines(screen, [['', why], ...facts], ' '),
    ];
  });
  const sections = [
    [heading('WHY', canvas), ...(causes.length === 0 ? indented([report.status.headline.why]) : indented(causes))],
    warningLines(report, canvas),
    clientLines(report, canvas).map(unchosen),
    pathLines(report, canvas),
  ];
  return spaced(sections);
}

/** What helps now, then all of the strategy, with its change as far as it fits. */
function todoColumn(report: SkewReport, state: WatchState, canvas: Canvas): Line[] {
  const { recommendation, relief, avoid } = report.status;
  const { strategy, strategies } = recommendation;
  const screen = screenOf(canvas, canvas.columns - 2);
  const reliefs = relief.flatMap(({ action, prediction, command: text, risk }) => [
    ...labelled(screen, { label: 'relief', text: `${action}: ${prediction}` }),
    ...(text === null ? [] : command(screen, text)),
    ...labelled(screen, { label: '', text: `risk: ${risk}` }),
  ]);
  const language = state.language === 'unknown' ? null : state.language;
  return spaced([
    [
      heading('WHAT TO DO', canvas),
      ...indented([
        ...firstLines(screen, recommendation),
        ...reliefs,
        ...labelledList(screen, 'avoid', avoid),
        ...labelledList(screen, 'because', recommendation.because),
      ]),
    ],
    strategies.some(({ id }) => id === strategy)
      ? detailLines({ kind: 'strategy', id: strategy }, report, canvas, language)
      : [],
  ]);
}

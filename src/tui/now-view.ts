import type { SkewReport } from '../report/schema.ts';
import { podRows } from '../watch/rows.ts';
import type { WatchState } from '../watch/state.ts';
import type { Canvas } from './canvas.ts';
import { dashboard, dashboardSize } from './dashboard.ts';
import { eventLines } from './event-lines.ts';
import { headlineView } from './headline.ts';
import { type Line, plainLines, unchosen } from './line.ts';
import { podList } from './pods.ts';
import { shapeLines } from './shape.ts';
import { stepList } from './steps.ts';
import { strategyLines } from './todo-view.ts';
import { causeLines, clientLines, notSeenLines, probeLines, warningLines } from './why-view.ts';

interface NowView {
  readonly lines: readonly Line[];
  /** What changed is among them. */
  readonly hasLog: boolean;
}

/** The first screen: the headline, the shape of the load and the pods; what room is left tells what changed, then why. */
export function nowView(report: SkewReport, state: WatchState, canvas: Canvas, room: number): NowView {
  if (canvas.columns >= dashboardSize.columns && canvas.rows >= dashboardSize.rows)
    return { lines: dashboard(report, state, canvas, room), hasLog: true };
  const head = plainLines(headOf(report, state, canvas, room));
  const left = room - head.length;
  const list = podList(report, state, canvas, { width: canvas.columns, room: left });
  const rest = below(report, state, canvas, left - list.length);
  return { lines: [...head, ...list, ...rest.lines], hasLog: rest.hasLog };
}

/** Lines that the headline and the shape may always take, however many pods there are: those scroll. */
const always = 11;
/** Lines that the pods have at least: the heads of the columns, two pods, what is left out, the idle ones. */
const fewestPodLines = 5;
/** From so many lines on a ruler parts what is read first from the rest. */
const ruledRoom = 26;

function headOf(report: SkewReport, state: WatchState, canvas: Canvas, room: number): string[] {
  const wanted = podRows(report.status.pods, state).length + 1;
  const most = Math.min(room - Math.min(wanted, fewestPodLines), Math.max(room - wanted, always));
  const shape = shapeLines(report, state.trend, canvas).slice(0, most < always - 2 ? 1 : 2);
  const ruler =
    room < ruledRoom ? [] : [canvas.screen.paint('dim', (canvas.unicode ? '─' : '-').repeat(canvas.columns))];
  const headline = headlineView(report, state, canvas, most - shape.length - ruler.length);
  return [...headline, ...shape, ...ruler];
}

const mostEvents = 8;

/** What a tall screen has room for below the pods; sections that do not fit whole are left out, but for what changed. */
function below(report: SkewReport, state: WatchState, canvas: Canvas, room: number): NowView {
  const events = room < 4 ? [] : plainLines(eventLines(report, state, canvas, Math.min(mostEvents, room - 2)));
  const sections = [
    events,
    notSeenLines(report, canvas),
    report.status.causes.length === 0 ? [] : causeLines(report, null, canvas),
    report.status.warnings.length < 2 ? [] : warningLines(report, canvas),
    clientLines(report, canvas),
    report.status.pods.length === 0 ? [] : probeLines(report, canvas),
    strategyLines(report, canvas),
  ];
  const lines: Line[] = [];
  for (const section of sections)
    if (section.length > 0 && lines.length + section.length < room)
      for (const line of [{ text: '' }, ...section]) lines.push(unchosen(line));
  return { lines, hasLog: events.length > 0 };
}

/** What is shown before there is a report. */
export function waitingView(state: WatchState, canvas: Canvas): Line[] {
  return plainLines(['', `  ${canvas.screen.paint('strong', 'LOOKING')}`, '', ...stepList(state, canvas)]);
}

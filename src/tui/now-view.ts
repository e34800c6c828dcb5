import { notKnown, share } from '../render/numbers.ts';
import type { SkewReport } from '../report/schema.ts';
import { clock, plural } from '../report/words.ts';
import { podRows } from '../watch/rows.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, margin } from './canvas.ts';
import { headlineView } from './headline.ts';
import { type Line, plainLines, sideBySide } from './line.ts';
import { podList } from './pods.ts';
import { shapeLines } from './shape.ts';
import { stepList } from './steps.ts';
import { strategyLines } from './todo-view.ts';
import { causeLines, clientLines, notSeenLines, probeLines, warningLines } from './why-view.ts';

/** From so many columns on there is a second column for what changed and who the clients are. */
const panelColumns = 150;
const panelWidth = 46;

/** The first screen: the headline, the shape of the load and the pods; what room is left tells what changed, then why. */
export function nowView(report: SkewReport, state: WatchState, canvas: Canvas, room: number): Line[] {
  const head = plainLines(headOf(report, state, canvas, room));
  const left = room - head.length;
  if (canvas.columns >= panelColumns) {
    const width = canvas.columns - panelWidth - 2;
    const list = [...podList(report, state, canvas, width, left)];
    const more = below(report, state, canvas, left - list.length, false);
    return [...head, ...sideBySide([...list, ...more], panel(report, state, canvas, left), width, canvas)];
  }
  const list = podList(report, state, canvas, canvas.columns, left);
  return [...head, ...list, ...below(report, state, canvas, left - list.length, true)];
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

/** What a tall screen has room for below the pods; sections that do not fit whole are left out. */
function below(report: SkewReport, state: WatchState, canvas: Canvas, room: number, withEvents: boolean): Line[] {
  const blank: Line = { text: '' };
  const sections = [
    notSeenLines(report, canvas),
    ...(withEvents ? [plainLines(eventLines(state, canvas, Math.max(3, Math.min(8, room - 1))))] : []),
    report.status.causes.length === 0 ? [] : causeLines(report, null, canvas),
    report.status.warnings.length < 2 ? [] : warningLines(report, canvas),
    clientLines(report, canvas),
    report.status.pods.length === 0 ? [] : probeLines(report, canvas),
    strategyLines(report, canvas),
  ];
  const lines: Line[] = [];
  for (const section of sections)
    if (section.length > 0 && lines.length + section.length < room) {
      lines.push(blank);
      for (const line of section) lines.push(unchosen(line));
    }
  return lines;
}

/** Lines that can be chosen on their own screen, as plain ones. */
function unchosen({ text, item }: Line): Line {
  return { text: item === undefined ? text : margin + text };
}

/** What is shown before there is a report. */
export function waitingView(state: WatchState, canvas: Canvas): Line[] {
  return plainLines(['', `  ${canvas.screen.paint('strong', 'LOOKING')}`, '', ...stepList(state, canvas)]);
}

/** The log of the watch, newest first. */
function eventLines(state: WatchState, canvas: Canvas, room: number): string[] {
  const { paint } = canvas.screen;
  const lines = state.events
    .slice(-Math.max(0, room - 1))
    .reverse()
    .map((event) => `  ${paint('dim', clock(event.time))}  ${event.text}`);
  const none = state.waitingFor === null ? 'nothing has changed since the first look' : 'still looking';
  return [`  ${paint('dim', 'WHAT CHANGED')}`, ...(lines.length === 0 ? [`  ${paint('dim', none)}`] : lines)];
}

function panel(report: SkewReport, state: WatchState, canvas: Canvas, room: number): string[] {
  const { paint } = canvas.screen;
  const clients = report.status.clients.slice(0, Math.max(3, Math.floor(room / 3)));
  const rows = clients.flatMap((client) => [
    `  ${client.workload}`,
    `    ${plural(client.connections, 'connection')} to ${plural(client.podsReached, 'pod')}, ${share(client.loadShare)} of the load`.replace(
      `, ${notKnown} of the load`,
      '',
    ),
  ]);
  const top = [`  ${paint('dim', 'CLIENTS')}`, ...(rows.length === 0 ? [paint('dim', '  none seen')] : rows), ''];
  return [...top, ...eventLines(state, canvas, room - top.length)];
}

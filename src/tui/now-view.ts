import { notKnown, share } from '../render/numbers.ts';
import type { SkewReport } from '../report/schema.ts';
import { clock, plural } from '../report/words.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, margin } from './canvas.ts';
import { headlineView } from './headline.ts';
import { type Line, plainLines, sideBySide } from './line.ts';
import { podList } from './pods.ts';
import { stepList } from './steps.ts';
import { strategyLines } from './todo-view.ts';
import { causeLines, clientLines, notSeenLines, probeLines, warningLines } from './why-view.ts';

/** From so many columns on there is a second column for what changed and who the clients are. */
const panelColumns = 150;
const panelWidth = 46;

/** The first screen: the headline and the pods; what room is left tells what changed, then why. */
export function nowView(state: WatchState, canvas: Canvas, room: number): Line[] {
  const { report } = state;
  if (report === null) return waitingView(state, canvas);
  const pods = report.status.pods.length;
  const head: Line[] = [...plainLines(headlineView(report, canvas, room - pods - 2)), ruler(canvas)];
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

/** Parts what is read first from the rest. */
function ruler(canvas: Canvas): Line {
  return { text: canvas.screen.paint('dim', (canvas.unicode ? '─' : '-').repeat(canvas.columns)) };
}

function waitingView(state: WatchState, canvas: Canvas): Line[] {
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

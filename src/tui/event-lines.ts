import type { SkewReport } from '../report/schema.ts';
import { clock } from '../report/words.ts';
import type { WatchState } from '../watch/state.ts';
import type { Canvas } from './canvas.ts';

/** What changed while somebody watched, and before that what the cluster tells of: newest first, in at most `room` lines. */
export function eventLines(report: SkewReport, state: WatchState, canvas: Canvas, room: number): string[] {
  const { paint } = canvas.screen;
  const past = report.status.timeline.filter(({ text }) => !state.events.some((event) => event.text === text));
  const lines = [...state.events, ...past]
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
    .slice(0, Math.max(1, room - 1))
    .map((event) => `  ${paint('dim', clock(event.time))}  ${event.text}`);
  const none = state.waitingFor === null ? 'nothing has changed since the first look' : 'still looking';
  return [`  ${paint('dim', 'WHAT CHANGED')}`, ...(lines.length === 0 ? [`  ${paint('dim', none)}`] : lines)];
}

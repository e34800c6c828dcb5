import { sanitise, sanitiseAll, toAscii } from '../../src/render/sanitise.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { type Canvas, canvasFor } from '../../src/tui/canvas.ts';
import { type Frame, layOut } from '../../src/tui/frame.ts';
import { type Action, reduce } from '../../src/watch/reduce.ts';
import { initialState, type WatchState } from '../../src/watch/state.ts';

export const noon = Date.parse('2026-11-29T15:42:55Z');

/** How a frame is drawn: 80×24 without colour, unless a test says otherwise. */
export function canvasAs(given: Partial<Omit<Canvas, 'screen'>> = {}): Canvas {
  return canvasFor({ columns: 80, rows: 24, unicode: true, color: false, plain: false, ...given });
}

/** The state of a watch that has seen a report, cleaned as the session cleans it, and then some actions. */
export function stateOf(report: SkewReport | null, actions: readonly Action[] = [], unicode = true): WatchState {
  const clean = (text: string) => (unicode ? sanitise(text) : toAscii(sanitise(text)));
  const subject = {
    context: report?.metadata.context ?? 'prod-eu',
    namespace: report?.metadata.namespace ?? 'shop',
    service: report?.metadata.name ?? 'echo',
    port: null,
  };
  const seen: readonly Action[] =
    report === null ? [] : [{ kind: 'report', report: sanitiseAll(report, clean), waitingFor: null, at: noon }];
  return [...seen, ...actions].reduce(reduce, initialState(sanitiseAll(subject, clean), noon));
}

export function frameOf(state: WatchState, given: Partial<Omit<Canvas, 'screen'>> = {}): Frame {
  return layOut(state, canvasAs(given));
}

/** A frame as the text of a file: without blanks at the ends of lines. */
export function textOf(frame: Frame): string {
  return frame.lines.map((line) => `${line.trimEnd()}\n`).join('');
}

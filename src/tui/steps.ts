import type { Step, WatchState } from '../watch/state.ts';
import { type Canvas, marksOf } from './canvas.ts';

/** The steps of the flow, one line each: what is shown before there is a report. */
export function stepList(state: WatchState, canvas: Canvas): string[] {
  return state.steps.map((step) => {
    const text = step.text === '' ? step.state : step.text;
    return `  ${sign(step, canvas)} ${step.title.padEnd(13)}${toned(step, text, canvas)}`;
  });
}

/** What is being asked now, and what the verdict waits for. */
export function runningLine(state: WatchState, canvas: Canvas): string {
  const running = state.steps.filter((step) => step.state === 'running');
  const asked = running.map((step) => `${sign(step, canvas)} ${step.title} ${step.text}`);
  const waits =
    state.waitingFor === null ? [] : [canvas.screen.paint('dim', `the verdict waits for ${state.waitingFor}`)];
  return `  ${[...asked, ...waits].join('   ')}`;
}

function sign(step: Step, canvas: Canvas): string {
  const marks = marksOf(canvas);
  switch (step.state) {
    case 'done':
      return canvas.screen.paint('good', marks.done);
    case 'partial':
    case 'failed':
      return canvas.screen.paint('warn', marks.failed);
    case 'running':
      return marks.running;
    case 'waiting':
      return canvas.screen.paint('dim', marks.waiting);
  }
}

function toned(step: Step, text: string, canvas: Canvas): string {
  if (step.state === 'waiting') return canvas.screen.paint('dim', text);
  return step.state === 'failed' ? canvas.screen.paint('warn', text) : text;
}

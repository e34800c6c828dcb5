import type { Step, WatchState } from '../watch/state.ts';
import { type Look, marksOf } from './look.ts';

/** The steps of the flow, one line each: what is shown before there is a report. */
export function stepList(state: WatchState, look: Look): string[] {
  return state.steps.map((step) => {
    const text = step.text === '' ? step.state : step.text;
    return `  ${sign(step, look)} ${step.title.padEnd(13)}${toned(step, text, look)}`;
  });
}

/** What is being asked now, and what the verdict waits for. */
export function runningLine(state: WatchState, look: Look): string {
  const running = state.steps.filter((step) => step.state === 'running');
  const parts = running.map((step) => `${sign(step, look)} ${step.title} ${step.text}`);
  const waits =
    state.waitingFor === null ? [] : [look.screen.paint('dim', `the verdict waits for ${state.waitingFor}`)];
  return `  ${[...parts, ...waits].join('   ')}`;
}

function sign(step: Step, look: Look): string {
  const marks = marksOf(look);
  switch (step.state) {
    case 'done':
      return look.screen.paint('good', marks.done);
    case 'partial':
    case 'failed':
      return look.screen.paint('warn', marks.failed);
    case 'running':
      return marks.running;
    case 'waiting':
      return look.screen.paint('dim', marks.waiting);
  }
}

function toned(step: Step, text: string, look: Look): string {
  if (step.state === 'waiting') return look.screen.paint('dim', text);
  return step.state === 'failed' ? look.screen.paint('warn', text) : text;
}

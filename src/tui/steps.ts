import type { Step, WatchState } from '../watch/state.ts';
import { type Look, marksOf } from './look.ts';

/** The steps of the flow, one line each: what is shown before there is a report. */
export function stepList(state: WatchState, look: Look): string[] {
  return state.steps.map((step) => {
    const text = step.text === '' ? step.state : step.text;
    return `  ${sign(step, look)} ${step.title.padEnd(13)}${toned(step, text, look)}`;
  });
}

/** The steps on one line, while something is still being asked. */
export function stepsLine(state: WatchState, look: Look): string {
  const parts = state.steps.map(
    (step) => `${sign(step, look)} ${step.title}${step.state === 'running' && step.text !== '' ? ` ${step.text}` : ''}`,
  );
  return `  ${parts.join('  ')}`;
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

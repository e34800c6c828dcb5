import { planFix } from '../fix/fix.ts';
import { changeFirstLines } from '../render/fix.ts';
import { behindMargin, command, labelled, labelledList } from '../render/lines.ts';
import type { SkewReport } from '../report/schema.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { handCommands } from './commands.ts';
import { detailLines } from './details-view.ts';
import { explainLines } from './explain-view.ts';
import { bindings } from './keys.ts';
import { type Line, plainLines } from './line.ts';

/** What covers the screen: keys, commands, details, or what words mean. */
export function overlayLines(
  state: WatchState,
  report: SkewReport | null,
  chosen: Item | null,
  canvas: Canvas,
): Line[] {
  switch (state.overlay?.kind) {
    case 'help':
      return helpLines(bindings, pace, canvas);
    case 'command':
      return report === null ? [] : commandLines(state, report, chosen, canvas);
    case 'fix':
      return report === null ? [] : fixLines(report, state, state.overlay.strategy, canvas);
    case 'explain':
      return report === null ? [] : explainLines(state.overlay.item, report, canvas);
    case 'details':
      return report === null
        ? []
        : detailLines(state.overlay.item, report, canvas, state.language === 'unknown' ? null : state.language);
    default:
      return [];
  }
}

/** The change of a strategy, or of the recommended one: what `fix` prints, the change itself first. */
function fixLines(report: SkewReport, { language }: WatchState, strategy: string | null, canvas: Canvas): Line[] {
  const screen = screenOf(canvas, Math.min(canvas.columns - 2, 112));
  const { recommendation } = report.status;
  const wanted = recommendation.strategies.find(({ id }) => id === strategy);
  const answer = planFix(report, {
    strategy: wanted?.id ?? null,
    language: language === 'unknown' ? null : language,
    mesh: null,
  });
  if (!answer.ok) {
    const { message, hint } = answer.error;
    return plainLines(
      ['', ...labelledList(screen, 'no change', hint === null ? [message] : [message, hint])].map(
        (line) => margin + line,
      ),
    );
  }
  const shown = recommendation.strategies.find(({ id }) => id === answer.value.strategy);
  const lines = changeFirstLines(screen, answer.value, shown?.preconditions ?? []);
  return plainLines(behindMargin(['', ...lines.map((line) => line.replaceAll('\t', '    '))], margin));
}

const pace =
  'Lists are read every 3 s, sockets every 30 s with at most 2 execs a second. After 10 minutes without a key no more commands are run in pods. Nothing is ever changed.';

/** The keys of a screen, and how often it asks for what. */
export function helpLines(
  keys: readonly { readonly help?: readonly [keys: string, text: string] }[],
  pace: string,
  canvas: Canvas,
): Line[] {
  const { paint } = canvas.screen;
  const screen = screenOf(canvas, Math.min(canvas.columns - 2, 100));
  const rows = keys.flatMap(({ help }) =>
    help === undefined ? [] : labelled(screen, { label: help[0], labelTone: 'strong', text: help[1] }),
  );
  const lines = ['', paint('strong', 'KEYS'), ...rows, '', ...labelledList(screen, '', [pace])];
  return plainLines(lines.map((line) => `  ${line}`));
}

function commandLines(state: WatchState, report: SkewReport, chosen: Item | null, canvas: Canvas): Line[] {
  const screen = screenOf(canvas, canvas.columns - 2);
  const rows = handCommands(state, report, chosen).flatMap(({ gives, command: text }) => [
    ...labelled(screen, { label: gives, text: '' }),
    ...command(screen, text),
  ]);
  return plainLines(behindMargin(['', screen.paint('strong', 'THESE FIGURES BY HAND'), '', ...rows], margin));
}

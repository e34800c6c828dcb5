import { behindMargin, command, labelled, labelledList } from '../render/lines.ts';
import type { SkewReport } from '../report/schema.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { handCommands } from './commands.ts';
import { detailLines } from './details-view.ts';
import { bindings } from './keys.ts';
import { type Line, plainLines } from './line.ts';

/** What covers the screen: keys, commands or details. */
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
    case 'details':
      return report === null
        ? []
        : detailLines(state.overlay.item, report, canvas, state.language === 'unknown' ? null : state.language);
    default:
      return [];
  }
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

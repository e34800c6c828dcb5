import { command, labelled, labelledList } from '../render/lines.ts';
import type { SkewReport } from '../report/schema.ts';
import type { Item, WatchState } from '../watch/state.ts';
import { type Canvas, screenOf } from './canvas.ts';
import { handCommands } from './commands.ts';
import { detailLines } from './details-view.ts';
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
      return helpLines(canvas);
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

const helpKeys: readonly (readonly [string, string])[] = [
  ['1 2 3 tab', 'now, why, what to do'],
  ['up, down', 'choose a line; also j and k, page up and down, g and G (ends)'],
  ['enter', 'details of the chosen line; esc goes back'],
  ['o', 'order of the pods: load, connections, CPU, age, name'],
  ['p', 'the next gRPC port, where there are several; the worst is first'],
  ['w', 'whose the clients are: inferred, owned, third-party, mixed'],
  ['l', 'language of the clients'],
  ['c', 'the kubectl commands that give these figures by hand'],
  ['y', 'copy the note that -o markdown prints: through the terminal; where it may not take it, saved to a file'],
  ['s', 'save what was seen, for --from and for others'],
  ['r', 'look again now'],
  ['space', 'pause: ask nothing of the cluster; space goes on'],
  ['?', 'these keys; also h'],
  ['q ctrl-c', 'quit; the verdict is printed'],
];

function helpLines(canvas: Canvas): Line[] {
  const { paint } = canvas.screen;
  const screen = screenOf(canvas, Math.min(canvas.columns - 2, 100));
  const rows = helpKeys.flatMap(([key, does]) => labelled(screen, { label: key, labelTone: 'strong', text: does }));
  const pace = labelledList(screen, '', [
    'Lists are read every 3 s, sockets every 30 s with at most 2 execs a second. After 10 minutes without a key no more commands are run in pods. Nothing is ever changed.',
  ]);
  return plainLines(['', paint('strong', 'KEYS'), ...rows, '', ...pace].map((line) => `  ${line}`));
}

function commandLines(state: WatchState, report: SkewReport, chosen: Item | null, canvas: Canvas): Line[] {
  const screen = screenOf(canvas, canvas.columns - 2);
  const rows = handCommands(state, report, chosen).flatMap(({ gives, command: text }) => [
    ...labelled(screen, { label: gives, text: '' }),
    ...command(screen, text),
  ]);
  return plainLines(['', screen.paint('strong', 'THESE FIGURES BY HAND'), '', ...rows].map((line) => `  ${line}`));
}

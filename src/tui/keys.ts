import type { Action } from '../watch/reduce.ts';
import type { Item, Overlay, ScreenName, WatchState } from '../watch/state.ts';
import { keyReader, type MoveBy, movingKeys } from './key-table.ts';
import type { NamedKey } from './keys-line.ts';

/** What a key does beside changing the state: work for the session. */
export type Command = 'quit' | 'back' | 'copy' | 'copy-command' | 'save' | 'again';

export type Pressed = { readonly action: Action } | { readonly command: Command } | null;

/** What of the screen above decides which keys do something. */
export interface Movable {
  /** Lines there are to move over: of the list of the screen, or of what covers it. */
  readonly length: number;
  readonly chosen: Item | null;
  /** What changed stands there: the line below need not repeat the last of it. */
  readonly hasLog?: boolean;
}

/** The same with the lines of a page, once there is a frame. */
type Shown = Movable & { readonly page: number };

/** A key on the last line of the screen. */
interface FooterKey extends NamedKey {
  /** The screen that it leads to. */
  readonly screen?: ScreenName;
  /** The only screen that names it. */
  readonly only?: ScreenName;
  /** Where something covers the screen, only these are named. */
  readonly covered?: 'only' | 'too';
  /** Whether it does something now; else it is not named. */
  readonly works?: (state: WatchState, body: Movable) => boolean;
}

interface Binding {
  /** What each key does, by the name that Ink has for it, or its character. */
  readonly on: Readonly<Record<string, (shown: Shown, state: WatchState) => Pressed>>;
  readonly footer?: readonly FooterKey[];
  readonly help?: readonly [keys: string, text: string];
}

const act = (action: Action) => (): Pressed => ({ action });
const ask = (command: Command) => (): Pressed => ({ command });
const move =
  (by: MoveBy) =>
  ({ length, page }: Shown): Pressed => ({ action: { kind: 'move', by: by(page), length } });
const goTo = (screen: ScreenName) => act({ kind: 'screen', screen });
const help = act({ kind: 'overlay', overlay: { kind: 'help' } });
/** The words of the chosen line, or of the one whose details are open; else, and again, the keys. */
const explainOrHelp = ({ chosen }: Shown, { overlay }: WatchState): Pressed => {
  const item = overlay === null ? chosen : overlay.kind === 'details' ? overlay.item : null;
  return item === null ? help() : { action: { kind: 'overlay', overlay: { kind: 'explain', item } } };
};
const strategyOf = (overlay: Overlay | null) =>
  overlay?.kind === 'details' && overlay.item.kind === 'strategy' ? overlay.item.id : null;
const hasReport = ({ report }: WatchState) => report !== null;
const hasList = (_: WatchState, { length }: Movable) => length > 1;

/** Every key: what it does, and what the last line and the help say of it, in their order. */
export const bindings: readonly Binding[] = [
  {
    on: {
      1: goTo('now'),
      2: goTo('why'),
      3: goTo('what-to-do'),
      tab: act({ kind: 'next-screen', by: 1 }),
      'shift-tab': act({ kind: 'next-screen', by: -1 }),
    },
    footer: [
      { key: '1', does: 'now', stays: 9, screen: 'now' },
      { key: '2', does: 'why', stays: 9, screen: 'why' },
      { key: '3', does: 'what to do', short: 'to do', stays: 9, screen: 'what-to-do' },
    ],
    help: ['1 2 3 tab', 'now, why, what to do'],
  },
  {
    on: {
      escape: (_, { overlay, filter, overList }) =>
        overlay === null && filter === '' && overList ? { command: 'back' } : { action: { kind: 'back' } },
    },
    footer: [
      { key: 'esc', does: 'back', stays: 9, covered: 'only' },
      { key: 'esc', does: 'all', stays: 8, works: ({ filter }) => filter !== '' },
      { key: 'esc', does: 'Services', stays: 7, works: ({ overList, filter }) => overList && filter === '' },
    ],
  },
  {
    on: movingKeys(move),
    footer: [{ key: '↑↓', ascii: 'up down', does: 'scroll', stays: 8, covered: 'only', works: hasList }],
    help: [
      'up, down',
      'choose a line, or scroll; also j and k, page up and down, g and G (ends), the wheel, a click (with Shift the terminal selects text)',
    ],
  },
  {
    on: {
      return: ({ chosen }, { overlay }) =>
        chosen === null || overlay !== null ? null : { action: { kind: 'open', item: chosen } },
    },
    footer: [{ key: 'enter', does: 'details', short: 'open', stays: 6, works: (_, { chosen }) => chosen !== null }],
    help: ['enter', 'details of the chosen line; esc goes back'],
  },
  {
    on: { o: act({ kind: 'order' }) },
    footer: [{ key: 'o', does: 'order', stays: 6, only: 'now', works: hasList }],
    help: ['o', 'order of the pods: load, connections, CPU, age, name'],
  },
  {
    on: {
      '/': (_, { overlay, screen, filter }) =>
        overlay === null && screen !== 'what-to-do' ? { action: { kind: 'filter', text: filter, typing: true } } : null,
    },
    footer: [
      { key: '/', does: 'filter', stays: 4, works: ({ screen, report }) => report !== null && screen !== 'what-to-do' },
    ],
    help: ['/', 'only the pods, nodes and clients whose name holds what you type; enter keeps it, esc clears it'],
  },
  {
    on: { p: act({ kind: 'port' }) },
    footer: [{ key: 'p', does: 'port', stays: 7, works: ({ ports }) => ports.length > 1 }],
    help: ['p', 'the next gRPC port, where there are several; the worst is first'],
  },
  {
    on: { w: act({ kind: 'clients' }) },
    footer: [{ key: 'w', does: 'clients', stays: 6, only: 'what-to-do', works: hasReport }],
    help: ['w', 'whose the clients are: inferred, owned, third-party, mixed'],
  },
  {
    on: { l: act({ kind: 'language' }) },
    footer: [{ key: 'l', does: 'language', short: 'lang', stays: 6, only: 'what-to-do', works: hasReport }],
    help: ['l', 'language of the clients'],
  },
  {
    on: { x: ask('copy-command') },
    footer: [{ key: 'x', does: 'copy now', short: 'copy', stays: 5, works: hasReport }],
    help: ['x', 'copy the command of now: through the terminal; where it may not take it, saved to a file'],
  },
  {
    on: {
      f: (_, { overlay }) => ({
        action: { kind: 'overlay', overlay: { kind: 'fix', strategy: strategyOf(overlay) } },
      }),
    },
    footer: [{ key: 'f', does: 'fix', stays: 6, works: hasReport }],
    help: ['f', 'the change itself: what is not met, the manifests, the code; then the steps and the way back'],
  },
  {
    on: { c: act({ kind: 'overlay', overlay: { kind: 'command' } }) },
    footer: [{ key: 'c', does: 'command', stays: 3, works: hasReport }],
    help: ['c', 'the kubectl commands that give these figures by hand'],
  },
  {
    on: { y: ask('copy') },
    footer: [{ key: 'y', does: 'note', stays: 2, works: hasReport }],
    help: ['y', 'copy the note that -o markdown prints, in the same way'],
  },
  {
    on: { s: ask('save') },
    footer: [{ key: 's', does: 'save', stays: 1, works: hasReport }],
    help: ['s', 'save what was seen, for --from and for others; the whole path is said, and again at the end'],
  },
  { on: { r: ask('again') }, help: ['r', 'look again now'] },
  {
    on: { ' ': act({ kind: 'pause' }) },
    footer: [{ key: 'space', does: 'pause', stays: 4 }],
    help: ['space', 'pause: ask nothing of the cluster; space goes on'],
  },
  {
    on: { '?': explainOrHelp, h: help },
    footer: [
      { key: '?', does: 'help', stays: 8 },
      { key: '?', does: 'keys', stays: 8, covered: 'only', works: ({ overlay }) => overlay?.kind === 'explain' },
    ],
    help: ['?', 'what the words of the chosen line mean; again, or h: these keys'],
  },
  {
    on: { q: ask('quit'), 'ctrl-c': ask('quit') },
    footer: [{ key: 'q', does: 'quit', stays: 7, covered: 'too' }],
    help: ['q ctrl-c', 'quit; the verdict is printed'],
  },
];

/** From a key, as Ink tells it, to what it does. */
export const readKey = keyReader(bindings);

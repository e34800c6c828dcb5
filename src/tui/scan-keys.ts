import type { ScanItem } from '../report/scan.ts';
import type { ScanAction, ScanState } from '../watch/scan-state.ts';
import { keyReader, type MoveBy, movingKeys } from './key-table.ts';
import type { NamedKey } from './keys-line.ts';

/** What a key does beside changing the state: work for the session. */
export type ScanCommand = 'quit' | 'interrupt' | 'again' | 'scope' | { readonly open: ScanItem };

export type ScanPressed = { readonly action: ScanAction } | { readonly command: ScanCommand } | null;

/** What of the screen decides what keys do. */
export interface ScanMovable {
  /** Lines there are to move over. */
  readonly length: number;
  readonly page: number;
  readonly chosen: ScanItem | null;
}

interface Binding {
  readonly on: Readonly<Record<string, (shown: ScanMovable, state: ScanState) => ScanPressed>>;
  readonly footer?: NamedKey & {
    readonly works?: (state: ScanState, shown: ScanMovable) => boolean;
    readonly covered?: 'only' | 'too';
  };
  readonly help?: readonly [keys: string, text: string];
}

const act = (action: ScanAction) => (): ScanPressed => ({ action });
const ask = (command: ScanCommand) => (): ScanPressed => ({ command });
const move =
  (by: MoveBy) =>
  ({ length, page }: ScanMovable): ScanPressed => ({ action: { kind: 'move', by: by(page), length } });
const help = act({ kind: 'overlay', overlay: { kind: 'help' } });
/** The words of the chosen line; without one, and again, the keys. */
const explainOrHelp = ({ chosen }: ScanMovable): ScanPressed =>
  chosen === null ? help() : { action: { kind: 'overlay', overlay: { kind: 'explain', item: chosen } } };
const open = ({ chosen }: ScanMovable, state: ScanState): ScanPressed =>
  chosen === null || state.overlay !== null ? null : { command: { open: chosen } };

/** Every key of the list of Services: what it does, and what the last line and the help say of it, in their order. */
export const scanBindings: readonly Binding[] = [
  {
    on: { return: open },
    footer: { key: 'enter', does: 'diagnose', stays: 8, works: (_, { chosen }) => chosen !== null },
    help: ['enter', 'diagnose the chosen Service, live; esc comes back'],
  },
  {
    on: movingKeys(move),
    footer: {
      key: '↑↓',
      ascii: 'up down',
      does: 'choose',
      stays: 4,
      covered: 'too',
      works: (_, { length }) => length > 1,
    },
    help: [
      'up, down',
      'choose a Service; also j and k, page up and down, g and G (ends), the wheel, a click (with Shift the terminal selects text)',
    ],
  },
  {
    on: { a: ask('scope') },
    footer: { key: 'a', does: 'all namespaces / one', short: 'all / one', stays: 7 },
    help: ['a', 'all namespaces, or again the one of the context'],
  },
  {
    on: { '/': (_, { filter }) => ({ action: { kind: 'filter', text: filter, typing: true } }) },
    footer: { key: '/', does: 'filter', stays: 6 },
    help: ['/', 'only the Services whose name holds what you type; enter keeps it, esc clears it'],
  },
  {
    on: { escape: act({ kind: 'back' }) },
    footer: {
      key: 'esc',
      does: 'back',
      stays: 9,
      covered: 'too',
      works: ({ overlay, filter }) => overlay !== null || filter !== '',
    },
  },
  {
    on: { r: ask('again') },
    footer: { key: 'r', does: 'look again', short: 'again', stays: 3 },
    help: ['r', 'look again now'],
  },
  {
    on: { ' ': act({ kind: 'pause' }) },
    footer: { key: 'space', does: 'pause', stays: 2 },
    help: ['space', 'pause: ask nothing of the cluster; space goes on'],
  },
  {
    on: { '?': explainOrHelp, h: help },
    footer: { key: '?', does: 'help', stays: 5 },
    help: ['?', 'what the words of the chosen line mean; again, or h: these keys'],
  },
  {
    on: {},
    footer: { key: '?', does: 'keys', stays: 8, covered: 'only', works: ({ overlay }) => overlay?.kind === 'explain' },
  },
  {
    on: { q: ask('quit'), 'ctrl-c': ask('interrupt') },
    footer: { key: 'q', does: 'quit', stays: 7, covered: 'too' },
    help: ['q ctrl-c', 'quit'],
  },
];

/** From a key, as Ink tells it, to what it does. */
export const readScanKey = keyReader(scanBindings);

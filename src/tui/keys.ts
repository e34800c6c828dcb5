import type { Key } from 'ink';
import type { Action } from '../watch/reduce.ts';
import type { WatchState } from '../watch/state.ts';
import type { Frame } from './frame.ts';

/** What a key does beside changing the state: work for the session. */
export type Command = 'quit' | 'copy' | 'save' | 'again';

export type Pressed = { readonly action: Action } | { readonly command: Command } | null;

/** From a key to what it does. One table, so that help and keys cannot part. */
export function readKey(input: string, key: Key, state: WatchState, frame: Frame): Pressed {
  const act = (action: Action): Pressed => ({ action });
  const move = (by: number | 'start' | 'end'): Pressed => act({ kind: 'move', by, length: frame.length });
  if (key.ctrl && input === 'c') return { command: 'quit' };
  if (key.escape) return act({ kind: 'back' });
  if (key.upArrow) return move(-1);
  if (key.downArrow) return move(1);
  if (key.pageUp) return move(-frame.page);
  if (key.pageDown) return move(frame.page);
  if (key.home) return move('start');
  if (key.end) return move('end');
  if (key.tab) return act({ kind: 'next-screen', by: key.shift ? -1 : 1 });
  if (key.return)
    return frame.chosen === null || state.overlay !== null ? null : act({ kind: 'open', item: frame.chosen });
  return key.ctrl || key.meta ? null : (letters.get(input)?.(move) ?? null);
}

type Move = (by: number | 'start' | 'end') => Pressed;

const letters: ReadonlyMap<string, (move: Move) => Pressed> = new Map<string, (move: Move) => Pressed>([
  ['q', () => ({ command: 'quit' })],
  ['y', () => ({ command: 'copy' })],
  ['s', () => ({ command: 'save' })],
  ['r', () => ({ command: 'again' })],
  ['j', (move) => move(1)],
  ['k', (move) => move(-1)],
  ['g', (move) => move('start')],
  ['G', (move) => move('end')],
  ['1', () => ({ action: { kind: 'screen', screen: 'now' } })],
  ['2', () => ({ action: { kind: 'screen', screen: 'why' } })],
  ['3', () => ({ action: { kind: 'screen', screen: 'what-to-do' } })],
  ['o', () => ({ action: { kind: 'order' } })],
  ['p', () => ({ action: { kind: 'port' } })],
  ['w', () => ({ action: { kind: 'clients' } })],
  ['l', () => ({ action: { kind: 'language' } })],
  ['c', () => ({ action: { kind: 'overlay', overlay: { kind: 'command' } } })],
  ['?', () => ({ action: { kind: 'overlay', overlay: { kind: 'help' } } })],
  ['h', () => ({ action: { kind: 'overlay', overlay: { kind: 'help' } } })],
  [' ', () => ({ action: { kind: 'pause' } })],
]);

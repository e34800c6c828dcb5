/** What the tables of keys of both live views have in common. */
import type { Key } from 'ink';
import { typed } from './typing.ts';

/** How far to move, by the lines of a page. */
export type MoveBy = (page: number) => 'start' | 'end' | number;

/** Every key that moves over lines. */
export function movingKeys<Handler>(move: (by: MoveBy) => Handler): Readonly<Record<string, Handler>> {
  const [toStart, toEnd, up, down] = [move(() => 'start'), move(() => 'end'), move(() => -1), move(() => 1)];
  return {
    upArrow: up,
    k: up,
    downArrow: down,
    j: down,
    pageUp: move((page) => -page),
    pageDown: move((page) => page),
    home: toStart,
    g: toStart,
    end: toEnd,
    G: toEnd,
  };
}

/** A filter, and whether it is typed now. */
interface Filtered {
  readonly filter: string;
  readonly typing: boolean;
}

/** What typing changes of a filter. */
type FilterPressed = { readonly action: { readonly kind: 'filter' } & NonNullable<ReturnType<typeof typed>> };

/** Reads keys, as Ink tells them, by a table; letters are the filter's while it is typed. */
export function keyReader<Shown, State extends Filtered, Pressed>(
  bindings: readonly { readonly on: Readonly<Record<string, (shown: Shown, state: State) => Pressed | null>> }[],
): (input: string, key: Key, state: State, shown: Shown) => Pressed | FilterPressed | null {
  const handlers = new Map(bindings.flatMap(({ on }) => Object.entries(on)));
  return (input, key, state, shown) => {
    const name = keyName(input, key);
    if (state.typing && name !== 'ctrl-c') {
      const change = typed(state.filter, input, key);
      if (change !== null) return { action: { kind: 'filter', ...change } };
      // With arrows a line is chosen among those that are left.
      if (!key.upArrow && !key.downArrow) return null;
    }
    return name === null ? null : (handlers.get(name)?.(shown, state) ?? null);
  };
}

const named = ['escape', 'upArrow', 'downArrow', 'pageUp', 'pageDown', 'home', 'end', 'return'] as const;

/** The name that the tables have for a key: a word for those without a character. */
function keyName(input: string, key: Key): string | null {
  if (key.ctrl && input === 'c') return 'ctrl-c';
  if (key.tab) return key.shift ? 'shift-tab' : 'tab';
  return named.find((name) => key[name]) ?? (key.ctrl || key.meta ? null : input);
}

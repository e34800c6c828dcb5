import { Box, Text, useInput, usePaste, useWindowSize } from 'ink';
import { memo, type ReactNode, useMemo, useSyncExternalStore } from 'react';
import type { Store } from '../watch/store.ts';
import { type Canvas, canvasFor } from './canvas.ts';
import { bodyFacts, frameAround, layOut, layOutBody } from './frame.ts';
import { type Command, readKey } from './keys.ts';

export interface AppProps {
  readonly store: Store;
  readonly style: Pick<Canvas, 'color' | 'weights' | 'unicode' | 'plain'>;
  /** Called for every key, before it does anything. */
  readonly onKey: () => void;
  readonly onCommand: (command: Command) => void;
}

/** More letters than this in one input were not typed: a terminal without bracketed paste passes on a pasted text so. */
const mostTyped = 64;

/** The whole screen: the state laid out as lines, and keys turned into actions. It holds no state of its own. */
export function App({ store, style, onKey, onCommand }: AppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const canvas = useMemo(() => canvasFor({ ...style, columns, rows }), [style, columns, rows]);
  // Not with every tick: a second's step of the clock costs two lines, not the whole screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the state only what the body shows
  const body = useMemo(() => layOutBody(state, canvas), [...bodyFacts(state), canvas]);
  const frame = frameAround(body, state, canvas);
  useInput((input, key) => {
    onKey();
    if (input.length > mostTyped) return;
    // Keys that are held or typed fast come as one input; each acts on what the one before has left.
    for (const character of input === '' ? [''] : input) {
      const current = store.get();
      const pressed = readKey(character, key, current, current === state ? frame : layOut(current, canvas));
      if (pressed === null) continue;
      if ('command' in pressed) onCommand(pressed.command);
      else store.dispatch(pressed.action);
    }
  });
  // A pasted text is no keys: its letters would save files and leave the view.
  usePaste(onKey);
  const [title = '', ...others] = frame.lines;
  const footer = others.splice(body.lines.length);
  // Exactly the screen, so that nothing needs to be clipped: Ink would read every line three times for that.
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Rows text={title} />
      <Rows text={others.join('\n')} />
      <Rows text={footer.join('\n')} />
    </Box>
  );
}

/** Lines that change together: the fewer of them, the less Ink has to lay out. */
const Rows = memo(function Rows({ text }: { readonly text: string }): ReactNode {
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

import { useWindowSize } from 'ink';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import type { Store } from '../watch/store.ts';
import { canvasFor } from './canvas.ts';
import { bodyFacts, frameAround, layOut, layOutBody } from './frame.ts';
import { type Command, readKey } from './keys.ts';
import { type Style, WholeScreen } from './rows.tsx';
import { pasted } from './typing.ts';
import { useKeys } from './use-keys.ts';

export interface AppProps {
  readonly store: Store;
  readonly style: Style;
  /** Called for every key, before it does anything. */
  readonly onKey: () => void;
  readonly onCommand: (command: Command) => void;
}

/** What covers the screen scrolls so far by one step of the wheel. */
const linesOfWheel = 3;

/** The whole screen: the state laid out as lines, and keys turned into actions. It holds no state of its own. */
export function App({ store, style, onKey, onCommand }: AppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const canvas = useMemo(() => canvasFor({ ...style, columns, rows }), [style, columns, rows]);
  // Not with every tick: a second's step of the clock costs two lines, not the whole screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the state only what the body shows
  const body = useMemo(() => layOutBody(state, canvas), [...bodyFacts(state), canvas]);
  const frame = frameAround(body, state, canvas);
  useKeys({
    onKey,
    onPress(character, key) {
      const current = store.get();
      const pressed = readKey(character, key, current, current === state ? frame : layOut(current, canvas));
      if (pressed === null) return;
      if ('command' in pressed) onCommand(pressed.command);
      else store.dispatch(pressed.action);
    },
    onMouse(event) {
      const current = store.get();
      const now = current === state ? frame : layOut(current, canvas);
      if (event.kind === 'wheel') {
        const by = event.by * (current.overlay === null ? 1 : linesOfWheel);
        store.dispatch({ kind: 'move', by, length: now.length });
        return;
      }
      const row = now.rowAt(event.row);
      if (row === null) return;
      // A click chooses a line, another one on the chosen line opens it.
      const by = row - Math.min(current.cursor[current.screen], now.length - 1);
      if (by !== 0) store.dispatch({ kind: 'move', by, length: now.length });
      else if (now.chosen !== null) store.dispatch({ kind: 'open', item: now.chosen });
    },
    onPaste(text) {
      const { filter, typing } = store.get();
      if (typing) store.dispatch({ kind: 'filter', text: pasted(filter, text), typing });
    },
  });
  const [title = '', ...others] = frame.lines;
  const footer = others.splice(body.lines.length);
  return <WholeScreen title={title} body={others} footer={footer} columns={columns} rows={rows} />;
}

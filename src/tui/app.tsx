import { useWindowSize } from 'ink';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import type { Store } from '../watch/store.ts';
import { canvasFor } from './canvas.ts';
import { bodyFacts, frameAround, layOut, layOutBody } from './frame.ts';
import { type Command, readKey } from './keys.ts';
import { type Style, WholeScreen } from './rows.tsx';
import { useKeys } from './use-keys.ts';

export interface AppProps {
  readonly store: Store;
  readonly style: Style;
  /** Called for every key, before it does anything. */
  readonly onKey: () => void;
  readonly onCommand: (command: Command) => void;
}

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
    onMouse: () => {},
  });
  const [title = '', ...others] = frame.lines;
  const footer = others.splice(body.lines.length);
  return <WholeScreen title={title} body={others} footer={footer} columns={columns} rows={rows} />;
}

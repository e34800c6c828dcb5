import { useWindowSize } from 'ink';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import type { ScanAction, ScanState } from '../watch/scan-state.ts';
import type { Store } from '../watch/store.ts';
import { canvasFor } from './canvas.ts';
import { type Style, WholeScreen } from './rows.tsx';
import { readScanKey, type ScanCommand } from './scan-keys.ts';
import { layOutScan } from './scan-view.ts';
import { pasted } from './typing.ts';
import { useKeys } from './use-keys.ts';

export interface ScanAppProps {
  readonly store: Store<ScanState, ScanAction>;
  readonly style: Style;
  readonly onCommand: (command: ScanCommand) => void;
}

/** The live list of Services. It holds no state of its own. */
export function ScanApp({ store, style, onCommand }: ScanAppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const canvas = useMemo(() => canvasFor({ ...style, columns, rows }), [style, columns, rows]);
  const frame = useMemo(() => layOutScan(state, canvas), [state, canvas]);
  const shown = () => {
    const current = store.get();
    return { current, shown: current === state ? frame : layOutScan(current, canvas) };
  };
  useKeys({
    onKey: () => {},
    onPress(character, key) {
      const { current, shown: now } = shown();
      const pressed = readScanKey(character, key, current, now);
      if (pressed === null) return;
      if ('command' in pressed) onCommand(pressed.command);
      else store.dispatch(pressed.action);
    },
    onMouse(event) {
      const { current, shown: now } = shown();
      if (event.kind === 'wheel') store.dispatch({ kind: 'move', by: event.by, length: now.length });
      else {
        const row = now.rowAt(event.row);
        if (row === null) return;
        // A click chooses a line, another one on the chosen line opens it.
        if (row !== current.cursor) store.dispatch({ kind: 'choose', row });
        else if (now.chosen !== null) onCommand({ open: now.chosen });
      }
    },
    onPaste(text) {
      const { filter, typing } = store.get();
      if (typing) store.dispatch({ kind: 'filter', text: pasted(filter, text), typing });
    },
  });
  return <WholeScreen {...frame} columns={columns} rows={rows} />;
}

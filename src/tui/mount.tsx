import { render } from 'ink';
import { type ReactNode, useLayoutEffect } from 'react';
import type { Store } from '../watch/store.ts';
import { App, type AppProps } from './app.tsx';
import { mouseOff, mouseOn } from './mouse.ts';
import type { Style } from './rows.tsx';
import { ScanApp, type ScanAppProps } from './scan-app.tsx';

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export interface Screen {
  /** Leaves the screen as it was; may be called more than once. */
  unmount(): void;
  /** Settles when the screen is left; rejects with what made a component fail. */
  readonly left: Promise<void>;
}

/** Takes the screen for the live view on one Service. */
export function mount(store: Store, terminal: Terminal, props: Omit<AppProps, 'store'>): Screen {
  return take(<App store={store} {...props} />, terminal, props.style);
}

export interface ScanScreen extends Screen {
  /** As `mount`, over the list of Services: when it is left, that is back, unless it is left to quit. */
  readonly over: typeof mount;
}

/** Takes the screen for the live list of Services. */
export function mountScan(
  store: ScanAppProps['store'],
  terminal: Terminal,
  props: Omit<ScanAppProps, 'store'>,
): ScanScreen {
  const list = <ScanApp store={store} {...props} />;
  const screen = take(list, terminal, props.style);
  const over: typeof mount = (service, _, { onCommand, ...others }) => {
    let quits = false;
    const heard: typeof onCommand = (command) => {
      quits = command === 'quit';
      onCommand(command);
    };
    screen.show(<App store={service} {...others} onCommand={heard} />);
    return { left: screen.left, unmount: () => (quits ? screen.unmount() : screen.show(list)) };
  };
  return { ...screen, over };
}

interface Taken extends Screen {
  show(view: ReactNode): void;
}

/** Has the terminal tell of the mouse as long as the screen is taken, however it is left. */
function WithMouse({ stdout, children }: Pick<Terminal, 'stdout'> & { readonly children: ReactNode }): ReactNode {
  useLayoutEffect(() => {
    stdout.write(mouseOn);
    return () => void stdout.write(mouseOff);
  }, [stdout]);
  return children;
}

/** The only place that knows Ink's life cycle. */
function take(view: ReactNode, { stdin, stdout }: Terminal, style: Style): Taken {
  const heard = (shown: ReactNode) => (style.mouse ? <WithMouse stdout={stdout}>{shown}</WithMouse> : shown);
  const instance = render(heard(view), {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: true,
    // Decided by us: Ink would take CI=true for a terminal that cannot be drawn on.
    interactive: true,
    alternateScreen: !style.plain,
    incrementalRendering: true,
    maxFps: 12,
    isScreenReaderEnabled: style.plain,
  });
  let isLeft = false;
  return {
    show(other) {
      if (!isLeft) instance.rerender(heard(other));
    },
    unmount() {
      isLeft = true;
      instance.unmount();
    },
    left: instance.waitUntilExit().then(() => undefined),
  };
}

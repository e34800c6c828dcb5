import { render } from 'ink';
import type { Store } from '../watch/store.ts';
import { App, type AppProps } from './app.tsx';

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

/** Takes the screen. The only place that knows Ink's life cycle. */
export function mount(store: Store, terminal: Terminal, props: Omit<AppProps, 'store'>): Screen {
  const instance = render(<App store={store} {...props} />, {
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    exitOnCtrlC: false,
    patchConsole: true,
    // Decided by us: Ink would take CI=true for a terminal that cannot be drawn on.
    interactive: true,
    alternateScreen: !props.style.plain,
    incrementalRendering: true,
    maxFps: 12,
    isScreenReaderEnabled: props.style.plain,
  });
  return { unmount: () => instance.unmount(), left: instance.waitUntilExit().then(() => undefined) };
}

/** A real browser without a window, over the pipe of its DevTools protocol: https://chromedevtools.github.io/devtools-protocol/ */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Null where there is none: tests are skipped then, visibly. */
export const chromium: string | null = (() => {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return null;
  }
})();

interface Look {
  readonly width: number;
  readonly height: number;
  readonly scheme?: 'light' | 'dark';
  readonly media?: 'screen' | 'print';
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Page {
  /** Loads an address, and waits until it is drawn. */
  open(address: string, look: Look): Promise<void>;
  /** The value of an expression in the page, as JSON has it. */
  value<T>(expression: string): Promise<T>;
  /** A picture of a part, or of the whole page. */
  picture(of?: Area): Promise<Buffer>;
  pdf(): Promise<Buffer>;
  /** Addresses that were asked for since the last `open`, and what the console has told: refusals of the policy, errors. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown };

export async function openBrowser(): Promise<Page> {
  if (chromium === null) throw new Error('no chromium');
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-chromium-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'];
  const child = spawn(chromium, [...flags, '--remote-debugging-pipe', `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  const events = new Map<string, () => void>();
  const requests: string[] = [];
  const complaints: string[] = [];
  const fail = (why: string) => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  void exited.then(() => fail('chromium has ended'));
  input.on('error', () => fail('chromium hears nothing'));

  const hear = ({ id, method, params = {}, result, error }: Message) => {
    if (id !== undefined) {
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) waiter?.resolve(result as never);
      else waiter?.reject(new Error(JSON.stringify(error)));
      return;
    }
    if (method === 'Network.requestWillBeSent') requests.push((params['request'] as { url: string }).url);
    if (method === 'Log.entryAdded') complaints.push((params['entry'] as { text: string }).text);
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params));
    events.get(method ?? '')?.();
  };
  let rest = '';
  output.setEncoding('utf8').on('data', (data: string) => {
    const messages = (rest + data).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) hear(JSON.parse(message) as Message);
  });

  let last = 0;
  let sessionId: string | undefined;
  const ask = <T>(method: string, params: object = {}): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) })}\0`);
    });

  const { targetInfos } = await ask<{ targetInfos: { targetId: string; type: string }[] }>('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
  ({ sessionId } = await ask<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true }));
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await ask(`${domain}.enable`);

  return {
    requests,
    complaints,
    async open(address, { width, height, scheme = 'light', media = 'screen' }) {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      await ask('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
      await ask('Emulation.setEmulatedMedia', { media, features });
      requests.length = 0;
      complaints.length = 0;
      const loaded = new Promise<void>((resolve) => events.set('Page.loadEventFired', resolve));
      await ask('Page.navigate', { url: address });
      await loaded;
    },
    async value<T>(expression: string) {
      const { result } = await ask<{ result: { value: T; description?: string; subtype?: string } }>(
        'Runtime.evaluate',
        {
          expression,
          returnByValue: true,
        },
      );
      if (result.subtype === 'error') throw new Error(result.description);
      return result.value;
    },
    async picture(of) {
      const { data } = await ask<{ data: string }>('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: true,
        ...(of && { clip: { ...of, scale: 1 } }),
      });
      return Buffer.from(data, 'base64');
    },
    async pdf() {
      const { data } = await ask<{ data: string }>('Page.printToPDF', {
        printBackground: false,
        paperWidth: 8.27,
        paperHeight: 11.69,
      });
      return Buffer.from(data, 'base64');
    },
    async close() {
      sessionId = undefined;
      ask('Browser.close').catch(() => undefined);
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

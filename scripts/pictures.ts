/**
 * Takes the pictures of docs/: screens of the live view as the built program draws them on the embedded lab, the list of
 * Services, and the page of -o html. All, or those that are named:
 *
 *   npm run pictures
 *   npm run pictures -- now html
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { openBrowser } from '../test/html/chromium.ts';
import { serveLab } from '../test/tui/session.ts';
import { openTerminal } from '../test/tui/terminal.ts';
import { screenToSvg } from './pictures/svg.ts';

const program = 'dist/kubectl-grpc_skew';

interface Screen {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** Pressed once the verdict stands. */
  readonly key: string | null;
  /** What the screen shows when it is complete. */
  readonly shows: RegExp;
}

/** Enough calls were counted for the state, the ages of the connections are known, and nothing is waited for. */
const verdict = / live [\s\S]*SKEWED .* certain[\s\S]*older than[^\n]* certain[\s\S]*all signals seen/;

const screens: Readonly<Record<string, Screen>> = {
  now: {
    title: 'The screen now: a skewed Service, why, what to do, and its pods',
    ...{ columns: 96, rows: 24, key: null, shows: verdict },
  },
  why: {
    title: 'The screen why: the causes with what speaks for them, and which client reaches which pod',
    ...{ columns: 110, rows: 30, key: '2', shows: /certain[\s\S]*\[2 why\]/ },
  },
  'what-to-do': {
    title: 'The screen what to do: the fix, what helps in minutes, and five strategies side by side',
    ...{ columns: 110, rows: 30, key: '3', shows: /max-connection-age[\s\S]*\[3 what to do\]/ },
  },
  'large-screen': {
    title: 'The screen now in a terminal of 200 columns and 60 lines',
    ...{ columns: 200, rows: 60, key: null, shows: verdict },
  },
};

/** What a program shows in a terminal, as an SVG. */
async function takeScreen(args: readonly string[], screen: Screen, env: Readonly<Record<string, string>> = {}) {
  const { title, columns, rows, key, shows } = screen;
  const terminal = openTerminal(process.execPath, [program, ...args], { columns, rows, env });
  try {
    await terminal.until(key === null ? shows : verdict, 120_000);
    if (key !== null) terminal.type(key);
    await terminal.until(shows, 120_000);
    const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    await new Promise<void>((resolve) => emulator.write(terminal.raw(), resolve));
    return screenToSvg(emulator, title);
  } finally {
    terminal.type('q');
    await terminal.exited;
  }
}

/** Two Services over the same pods, as they are listed without a Service. */
async function takeScan(): Promise<string> {
  const lab = await serveLab('siblings');
  try {
    const title = 'The list of Services: the worst first, with how many of their pods do the work';
    const screen = { title, columns: 110, rows: 18, key: null, shows: / live [\s\S]*▸ echo\S* .*SKEWED/ };
    return await takeScreen([], screen, { KUBECONFIG: lab.kubeconfig });
  } finally {
    await lab.stop();
  }
}

/** The top of the page, as a reader sees it who opens it. */
async function takePage(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-pictures-'));
  const page = await openBrowser();
  try {
    const file = join(folder, 'page.html');
    writeFileSync(
      file,
      execFileSync(process.execPath, [program, 'lab', '-o', 'html'], { stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    const size = { width: 1100, height: 1180 };
    await page.open(`file://${file}`, size);
    return await page.picture({ x: 0, y: 0, ...size });
  } finally {
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const pictures: Readonly<Record<string, () => Promise<string | Buffer>>> = {
  ...Object.fromEntries(
    Object.entries(screens).map(([name, screen]) => [`${name}.svg`, () => takeScreen(['lab'], screen)]),
  ),
  'scan.svg': takeScan,
  'html.png': takePage,
};

const wanted = process.argv.slice(2);
for (const [file, take] of Object.entries(pictures)) {
  if (wanted.length > 0 && !wanted.includes(file.replace(/\.\w+$/, ''))) continue;
  const picture = await take();
  writeFileSync(join('docs', file), picture);
  process.stdout.write(`docs/${file}: ${Math.ceil(picture.length / 1024)} KiB\n`);
}

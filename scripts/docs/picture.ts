/**
 * Takes docs/now.svg: the first screen of the live view as the built program draws it, on the embedded lab.
 *
 *   npm run build && node scripts/docs/picture.ts
 */
import { writeFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import { openTerminal } from '../../test/tui/terminal.ts';
import { screenToSvg } from './svg.ts';

const [columns, rows] = [96, 24];
const terminal = openTerminal(process.execPath, ['dist/kubectl-grpc_skew', 'lab'], { columns, rows });
try {
  // Until enough calls were counted for the state, and the ages of the connections are known.
  await terminal.until(/ live [\s\S]*SKEWED .* certain[\s\S]*older than/, 120_000);
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(terminal.raw(), resolve));
  writeFileSync(
    'docs/now.svg',
    screenToSvg(emulator, 'The screen now: a skewed Service, why, what to do, and its pods'),
  );
} finally {
  terminal.type('q');
  await terminal.exited;
}

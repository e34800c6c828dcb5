import { expect, test } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { commands } from '../../src/cli/flags.ts';
import { readDiagnosisOptions } from '../../src/cli/options.ts';

/** Seconds of --window, as given on a command line. */
function windowOf(text: string): number | null {
  const given = readArguments(['echo', '--window', text], commands.diagnose);
  const read = given.ok ? readDiagnosisOptions(given.value) : given;
  return read.ok ? read.value.windowSeconds : null;
}

test.each([
  ['0', 0],
  ['0.5', 0.5],
  ['10', 10],
  ['10s', 10],
  ['500ms', 0.5],
  ['1m30s', 90],
  ['1.5m', 90],
  ['10m', 600],
  ['600', 600],
  ['10m1s', null],
  ['1h', null],
  ['10 s', null],
  ['1d', null],
  ['-1', null],
])('--window %s is %j seconds', (text, seconds) => {
  expect(windowOf(text)).toBe(seconds);
});

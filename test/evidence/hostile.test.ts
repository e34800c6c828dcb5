import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Host } from '../../src/commands/host.ts';
import { run } from '../../src/commands/run.ts';
import { temporaryFolder } from '../cli/program.ts';

const recordings = fileURLToPath(new URL('../recordings', import.meta.url));

/** The program in this process: what it throws, it would die of. */
async function inProcess(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const host: Host = {
    env: {},
    homeDirectory: '/nonexistent',
    platform: 'linux',
    architecture: 'x64',
    stdinIsTerminal: false,
    stdoutIsTerminal: false,
    columns: null,
    terminal: null,
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    now: () => Date.parse('2026-11-29T17:00:00Z'),
    interrupted: new AbortController().signal,
    atTheMercyOfSignals: (work) => work(),
    startThread: () => expect.unreachable('nothing is large here'),
  };
  return { code: await run(args, host), stdout, stderr };
}

/** Names of what every object of JavaScript has, and text that is none. */
const words = [
  'toString',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  'then',
  'length',
  '',
  '\ud800',
  'a\udc00b',
  '\u0000',
  'x'.repeat(5000),
  '/../..',
  'a/b?c#d%',
  '-1',
  '0',
  '1e999',
  '+275760-09-13T00:00:00.000Z',
  '0000-00-00T00:00:00Z',
];
const values: readonly unknown[] = [
  ...words,
  ...words,
  null,
  true,
  0,
  -1,
  1e20,
  1e308,
  Number.MAX_SAFE_INTEGER,
  0.1,
  {},
  [],
  [null],
  { constructor: 'x', toString: 1 },
  JSON.parse('{"__proto__":"x","a":{"__proto__":{"b":1}}}'),
];

interface Change {
  readonly file: number;
  readonly place: number;
  readonly value: unknown;
  readonly how: 'value' | 'key' | 'everywhere';
}

const change: fc.Arbitrary<Change> = fc.record({
  file: fc.nat(),
  place: fc.nat(),
  value: fc.constantFrom(...values),
  how: fc.constantFrom('value', 'key', 'everywhere'),
});

type Step = readonly [holder: Record<string, unknown>, key: string];

/** All places of a document, as holder and key. */
function placesOf(value: unknown): Step[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key): Step[] => [[holder, key], ...placesOf(holder[key])]);
}

function set(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value: structuredClone(value), enumerable: true, configurable: true, writable: true });
}

/** The same in all places that had the same value: a name that is everywhere is another one everywhere. */
function apply(document: unknown, { place, value, how }: Change): void {
  const places = placesOf(document);
  const [holder, key] = places[place % places.length] ?? [];
  if (holder === undefined || key === undefined) return;
  if (how === 'key') {
    const before = holder[key];
    if (Array.isArray(holder)) return;
    delete holder[key];
    set(holder, typeof value === 'string' ? value : JSON.stringify(value), before);
  } else if (how === 'value' || typeof holder[key] !== 'string') set(holder, key, value);
  else {
    const before = holder[key];
    for (const [other, at] of places) if (other[at] === before) set(other, at, value);
  }
}

const formats = ['table', 'wide', 'json', 'yaml', 'markdown'] as const;

test.each(['probe-broken', 'two-services'])(
  'answers of %s with any words in them: our own record is read again, and every output can be made',
  async (scenario) => {
    const folder = temporaryFolder(onTestFinished);
    const source = join(recordings, scenario);
    const files = readdirSync(source).filter((name) => name.endsWith('.json') && !name.startsWith('ground'));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.constantFrom(...formats), async (changes, output) => {
        for (const name of files) {
          const document = JSON.parse(readFileSync(join(source, name), 'utf8'));
          for (const one of changes) if (one.how === 'everywhere' || one.file % files.length === files.indexOf(name)) apply(document, one);
          writeFileSync(join(folder, name), JSON.stringify(document));
        }
        for (const name of readdirSync(source))
          if (statSync(join(source, name)).isDirectory() || name.endsWith('.txt')) cpSync(join(source, name), join(folder, name), { recursive: true });
        const record = join(folder, 'seen.record');
        const first = await inProcess(['--from', folder, '--record', record, '-o', 'json']);
        expect(first.stderr).not.toMatch(/fault of grpc-skew/);
        const again = await inProcess(['--from', record, '-o', 'json']);
        if (first.code !== 0) {
          expect(again.stderr).not.toMatch(/damaged/);
          return;
        }
        expect([again.code, again.stderr, again.stdout]).toEqual([0, '', first.stdout]);
        const shown = await inProcess(['--from', record, '--baseline', record, '-o', output]);
        expect([shown.code, shown.stderr]).toEqual([0, '']);
        expect(shown.stdout).not.toMatch(/\b(?:NaN|Infinity|undefined)\b|\[object /);
        const hidden = join(folder, 'hidden.record');
        const redacted = await inProcess(['--from', record, '--redact', '--record', hidden, '-o', 'wide']);
        expect([redacted.code, redacted.stderr]).toEqual([0, '']);
        expect((await inProcess(['--from', hidden])).stderr).toBe('');
      }),
      { numRuns: Number(process.env['FUZZ'] ?? 8), endOnFailure: true },
    );
  },
  600_000,
);

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Which layer may import which: from what is asked of a cluster (left) to what is shown (right). The pure layers import
 * no I/O, the lab nothing of the program that reads answers: else emulator and parsers would agree in the same error.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  result: [],
  files: [],
  spelling: [],
  kube: ['files', 'spelling'],
  evidence: [],
  report: [],
  figures: [],
  prometheus: ['kube'],
  signals: ['kube', 'prometheus', 'evidence'],
  collect: ['spelling', 'kube', 'prometheus', 'evidence', 'signals'],
  probes: ['evidence', 'report'],
  scan: ['evidence', 'report'],
  // What diagnose.ts goes through, downward and once.
  facts: ['evidence', 'figures', 'probes', 'report'],
  causes: ['evidence', 'figures', 'facts', 'report'],
  verdict: ['figures', 'facts', 'causes', 'report'],
  strategies: ['evidence', 'figures', 'facts', 'causes', 'fix', 'report'],
  warnings: ['evidence', 'figures', 'facts', 'report'],
  answers: ['evidence', 'facts', 'probes', 'report'],
  explain: ['signals', 'facts', 'causes', 'strategies', 'baseline', 'report'],
  baseline: ['evidence', 'figures', 'report'],
  fix: ['report'],
  render: ['figures', 'report', 'fix'],
  watch: ['evidence', 'report'],
  tui: ['figures', 'report', 'fix', 'explain', 'render', 'watch'],
  lab: [],
  cli: ['spelling', 'kube', 'prometheus', 'report', 'evidence', 'fix'],
  // The shell: each command puts together what it needs, and loads it when it runs.
  commands: [
    ...['files', 'spelling', 'kube', 'prometheus', 'evidence', 'report', 'figures', 'signals', 'collect', 'probes'],
    ...['scan', 'explain', 'baseline', 'fix', 'render', 'watch', 'tui', 'lab', 'cli'],
  ],
};

/** `kube/` is imported by pure layers for its types alone, and diagnose.ts knows all pure layers. */
const pureOfSignals = ['src/signals/catalogue.ts'];
const diagnoseMayImport = ['evidence', 'report', 'facts', 'causes', 'verdict', 'strategies', 'warnings', 'answers'];

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));

function importsOf(file: string): readonly { readonly target: string; readonly typeOnly: boolean }[] {
  const text = readFileSync(file, 'utf8');
  const pattern = /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    target: normalize(join(dirname(file), match[2] ?? match[3] ?? '')),
    typeOnly: match[1] !== undefined,
  }));
}

const layerOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1] ?? null;

test.each(files)('%s imports only what its layer may', (file) => {
  const layer = layerOf(file);
  for (const { target } of importsOf(file)) {
    const other = layerOf(target);
    // All hand failures on in one shape.
    if (layer === null || other === layer || other === 'result') continue;
    if (layer === 'commands' && target === 'src/diagnose.ts') continue;
    expect(other, `${file} → ${target}`).not.toBeNull();
    expect(mayImport[layer], `${file} → ${target}`).toContain(other);
  }
});

test('src/diagnose.ts imports pure layers only', () => {
  for (const { target } of importsOf('src/diagnose.ts')) {
    if (!pureOfSignals.includes(target)) expect([...diagnoseMayImport, 'result']).toContain(layerOf(target));
  }
});

test('process is known to main.ts alone', () => {
  const users = files.filter(
    (file) =>
      file !== 'src/main.ts' &&
      !file.startsWith('src/lab/') &&
      /\bprocess\.(env|argv|stdout|stderr|stdin|exit|on)\b/.test(readFileSync(file, 'utf8')),
  );
  expect(users).toEqual([]);
});

test('Ink and React are imported by the terminal UI alone', () => {
  const users = files.filter(
    (file) => !file.startsWith('src/tui/') && /from '(ink|react)'/.test(readFileSync(file, 'utf8')),
  );
  expect(users).toEqual([]);
});

test('pure layers import nothing of Node', () => {
  const pure = [
    'evidence',
    'report',
    'figures',
    'probes',
    'scan',
    'facts',
    'causes',
    'verdict',
    'strategies',
    'warnings',
    'answers',
    'explain',
    'baseline',
    'fix',
    'render',
    'signals',
  ];
  const users = files.filter(
    (file) => pure.includes(layerOf(file) ?? '') && /from 'node:/.test(readFileSync(file, 'utf8')),
  );
  expect(users).toEqual([]);
});

test('no code but that of the lab knows another HTTP method than GET', () => {
  const writers = files.filter(
    (file) => !file.startsWith('src/lab/') && /['"`](POST|PUT|PATCH|DELETE)['"`]/.test(readFileSync(file, 'utf8')),
  );
  expect(writers).toEqual([]);
});

test('no file imports itself, however long the way around, and be it for types or late', () => {
  const imports = new Map(files.map((file) => [file, importsOf(file).map(({ target }) => target)]));
  const done = new Set<string>();
  const cyclesFrom = (file: string, way: readonly string[]): string[] => {
    if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file].join(' → ')];
    if (done.has(file)) return [];
    const found = (imports.get(file) ?? []).flatMap((target) => cyclesFrom(target, [...way, file]));
    done.add(file);
    return found;
  };
  expect(files.flatMap((file) => cyclesFrom(file, []))).toEqual([]);
});

import { expect, test } from 'vitest';
import { collectSentences, type Sentence } from './collect.ts';

const sentences = await collectSentences();

/** Those that people read: not the paths, fields and lines of commands and manifests among them. */
const prose = sentences.filter(
  ({ file, text }) =>
    !/^\s*(#|kubectl|chmod|source|export|-|[\w-]+: \{|apiGroup|name|namespace|kind|resources|verbs)/.test(text) &&
    !/render\/rbac\.ts$/.test(file) &&
    !/^(get|list|create) [\w./{}]+( |$)/.test(text),
);

function offenders(pattern: RegExp, among: readonly Sentence[] = prose): string[] {
  return among.filter(({ text }) => pattern.test(text)).map(({ file, text }) => `${file}: ${text}`);
}

test('the list of all sentences is read whole by whoever changes one', async () => {
  const byFile = Map.groupBy(sentences, ({ file }) => file);
  const text = [...byFile]
    .map(([file, entries]) => `# ${file}\n${entries.map((entry) => entry.text).join('\n')}\n`)
    .join('\n');
  await expect(text).toMatchFileSnapshot('sentences.txt');
});

test.each<readonly [string, RegExp]>([
  ['two blanks between words, or one before a comma', /\S {2,}\S|\w ,/],
  ['what was not known printed as it is', /\b(undefined|NaN|Infinity|\[object)\b/],
  [
    'blame, excuses, filler',
    /\b(please|sorry|oops|unfortunately|obviously|simply|should have|forgot|mistake|stupid|blame)\b/i,
  ],
  ['"you must"', /\byou (must|should|have to|need to)\b/i],
  ['exclamation', /!(\s|$)/],
  [
    'American spelling',
    /\b(behaviors?|neighbors?|favor\w*|labeled|canceled|modeled|analyze\w*|\w*(?:initial|serial|organ|recogn|normal|util)iz(?!ation)\w*|gray|centers?|catalogs?)\b/i,
  ],
  ['contraction', /\b(don|can|won|isn|aren|doesn|didn|couldn|hasn)['’]t\b|\b(it|that|there)['’]s\b/i],
  ['straight apostrophe between letters', /\p{L}'\p{L}/u],
  ['percent without its blank', /\d%/],
  ['a number glued to its unit', /\b\d+(ms|kB|KiB|MiB|GB|millicores)\b/],
  ['a term of the field in small letters', /\b(dns|tls|oom|hpa|api)\b(?![-/.:=\w])/],
  [
    'a term of the field written otherwise',
    /\b([eE]ndpoint [sS]lices?|[kK]ube proxy|load-balancers?|[cC]luster IP|[kK]8s(?!\.io)|side-cars?)\b/,
  ],
  ['words that exclude', /\b(whitelist|blacklist|master|slave|sanity|dummy)\b/i],
])('no sentence has %s', (_name, pattern) => {
  expect(offenders(pattern)).toEqual([]);
});

test('gRPC is written so; small letters are for kinds of probes, ids and names', () => {
  const names =
    /\bgrpc[-_./:]|Grpc\.Net|[-_./"`]grpc|appProtocol|grpc (probe|or http2)|declares grpc|, grpc \{|\bgrpc \(/;
  const others = prose.filter(({ text }) => !names.test(text));
  // The title of a section, in capitals as all of them.
  expect(offenders(/\bgrpc\b|\bGRPC\b|\bGrpc\b/, others)).toEqual(['src/render/census.ts: GRPC PROBES']);
});

test('a line that begins in small letters has no final stop, unless it is of several sentences or begins with a field', () => {
  const fragments = prose.filter(({ text }) => /^\p{Ll}/u.test(text) && text.endsWith('.'));
  const single = fragments.filter(
    ({ file, text }) =>
      !/[.:;] /.test(text) &&
      !/^\p{Ll}+[\p{Lu}\d.]/u.test(text) &&
      !/^(certain|likely|possible)\b/.test(text) &&
      !/src\/(lab|cli)\//.test(file),
  );
  expect(single.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test('errors and hints are one line that can be read at night', () => {
  const long = prose.filter(({ file, text }) => !/src\/causes\//.test(file) && text.length > 240);
  expect(long.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  const units = prose.filter(({ text }) => text.length > 440);
  expect(units.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test('the list finds what the program prints: an error, a help text, a cause, a hint with a substitution', () => {
  const texts = sentences.map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining([
      'no container has ss, netstat or cat',
      'The connections are older than the idle pods',
      'it re-deals {}{}, it does not split them: with so few the hot spot only moves once per age',
      'Run no command in any pod: connections stay unseen',
    ]),
  );
  expect(texts.length).toBeGreaterThan(1500);
});

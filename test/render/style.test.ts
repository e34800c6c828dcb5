import { expect, test } from 'vitest';
import { colorChoice, painter, tones, unicodeChoice } from '../../src/render/style.ts';

test.each([
  ['a terminal', {}, true, undefined, true],
  ['a pipe', {}, false, undefined, false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, undefined, false],
  ['NO_COLOR, empty', { NO_COLOR: '' }, true, undefined, true],
  ['TERM=dumb', { TERM: 'dumb' }, true, undefined, false],
  ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, undefined, true],
  ['FORCE_COLOR over NO_COLOR', { FORCE_COLOR: '3', NO_COLOR: '1' }, false, undefined, true],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, undefined, false],
  ['FORCE_COLOR=false', { FORCE_COLOR: 'false' }, true, undefined, false],
  ['always, over all', { FORCE_COLOR: '0', NO_COLOR: '1', TERM: 'dumb' }, false, 'always', true],
  ['never, over all', { FORCE_COLOR: '1' }, true, 'never', false],
  ['auto', { NO_COLOR: '1' }, true, 'auto', false],
] as const)('colour: %s', (_, env, isTerminal, flag, expected) => {
  expect(colorChoice({ flag, env, isTerminal })).toBe(expected);
});

test.each([
  [{}, true],
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'C.utf8', TERM: 'xterm' }, true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LANG: 'de_DE.ISO-8859-1' }, false],
  [{ LANG: 'de_DE.ISO-8859-1', LC_CTYPE: 'de_DE.UTF-8' }, true],
  [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, false],
])('unicode: %j', (env, expected) => {
  expect(unicodeChoice(env)).toBe(expected);
});

test('a light and a dark background show each colour, and each is closed', () => {
  for (const tone of tones) {
    // Red, green, and a dark yellow; none of the sixteen that a background swallows.
    expect(painter(true)(tone, 'x')).toMatch(/^\u001b\[(?:1;31|1;32|38;5;136|[12])mx\u001b\[0m$/);
    expect(painter(false)(tone, 'x')).toBe('x');
  }
});

test('without colours bold and faint are as with them', () => {
  const weight = (text: string) => /\u001b\[([12])(?:;3[12])?m/.exec(text)?.[1] ?? null;
  for (const tone of tones) {
    const plain = painter(false, true)(tone, 'x');
    expect(weight(plain)).toBe(weight(painter(true)(tone, 'x')));
    expect(plain).toMatch(/^(?:x|\u001b\[[12]mx\u001b\[0m)$/);
  }
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitise, sanitiseAll, toAscii } from '../../src/render/sanitise.ts';

test.each([
  ['\u001b[31mred', '^[[31mred'],
  ['\u001b]0;title\u0007', '^[]0;title^G'],
  ['a\r\nb\tc\nd', 'a b c d'],
  ['over\rwritten', 'over^Mwritten'],
  ['\u007f', '^?'],
  ['\u009b2J', '\\u009b2J'],
  ['a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
  ['tag\u{e0041}', 'tag\\udb40\\udc41'],
  ['half \ud800', 'half \\ud800'],
  ['1\u00a0kB', '1 kB'],
  ['漢字 é → …', '漢字 é → …'],
])('%j', (text, expected) => {
  expect(sanitise(text)).toBe(expected);
});

test('leaves one line of printable text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const safe = sanitise(text);
      expect(safe).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(sanitise(safe)).toBe(safe);
      expect(toAscii(safe)).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});

test('what is clean already is not copied, however much of it there is', () => {
  const clean = { metadata: { name: 'echo' }, clients: [{ name: 'a', pods: ['b'], share: 0.5 }] };
  expect(sanitiseAll(clean)).toBe(clean);
  const spoiled = { ...clean, text: '\u0007' };
  expect(sanitiseAll(spoiled)).toEqual({ ...clean, text: '^G' });
  expect(sanitiseAll(spoiled).clients).toBe(clean.clients);
});

test('reaches every text of a report, keys too', () => {
  expect(sanitiseAll({ 'a\u0007': ['\u001b', { b: '\u0000', n: 1, none: null }] })).toEqual({
    'a^G': ['^[', { b: '^@', n: 1, none: null }],
  });
});

test('ASCII stand-ins for our own signs', () => {
  expect(toAscii('3 → 10 · 2× the mean…')).toBe('3 -> 10 - 2x the mean...');
});

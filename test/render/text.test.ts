import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutNames } from '../../src/render/names.ts';
import { cutMiddle, widthOf, wrap } from '../../src/render/text.ts';

test('wraps at spaces, and keeps a number with its %', () => {
  expect(wrap('the hottest pod is at 12 % now', 24)).toEqual(['the hottest pod is at', '12 % now']);
  expect(wrap('one two three', 9, 4)).toEqual(['one', 'two three']);
  expect(wrap('', 9)).toEqual(['']);
});

test('keeps together what is read as one, where a line can hold it', () => {
  expect(wrap('the CPU is now 12 s old', 16)).toEqual(['the CPU is now', '12 s old']);
  expect(wrap('of 10 pods (2.6 to 4)', 17)).toEqual(['of 10 pods', '(2.6 to 4)']);
  expect(wrap('kubectl get -n shop pods', 14)).toEqual(['kubectl get', '-n shop pods']);
  expect(wrap('ss established sport = :50051', 20)).toEqual(['ss established', 'sport = :50051']);
  expect(wrap('get --context a-long-name', 11)).toEqual(['get', '--context', 'a-long-name']);
});

test('breaks a word that no line can hold', () => {
  expect(wrap('see abcdefghijkl', 6)).toEqual(['see ab', 'cdefgh', 'ijkl']);
});

test('counts columns, not characters', () => {
  expect(wrap('漢字漢字 漢字', 8)).toEqual(['漢字漢字', '漢字']);
  expect(cutMiddle('漢字漢字漢字', 6, '…')).toBe('漢…字');
});

test('loses nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, width) => {
      expect(wrap(text, width).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
  );
});

test('cuts names in the middle, keeping what differs', () => {
  expect(cutNames(['checkout-5684bb8b8c-9prh4', 'checkout-5684bb8b8c-dvdxr'], 16, '…')).toEqual([
    'checko…b8c-9prh4',
    'checko…b8c-dvdxr',
  ]);
  expect(cutNames(['short'], 16, '…')).toEqual(['short']);
});

test('names stay different at any width', () => {
  const name = fc.stringMatching(/^[a-c-]{1,80}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 40 }),
      fc.integer({ min: 12, max: 60 }),
      fc.constantFrom('…', '...'),
      (names, width, ellipsis) => {
        const cut = cutNames(names, width, ellipsis);
        expect(new Set(cut).size).toBe(names.length);
        for (const one of cut) expect(widthOf(one)).toBeLessThanOrEqual(width);
      },
    ),
  );
});

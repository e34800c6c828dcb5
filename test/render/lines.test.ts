import fc from 'fast-check';
import { expect, test } from 'vitest';
import { command, labelled, labelledList, screenFor } from '../../src/render/lines.ts';
import { painter, signs } from '../../src/render/style.ts';

const screen = screenFor({ columns: 60, paint: painter(false), signs: signs(true) });

test('a text hangs under its label, with a word at the right edge of the first line', () => {
  const right = { text: 'certain', tone: 'dim' } as const;
  expect(labelled(screen, { label: 'why', text: 'the 4 connections are older than the 7 idle pods', right })).toEqual([
    'why         the 4 connections are older than the 7   certain',
    '            idle pods',
  ]);
});

test('dashes only where there are several texts', () => {
  expect(labelledList(screen, 'avoid', ['scaling'])).toEqual(['avoid       scaling']);
  expect(labelledList(screen, 'avoid', ['scaling', 'waiting'])).toEqual([
    'avoid       - scaling',
    '            - waiting',
  ]);
  expect(labelledList(screen, 'avoid', [])).toEqual([]);
});

test('a command that was broken is the same command for a shell', () => {
  const word = fc.stringMatching(/^[a-z/=-]{1,90}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const pasted = command(screen, words.join(' ')).join('\n').replaceAll('\\\n', '');
      expect(pasted.trim().split(/ +/)).toEqual(words);
    }),
  );
});

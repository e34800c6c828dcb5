import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/spelling/nearest.ts';

test.each<readonly [string, readonly string[], readonly string[]]>([
  // A dash or a capital is no letter that differs.
  ['scaleup', ['scale-up', 'balanced'], ['scale-up']],
  ['Scale_Up', ['scale-up'], ['scale-up']],
  // What is begun.
  ['newpods', ['new-pods-idle', 'chance'], ['new-pods-idle']],
  // One letter is missing, one is too many, two have changed places.
  ['probs', ['probes', 'scan'], ['probes']],
  ['echoo', ['echo'], ['echo']],
  ['ehco', ['echo'], ['echo']],
  ['prot', ['port', 'from'], ['port']],
  // The nearest first.
  ['stagng', ['stating', 'staging'], ['staging', 'stating']],
])('%s among %j', (word, names, found) => {
  expect(nearest(word, names)).toEqual(found);
});

test.each([
  ['ab', ['abc']],
  // Two letters of three, or of four, are another word.
  ['web', ['dev']],
  ['mine', ['mixed']],
  ['checkout', ['echo']],
])('%s is near to none of %j', (word, names) => {
  expect(didYouMean(word, names)).toBeNull();
});

test('names three at most', () => {
  expect(didYouMean('new', ['new-a', 'new-b', 'new-c', 'new-d'])).toBe('did you mean new-a or new-b or new-c?');
});

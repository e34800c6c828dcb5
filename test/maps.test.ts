import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** In an object, `constructor` and `toString` are found though nobody wrote them: a word from outside must not look there. */
const table = /^(?:export )?const \w+: (?:Readonly<)?(?:Partial<)?Record<string,/m;

test('what is looked up by any text is a Map: tables as objects have keys of a list', () => {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.startsWith('src/lab/'));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => table.test(readFileSync(file, 'utf8')))).toEqual([]);
});

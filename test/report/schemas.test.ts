import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from '../../scripts/documents.ts';
import { typesOf } from '../../scripts/types.ts';

test('the published types are those of the schemas', () => {
  expect(readFileSync('schemas/types.d.ts', 'utf8')).toBe(typesOf(documents));
});

test.each(Object.entries(documents))('the published schema of %s is that of the types', (name, schema) => {
  const published: unknown = JSON.parse(readFileSync(`schemas/${name.toLowerCase()}-v1alpha1.json`, 'utf8'));
  const expected = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
  // After `npm run schemas` they are equal; look at the difference first: within a version fields are only added.
  expect(published).toEqual(JSON.parse(JSON.stringify(expected)));
});

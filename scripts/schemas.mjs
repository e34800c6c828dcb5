// Writes the JSON Schemas of the published documents, and their types for TypeScript, to schemas/. A test fails while
// they differ from the types of the sources.
import { mkdir, writeFile } from 'node:fs/promises';
import { documents } from './documents.ts';
import { typesOf } from './types.ts';

await mkdir('schemas', { recursive: true });
await writeFile('schemas/types.d.ts', typesOf(documents));
for (const [name, schema] of Object.entries(documents)) {
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
  await writeFile(`schemas/${name.toLowerCase()}-v1alpha1.json`, `${JSON.stringify(document, null, 2)}\n`);
}

// Fills the generated parts of the pages: tables and lists that come from the program and its schemas. A test fails while
// they differ.
import { writeFileSync } from 'node:fs';
import { generatedPages } from './docs/pages.ts';

for (const { path, is, shouldBe } of generatedPages()) if (is !== shouldBe) writeFileSync(path, shouldBe);

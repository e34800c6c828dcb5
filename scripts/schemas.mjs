// Writes the JSON Schemas of the published documents to schemas/. A test fails while they differ from the types.
import { mkdir, writeFile } from 'node:fs/promises';
import { SkewEvidence } from '../src/evidence/schema.ts';
import { ProbeCensus } from '../src/report/census.ts';
import { SkewExplanation, SkewExplanationList } from '../src/report/explanation.ts';
import { SkewReportList } from '../src/report/list.ts';
import { SkewScan } from '../src/report/scan.ts';
import { SkewReport } from '../src/report/schema.ts';

await mkdir('schemas', { recursive: true });
for (const [name, schema] of Object.entries({
  SkewEvidence,
  SkewReport,
  SkewReportList,
  ProbeCensus,
  SkewScan,
  SkewExplanation,
  SkewExplanationList,
})) {
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
  await writeFile(`schemas/${name.toLowerCase()}-v1alpha1.json`, `${JSON.stringify(document, null, 2)}\n`);
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SkewEvidence } from '../../src/evidence/schema.ts';
import { ProbeCensus } from '../../src/report/census.ts';
import { SkewExplanation, SkewExplanationList } from '../../src/report/explanation.ts';
import { SkewReportList } from '../../src/report/list.ts';
import { SkewScan } from '../../src/report/scan.ts';
import { SkewReport } from '../../src/report/schema.ts';

const published = {
  SkewEvidence,
  SkewReport,
  SkewReportList,
  ProbeCensus,
  SkewScan,
  SkewExplanation,
  SkewExplanationList,
};

test.each(Object.entries(published))('the published schema of %s is that of the types', (name, schema) => {
  const published: unknown = JSON.parse(readFileSync(`schemas/${name.toLowerCase()}-v1alpha1.json`, 'utf8'));
  const expected = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
  // After `npm run schemas` they are equal; look at the difference first: within a version fields are only added.
  expect(published).toEqual(JSON.parse(JSON.stringify(expected)));
});

import { SkewEvidence } from '../src/evidence/schema.ts';
import { ProbeCensus } from '../src/report/census.ts';
import { SkewExplanation, SkewExplanationList } from '../src/report/explanation.ts';
import { SkewReportList } from '../src/report/list.ts';
import { SkewScan } from '../src/report/scan.ts';
import { SkewReport } from '../src/report/schema.ts';

/** The published documents, by their kind. */
export const documents = {
  SkewEvidence,
  SkewReport,
  SkewReportList,
  ProbeCensus,
  SkewScan,
  SkewExplanation,
  SkewExplanationList,
};

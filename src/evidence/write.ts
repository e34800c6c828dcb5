import type { SkewEvidence } from './schema.ts';

/** One record as a file holds it. */
export function writeEvidence(evidence: SkewEvidence): string {
  return `${JSON.stringify(evidence, null, 1)}\n`;
}

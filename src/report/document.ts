import { reportApiVersion } from './api-version.ts';
import type { SkewReportList } from './list.ts';
import type { SkewReport } from './schema.ts';

/** The document for all reports of one look at a Service; a single one stands for itself. */
export function asDocument(reports: readonly SkewReport[]): SkewReport | SkewReportList | null {
  const [first, ...others] = reports;
  if (first === undefined || others.length === 0) return first ?? null;
  return { apiVersion: reportApiVersion, kind: 'SkewReportList', metadata: first.metadata, items: [...reports] };
}

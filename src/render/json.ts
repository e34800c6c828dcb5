/** `-o json`: the report as it is. */
import { escapeUnits, unsafeInDocuments } from './sanitise.ts';

/** One document, indented as kubectl does; without an indent it is one line. */
export function renderJson(report: object, indent = 4): string {
  // JSON leaves DEL, C1 and bidi characters as they are; as escapes they mean the same and do a terminal no harm.
  return `${JSON.stringify(report, null, indent).replace(unsafeInDocuments, escapeUnits)}\n`;
}

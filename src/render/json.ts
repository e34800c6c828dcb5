/** `-o json`: the report as it is. */
import { escapeUnits, unsafeInDocuments } from './sanitise.ts';

/** One document, indented as kubectl does. */
export function renderJson(report: object): string {
  // JSON leaves DEL, C1 and bidi characters as they are; as escapes they mean the same and do a terminal no harm.
  return `${JSON.stringify(report, null, 4).replace(unsafeInDocuments, escapeUnits)}\n`;
}

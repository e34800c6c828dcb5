/** `-o json`: the report as it is. */
import { escapeUnits, unsafeInDocuments } from './sanitise.ts';

/** One document, indented as kubectl does. */
export function renderJson(report: object): string {
  return `${safeJson(report, 4)}\n`;
}

/** One document on one line, for a stream of them. */
export function renderJsonLine(report: object): string {
  return `${safeJson(report)}\n`;
}

/** JSON leaves DEL, C1 and bidi characters as they are; as escapes they mean the same and do a terminal no harm. */
function safeJson(report: object, indent?: number): string {
  return JSON.stringify(report, null, indent).replace(unsafeInDocuments, escapeUnits);
}

import { type Static, Type } from 'typebox';
import Value from 'typebox/value';
import { readEvidence } from '../evidence/file.ts';
import { checkerOf } from '../evidence/known-fields.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { reportApiVersion } from '../report/api-version.ts';
import { ReportPod, SkewReport } from '../report/schema.ts';
import { err, ok, type Result } from '../result/result.ts';

const { metadata, spec, status } = SkewReport.properties;

/** What a comparison reads of a report; a report of an earlier version has it, too. */
export const ComparedReport = Type.Object({
  apiVersion: Type.Literal(reportApiVersion),
  kind: Type.Literal('SkewReport'),
  metadata,
  spec: Type.Pick(spec, ['port']),
  status: Type.Object({
    verdict: status.properties.verdict,
    distributions: status.properties.distributions,
    pods: Type.Array(Type.Pick(ReportPod, ['name', 'endpoint', 'load', 'shares', 'connections', 'cpuMillicores'])),
    limits: status.properties.limits,
  }),
});
export type ComparedReport = Static<typeof ComparedReport>;

const ComparedList = Type.Object({
  apiVersion: Type.Literal(reportApiVersion),
  kind: Type.Literal('SkewReportList'),
  items: Type.Array(ComparedReport, { minItems: 1 }),
});

/** What --baseline names: evidence, which is diagnosed as it is now, or the reports that were made of it then. */
export type Baseline =
  | { readonly kind: 'evidence'; readonly evidence: SkewEvidence }
  | { readonly kind: 'reports'; readonly reports: readonly ComparedReport[] };

/** Reads a record of evidence or a JSON report, and says in words what is wrong with anything else. */
export function readBaseline(text: string, name: string): Result<Baseline> {
  const data = parsed(text);
  const kind = typeof data === 'object' && data !== null && 'kind' in data ? data.kind : null;
  if (kind !== 'SkewReport' && kind !== 'SkewReportList') {
    const read = readEvidence(text, name);
    return read.ok ? ok({ kind: 'evidence', evidence: read.value }) : read;
  }
  if (kind === 'SkewReport' && checkerOf(ComparedReport)(data))
    return ok({ kind: 'reports', reports: [data as ComparedReport] });
  if (kind === 'SkewReportList' && checkerOf(ComparedList)(data))
    return ok({ kind: 'reports', reports: (data as Static<typeof ComparedList>).items });
  const [first] = Value.Errors(kind === 'SkewReport' ? ComparedReport : ComparedList, data);
  const message = `${name} is damaged at ${first?.instancePath || '/'}: ${first?.message ?? 'it does not fit the schema'}`;
  return err({ kind: 'failed', message, hint: 'take a file that --record or -o json wrote' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

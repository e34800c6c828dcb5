/** SkewReportList: one report for each gRPC port of a Service, as Kubernetes lists its objects. */
import { type Static, Type } from 'typebox';
import { reportApiVersion } from './api-version.ts';
import { SkewReport } from './schema.ts';

export const SkewReportList = Type.Object(
  {
    apiVersion: Type.Literal(reportApiVersion),
    kind: Type.Literal('SkewReportList'),
    metadata: SkewReport.properties.metadata,
    items: Type.Array(SkewReport, { description: 'In the order of the ports of the Service', minItems: 2 }),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewReportList', title: 'SkewReportList' },
);
export type SkewReportList = Static<typeof SkewReportList>;

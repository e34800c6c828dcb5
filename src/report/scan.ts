/**
 * SkewScan: the Services of a namespace or cluster that look like gRPC, worst first, as published data.
 *
 * The rules of SkewReport hold: only additions within a version, null means not known, sorted arrays.
 */
import { type Static, Type } from 'typebox';
import { reportApiVersion } from './api-version.ts';
import { bases, causeIds, confidences, grpcSigns, states } from './ids.ts';
import { Impact, SignalAnswer, verdictKind } from './schema.ts';
import { clusterFlags, nullable, oneOf, text } from './types.ts';

const count = (description: string) => Type.Integer({ description });

export const ScanItem = Type.Object({
  namespace: Type.String(),
  name: text('The Service'),
  port: Type.Object({ name: nullable(Type.String()), port: Type.Integer() }),
  sign: oneOf(grpcSigns),
  state: oneOf(states),
  kind: verdictKind,
  basis: nullable(oneOf(bases)),
  confidence: oneOf(confidences),
  summary: Type.String(),
  cause: nullable(oneOf(causeIds)),
  impact: Impact,
  pods: count('Ready endpoints of this port that have a pod'),
  seenPods: count('Of these, how many were measured on the basis'),
  idlePods: Type.Integer(),
  effectivePods: nullable(Type.Number()),
  peakToMean: nullable(Type.Number()),
  hottest: nullable(
    Type.Object({
      pod: Type.String(),
      cpuMillicores: Type.Number(),
      cpuPart: nullable(Type.Number({ description: 'Of its own CPU limit; null where it has none' })),
    }),
  ),
  restarts: count('Of all its pods'),
  score: Type.Number({ description: 'Harm (1 to 3) × the part of the pods that is of no use (0 to 1)' }),
  execs: count('Commands run in its pods'),
});
export type ScanItem = Static<typeof ScanItem>;

export const SkewScan = Type.Object(
  {
    apiVersion: Type.Literal(reportApiVersion),
    kind: Type.Literal('SkewScan'),
    metadata: Type.Object({
      namespace: nullable(text('Null: all namespaces')),
      context: nullable(Type.String()),
      connection: clusterFlags,
      generatedAt: text('The time of the last look (RFC 3339)'),
      toolVersion: Type.String(),
    }),
    status: Type.Object({
      services: count('Services that were listed'),
      looksLikeGrpc: count('Of these, how many have a port that looks like gRPC'),
      items: Type.Array(ScanItem, { description: 'One for each such port, worst first' }),
      skipped: Type.Array(Type.Object({ namespace: Type.String(), name: Type.String(), reason: Type.String() }), {
        description: 'They look like gRPC, but cannot be diagnosed',
      }),
      signals: Type.Array(SignalAnswer),
    }),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewScan', title: 'SkewScan' },
);
export type SkewScan = Static<typeof SkewScan>;

/**
 * ProbeCensus: the probes of a namespace or of a cluster, as published data.
 *
 * The rules of SkewReport hold: only additions within a version, null means not known, sorted arrays.
 */
import { type Static, Type } from 'typebox';
import { reportApiVersion } from './api-version.ts';
import { confidences, probeFaultIds } from './ids.ts';
import { ProbeCounts, SignalAnswer } from './schema.ts';
import { nullable, oneOf, text } from './types.ts';

const probeTypes = ['liveness', 'readiness', 'startup'] as const;
const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

/** Probes by what they do. A container's liveness, readiness and startup probes are one each. */
export const ProbeKinds = Type.Object({ httpGet: count(), exec: count(), tcpSocket: count(), grpc: count() });
export type ProbeKinds = Static<typeof ProbeKinds>;

/** A gRPC probe (kubelet's own, or grpc_health_probe run by exec) of one workload. */
export const GrpcProbe = Type.Object({
  namespace: Type.String(),
  workload: text('kind/name'),
  container: Type.String(),
  type: oneOf(probeTypes),
  kind: oneOf(['grpc', 'exec'] as const),
  port: nullable(Type.Union([Type.Integer(), Type.String()])),
  service: nullable(text('Service name that it asks for; "" asks for the whole server; null for exec')),
  periodSeconds: Type.Integer(),
  timeoutSeconds: Type.Integer(),
  pods: count('Pods that have it'),
  failedPods: nullable(count('Pods of which Events tell failures; null when Events were not seen')),
  failures: count('Failures that Events tell'),
  failureKinds: Type.Array(Type.String(), { description: 'Of what kind they are' }),
  counted: nullable(ProbeCounts),
});
export type GrpcProbe = Static<typeof GrpcProbe>;

export const ProbeFinding = Type.Object({
  id: oneOf(probeFaultIds),
  confidence: oneOf(confidences),
  namespace: Type.String(),
  workload: Type.String(),
  container: nullable(Type.String()),
  pods: count(),
  text: Type.String(),
  evidence: Type.Array(Type.String()),
  settledBy: Type.Array(Type.String()),
});
export type ProbeFinding = Static<typeof ProbeFinding>;

export const ProbeCensus = Type.Object(
  {
    apiVersion: Type.Literal(reportApiVersion),
    kind: Type.Literal('ProbeCensus'),
    metadata: Type.Object({
      namespace: nullable(text('Null: all namespaces')),
      context: nullable(Type.String()),
      generatedAt: text('The time of the last look (RFC 3339)'),
      toolVersion: Type.String(),
    }),
    status: Type.Object({
      pods: count('Pods that have not ended'),
      podsWithProbes: count(),
      workloads: count(),
      probes: count('Probes of containers in these pods'),
      kinds: ProbeKinds,
      byType: Type.Array(Type.Object({ type: oneOf(probeTypes), ...ProbeKinds.properties })),
      results: nullable(
        Type.Array(Type.Object({ type: oneOf(probeTypes), ...ProbeCounts.properties }), {
          description: 'By kubelet’s counters; null unless they were asked for and seen',
        }),
      ),
      grpcProbes: Type.Array(GrpcProbe),
      findings: Type.Array(ProbeFinding, { description: 'Most certain first' }),
      signals: Type.Array(SignalAnswer),
    }),
  },
  { $id: 'urn:grpc-skew:v1alpha1:ProbeCensus', title: 'ProbeCensus' },
);
export type ProbeCensus = Static<typeof ProbeCensus>;

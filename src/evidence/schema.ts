/**
 * SkewEvidence: all that was seen of the cluster, as plain data.
 *
 * It is an allow-list. Readers copy the fields below one by one and leave the rest of an API object behind, so that
 * environment values, arguments, annotations and credentials have no way into a record. Absent means not known:
 * no field here says 0, "" or false for something that was not seen.
 *
 * Times are RFC 3339 in UTC. Addresses are plain IP text: IPv4-mapped IPv6 is written as IPv4, without zone.
 */
import { type Static, Type } from 'typebox';
import { evidenceApiVersion } from './api-version.ts';
import { count, nullable, text, time } from './kinds.ts';
import { CallFailure, CallLook, ClientLook, ExecsElsewhere, ProbeLook, SocketFailure, SocketLook } from './looks.ts';
import { Autoscaler, Deployment, EndpointSlice, Happening, Node, PeerPod, Pod, PodUsage, Service } from './objects.ts';
import { Path, ProxyLooks } from './path-schema.ts';
import { PrometheusLook } from './prometheus.ts';
import { type SignalId, signalIds } from './signal-ids.ts';

export type { SignalId };
export { signalIds };

/** What became of one signal. */
export const SignalState = Type.Object({
  id: Type.Unsafe<SignalId>(Type.Enum([...signalIds])),
  state: Type.Union([
    Type.Literal('complete'),
    Type.Literal('partial'),
    Type.Literal('forbidden'),
    Type.Literal('unavailable'),
    Type.Literal('skipped'),
  ]),
  reason: nullable(text('Why it is not complete, in words')),
  needs: nullable(text('The right that is missing, as in a Role: "list pods.metrics.k8s.io"')),
  lookedAt: nullable(time('When the answer arrived, by the API server where it says so')),
});
export type SignalState = Static<typeof SignalState>;

export const SkewEvidence = Type.Object(
  {
    apiVersion: Type.Literal(evidenceApiVersion),
    kind: Type.Literal('SkewEvidence'),
    metadata: Type.Object({
      name: text('The Service'),
      namespace: Type.String(),
      context: nullable(Type.String()),
      toolVersion: Type.String(),
      now: time('The time of the last look: what ages are counted from'),
    }),
    spec: Type.Object({
      port: nullable(text('What --port asked for: a number or a name')),
      askedWindowSeconds: Type.Optional(
        Type.Number({
          description: 'Distance of the two samples that was asked for; 0: one sample. A report has the measured one',
        }),
      ),
      longestWindowSeconds: Type.Optional(
        Type.Number({ description: 'Until when the second sample might be taken again, while nothing was decided' }),
      ),
      windowSeconds: Type.Optional(Type.Number({ description: 'What older records call askedWindowSeconds' })),
    }),
    signals: Type.Array(SignalState),
    service: nullable(Service),
    endpointSlices: nullable(Type.Array(EndpointSlice)),
    pods: nullable(Type.Array(Pod, { description: 'Pods that the selector or an endpoint names' })),
    usage: nullable(Type.Array(PodUsage)),
    connections: nullable(
      Type.Object({
        looks: Type.Array(SocketLook),
        failures: Type.Array(SocketFailure),
        execs: count('Commands run in containers'),
        elsewhere: Type.Optional(
          Type.Array(ExecsElsewhere, { description: 'Those of them that ran in other pods than those of the Service' }),
        ),
      }),
    ),
    calls: Type.Optional(nullable(Type.Object({ looks: Type.Array(CallLook), failures: Type.Array(CallFailure) }))),
    probeMetrics: Type.Optional(nullable(Type.Object({ looks: Type.Array(ProbeLook) }))),
    prometheus: Type.Optional(nullable(PrometheusLook)),
    peers: nullable(
      Type.Object({
        scope: Type.Union([Type.Literal('cluster'), Type.Literal('namespace')]),
        pods: Type.Array(PeerPod),
      }),
    ),
    clientLooks: Type.Optional(
      nullable(
        Type.Object({
          looks: Type.Array(ClientLook),
          failures: Type.Array(Type.Object({ pod: Type.String(), namespace: Type.String(), message: Type.String() })),
        }),
      ),
    ),
    formerPods: Type.Optional(
      nullable(Type.Array(Pod, { description: 'Pods that were of the Service and may still hold its connections' })),
    ),
    nodes: nullable(Type.Array(Node)),
    deployments: nullable(Type.Array(Deployment)),
    happenings: nullable(Type.Array(Happening)),
    autoscalers: Type.Optional(nullable(Type.Array(Autoscaler))),
    path: Type.Optional(nullable(Path)),
    proxies: Type.Optional(nullable(ProxyLooks)),
    siblings: Type.Optional(nullable(Type.Array(Service, { description: 'Other Services over the same pods' }))),
    namesakes: Type.Optional(
      nullable(
        Type.Array(Type.String(), { description: 'Names of other Services that begin as the name of this one does' }),
      ),
    ),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewEvidence', title: 'SkewEvidence' },
);
export type SkewEvidence = Static<typeof SkewEvidence>;

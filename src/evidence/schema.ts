/**
 * SkewEvidence: all that was seen of the cluster, as plain data.
 *
 * It is an allow-list. Readers copy the fields below one by one and leave the rest of an API object behind, so that
 * environment values, arguments, annotations and credentials have no way into a record. Absent means not known:
 * no field here says 0, "" or false for something that was not seen.
 *
 * Times are RFC 3339 in UTC. Addresses are plain IP text: IPv4-mapped IPv6 is written as IPv4, without zone.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { MeshMarks, Path } from './path-schema.ts';
import { type SignalId, signalIds } from './signal-ids.ts';

export type { SignalId };
export { signalIds };

export const evidenceApiVersion = 'grpc-skew/v1alpha1';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ description: `${description} (RFC 3339, UTC)` });
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** One established TCP connection, as the pod's own network namespace shows it. */
export const Socket = Type.Object({
  localAddress: Type.String(),
  localPort: Type.Integer({ minimum: 0, maximum: 65535 }),
  peerAddress: Type.String(),
  peerPort: Type.Integer({ minimum: 0, maximum: 65535 }),
  receiveQueueBytes: Type.Optional(count('Received by the kernel, not yet read by the program')),
  sendQueueBytes: Type.Optional(count('Sent by the program, not yet acknowledged by the peer')),
  bytesReceived: Type.Optional(count('Bytes received over the lifetime of the connection')),
  bytesAcked: Type.Optional(count('Bytes sent and acknowledged over the lifetime of the connection')),
  segmentsIn: Type.Optional(
    count('Segments with data received over the lifetime: a stand-in for the number of messages'),
  ),
  segmentsOut: Type.Optional(count('Segments with data sent over the lifetime')),
  lastReceivedMs: Type.Optional(count('Milliseconds since data was last received')),
});
export type Socket = Static<typeof Socket>;

/** How the sockets of a pod were read, best first. Only `ss` knows bytes. */
export const SocketWay = Type.Union([
  Type.Literal('ss'),
  Type.Literal('ss-unfiltered'),
  Type.Literal('netstat'),
  Type.Literal('proc'),
]);
export type SocketWay = Static<typeof SocketWay>;

/** One look at the sockets of one pod. */
export const SocketLook = Type.Object({
  pod: text('Name of the pod'),
  podUid: Type.String(),
  container: nullable(text('The container in which the command ran')),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  way: SocketWay,
  lookedAt: time('When the answer arrived'),
  sockets: Type.Array(Socket, { description: 'Established sockets whose local port is wanted; others are dropped' }),
  timeWait: Type.Optional(count('Sockets in TIME-WAIT at the wanted ports, where the way shows them')),
  unreadableRows: count('Rows that could not be read'),
});
export type SocketLook = Static<typeof SocketLook>;

/** Why the sockets of a pod were not seen. */
export const SocketFailure = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  reason: Type.Union([
    Type.Literal('forbidden'),
    Type.Literal('refused'),
    Type.Literal('no-tool'),
    Type.Literal('not-running'),
    Type.Literal('timeout'),
    Type.Literal('unreachable'),
    Type.Literal('no-upgrade'),
    Type.Literal('near-memory-limit'),
    Type.Literal('not-sampled'),
    Type.Literal('failed'),
  ]),
  message: text('In words, with what the server said; without values from the environment'),
});
export type SocketFailure = Static<typeof SocketFailure>;

export const ServicePort = Type.Object({
  name: nullable(Type.String()),
  port: Type.Integer(),
  targetPort: nullable(Type.Union([Type.Integer(), Type.String()])),
  protocol: Type.String(),
  appProtocol: nullable(Type.String()),
});
export type ServicePort = Static<typeof ServicePort>;

export const Service = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  type: Type.String(),
  clusterIP: nullable(text('"None" for a headless Service')),
  clusterIPs: Type.Array(Type.String()),
  selector: Type.Record(Type.String(), Type.String()),
  ports: Type.Array(ServicePort),
  sessionAffinity: text('None or ClientIP'),
  sessionAffinityTimeoutSeconds: nullable(Type.Integer()),
  internalTrafficPolicy: nullable(Type.String()),
  externalTrafficPolicy: nullable(Type.String()),
  trafficDistribution: nullable(Type.String()),
  topologyMode: nullable(text('Annotation service.kubernetes.io/topology-mode')),
  publishNotReadyAddresses: Type.Boolean(),
  createdAt: nullable(time('Creation')),
  labels: Type.Record(Type.String(), Type.String()),
  loadBalancerAddresses: Type.Optional(Type.Array(Type.String(), { description: 'Of status.loadBalancer' })),
});
export type Service = Static<typeof Service>;

export const Endpoint = Type.Object({
  addresses: Type.Array(Type.String()),
  ready: nullable(Type.Boolean()),
  serving: nullable(Type.Boolean()),
  terminating: nullable(Type.Boolean()),
  pod: nullable(Type.Object({ name: Type.String(), namespace: Type.String(), uid: Type.String() })),
  nodeName: nullable(Type.String()),
  zone: nullable(Type.String()),
  hintZones: Type.Array(Type.String()),
  hintNodes: Type.Array(Type.String()),
});
export type Endpoint = Static<typeof Endpoint>;

export const EndpointSlice = Type.Object({
  name: Type.String(),
  addressType: Type.String(),
  ports: Type.Array(
    Type.Object({
      name: nullable(Type.String()),
      port: nullable(Type.Integer()),
      protocol: Type.String(),
      appProtocol: nullable(Type.String()),
    }),
    { description: 'Empty when the slice has none: then its endpoints serve no port of the Service' },
  ),
  endpoints: Type.Array(Endpoint),
});
export type EndpointSlice = Static<typeof EndpointSlice>;

export const Owner = Type.Object({ kind: Type.String(), name: Type.String() });
export type Owner = Static<typeof Owner>;

export const Probe = Type.Object({
  type: Type.Union([Type.Literal('liveness'), Type.Literal('readiness'), Type.Literal('startup')]),
  kind: Type.Union([Type.Literal('grpc'), Type.Literal('httpGet'), Type.Literal('tcpSocket'), Type.Literal('exec')]),
  port: nullable(Type.Union([Type.Integer(), Type.String()])),
  service: nullable(text('Service name that a grpc probe asks for; "" asks for the whole server')),
  grpcHealthProbe: Type.Boolean({ description: 'An exec probe that runs grpc_health_probe' }),
  timeoutSeconds: Type.Integer(),
  periodSeconds: Type.Integer(),
  failureThreshold: Type.Integer(),
  rewritten: Type.Optional(
    Type.Boolean({ description: 'A mesh has put its own agent in the place of what the probe asked' }),
  ),
});
export type Probe = Static<typeof Probe>;

export const Container = Type.Object({
  name: Type.String(),
  image: Type.String(),
  sidecar: Type.Boolean({ description: 'An init container that keeps running (restartPolicy Always)' }),
  ports: Type.Array(Type.Object({ name: nullable(Type.String()), port: Type.Integer(), protocol: Type.String() })),
  cpuRequestMillicores: nullable(Type.Number()),
  cpuLimitMillicores: nullable(Type.Number()),
  memoryRequestBytes: nullable(Type.Number()),
  memoryLimitBytes: nullable(Type.Number()),
  running: Type.Boolean(),
  ready: Type.Boolean(),
  restarts: count('restartCount'),
  startedAt: nullable(time('Start of the running container')),
  waitingReason: nullable(Type.String()),
  lastTermination: nullable(
    Type.Object({
      reason: nullable(Type.String()),
      exitCode: nullable(Type.Integer()),
      finishedAt: nullable(Type.String()),
    }),
  ),
  probes: Type.Array(Probe),
});
export type Container = Static<typeof Container>;

export const Pod = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  uid: Type.String(),
  labels: Type.Record(Type.String(), Type.String(), {
    description: 'Only labels that name an app, a team, a release or a revision, and those of the selector',
  }),
  owner: nullable(Owner),
  addresses: Type.Array(Type.String()),
  hostNetwork: Type.Boolean(),
  hostAddress: nullable(Type.String()),
  nodeName: nullable(Type.String()),
  phase: nullable(Type.String()),
  createdAt: nullable(time('Creation')),
  startedAt: nullable(time('status.startTime')),
  deletedAt: nullable(time('deletionTimestamp: the pod is Terminating')),
  ready: nullable(
    Type.Boolean({ description: 'The Ready condition; not the containers: they stay ready when a node is lost' }),
  ),
  readySince: nullable(time('Last transition of the Ready condition')),
  containers: Type.Array(Container),
  mesh: Type.Optional(nullable(MeshMarks)),
  metricsEndpoint: Type.Optional(
    nullable(
      Type.Object(
        { port: Type.Integer(), path: Type.String(), https: Type.Boolean() },
        { description: 'Where its annotations (prometheus.io/*) or a port named for it say that it serves metrics' },
      ),
    ),
  ),
});
export type Pod = Static<typeof Pod>;

/** What a pod's own counters say of one method (or of all, where its metrics do not tell them apart). */
export const MethodCounters = Type.Object({
  service: Type.String(),
  method: Type.String(),
  streaming: nullable(Type.Boolean({ description: 'A client, server or bidirectional stream; null when not told' })),
  started: nullable(Type.Number({ description: 'Calls started since the process began' })),
  handled: nullable(Type.Number({ description: 'Calls ended since the process began' })),
  messages: nullable(Type.Number({ description: 'Messages received and sent since the process began' })),
});
export type MethodCounters = Static<typeof MethodCounters>;

/** One look at the metrics page of one pod. Health checks, reflection and channelz are left out. */
export const CallLook = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  lookedAt: time('When the answer arrived'),
  family: nullable(text('The family of metrics that was found; null when the page has none that counts calls')),
  methods: Type.Array(MethodCounters),
});
export type CallLook = Static<typeof CallLook>;

export const CallFailure = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  reason: Type.Union([
    Type.Literal('forbidden'),
    Type.Literal('refused-by-pod'),
    Type.Literal('no-endpoint'),
    Type.Literal('no-answer'),
    Type.Literal('failed'),
  ]),
  message: Type.String(),
});
export type CallFailure = Static<typeof CallFailure>;

/** What kubelet has counted of one kind of probe of one container, since the container or kubelet began. */
export const ProbeCount = Type.Object({
  pod: Type.String(),
  podUid: nullable(text('Null where kubelet does not say it: static pods, and old versions')),
  container: Type.String(),
  type: Type.Union([Type.Literal('liveness'), Type.Literal('readiness'), Type.Literal('startup')]),
  successful: Type.Number(),
  failed: Type.Number(),
  unknown: Type.Number(),
  lastResult: Type.Optional(
    Type.Union([Type.Literal('successful'), Type.Literal('failed'), Type.Literal('unknown')], {
      description: 'Old versions count nothing and tell the last result only',
    }),
  ),
  durations: nullable(
    Type.Object(
      {
        count: Type.Number(),
        sumSeconds: Type.Number(),
        p95Seconds: nullable(Type.Number({ description: 'Upper bound of the bucket of the 95th percentile' })),
      },
      { description: 'How long probes that succeeded took' },
    ),
  ),
});
export type ProbeCount = Static<typeof ProbeCount>;

/** One look at the counters of one kubelet: what is of other pods is left out. */
export const ProbeLook = Type.Object({
  node: Type.String(),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  lookedAt: time('When the answer arrived'),
  counts: Type.Array(ProbeCount),
});
export type ProbeLook = Static<typeof ProbeLook>;

/** CPU and memory of one pod over one window of the metrics API. */
export const PodUsage = Type.Object({
  pod: Type.String(),
  measuredAt: time('End of the window'),
  windowSeconds: Type.Number(),
  containers: Type.Array(
    Type.Object({ name: Type.String(), cpuMillicores: Type.Number(), memoryBytes: Type.Number() }),
  ),
});
export type PodUsage = Static<typeof PodUsage>;

/** A pod that may be a client: what is needed to name the peer of a socket. */
export const PeerPod = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  addresses: Type.Array(Type.String()),
  hostNetwork: Type.Boolean(),
  nodeName: nullable(Type.String()),
  startedAt: nullable(Type.String()),
  owner: nullable(Owner),
  labels: Type.Record(Type.String(), Type.String()),
  meshProxies: Type.Array(Type.String(), { description: 'Names of its containers that are known mesh proxies' }),
  mesh: Type.Optional(nullable(MeshMarks)),
  role: Type.Optional(
    nullable(
      Type.Union([Type.Literal('gateway'), Type.Literal('waypoint')], {
        description: 'A proxy by trade, by its labels or the name of its image',
      }),
    ),
  ),
});
export type PeerPod = Static<typeof PeerPod>;

/** One look from the other end: what a client pod dials, and what runs in it. */
export const ClientLook = Type.Object({
  pod: Type.String(),
  namespace: Type.String(),
  container: Type.String(),
  lookedAt: time('When the answer arrived'),
  dialled: Type.Array(
    Type.Object({
      what: Type.Union([Type.Literal('virtual-address'), Type.Literal('pod')]),
      service: nullable(text('The Service whose virtual address it is')),
      connections: count('Established connections'),
    }),
  ),
  runtime: nullable(
    Type.Union(
      [
        Type.Literal('java'),
        Type.Literal('node'),
        Type.Literal('python'),
        Type.Literal('dotnet'),
        Type.Literal('other'),
      ],
      { description: 'By the name of its first process; other: a static binary or anything else' },
    ),
  ),
});
export type ClientLook = Static<typeof ClientLook>;

export const Node = Type.Object({
  name: Type.String(),
  addresses: Type.Array(Type.String()),
  podCIDRs: Type.Array(Type.String()),
  zone: nullable(Type.String()),
  instanceType: nullable(Type.String()),
  ready: nullable(Type.Boolean()),
});
export type Node = Static<typeof Node>;

export const Deployment = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  replicas: nullable(Type.Integer({ description: 'spec.replicas' })),
  currentReplicas: nullable(Type.Integer({ description: 'status.replicas: old and new' })),
  updatedReplicas: nullable(Type.Integer()),
  readyReplicas: nullable(Type.Integer()),
  observed: Type.Boolean({ description: 'The controller has seen the newest generation' }),
});
export type Deployment = Static<typeof Deployment>;

/** A HorizontalPodAutoscaler, as far as it explains why it does or does not scale. */
export const Autoscaler = Type.Object({
  name: Type.String(),
  target: Owner,
  minReplicas: nullable(Type.Integer()),
  maxReplicas: nullable(Type.Integer()),
  currentReplicas: nullable(Type.Integer()),
  desiredReplicas: nullable(Type.Integer()),
  lastScaledAt: nullable(time('Last change of the number of pods')),
  metrics: Type.Array(
    Type.Object({
      type: Type.String(),
      resource: nullable(text('cpu or memory')),
      targetUtilization: nullable(Type.Number({ description: 'Percent of the requests' })),
      targetValue: nullable(Type.Number({ description: 'Cores or bytes a pod' })),
      utilization: nullable(Type.Number({ description: 'Mean of the pods now, in percent of the requests' })),
    }),
  ),
});
export type Autoscaler = Static<typeof Autoscaler>;

/** What Events say, as facts: their texts stay behind, since probe output may hold anything. */
export const Happening = Type.Union([
  Type.Object({
    kind: Type.Literal('scaled'),
    workload: Owner,
    replicaSet: Type.String(),
    from: nullable(Type.Integer()),
    to: Type.Integer(),
    at: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('unhealthy'),
    pod: Type.String(),
    podUid: nullable(Type.String()),
    container: nullable(Type.String()),
    probe: Type.Union([
      Type.Literal('liveness'),
      Type.Literal('readiness'),
      Type.Literal('startup'),
      Type.Literal('unknown'),
    ]),
    failure: Type.Union([
      Type.Literal('timeout'),
      Type.Literal('not-serving'),
      Type.Literal('unknown-service'),
      Type.Literal('unimplemented'),
      Type.Literal('connection'),
      Type.Literal('connect-timeout'),
      Type.Literal('tls'),
      Type.Literal('status'),
      Type.Literal('other'),
    ]),
    times: count('How often'),
    firstAt: Type.String(),
    at: Type.String(),
  }),
  Type.Object({
    kind: Type.Union([Type.Literal('killed'), Type.Literal('back-off'), Type.Literal('evicted')]),
    pod: Type.String(),
    podUid: nullable(Type.String()),
    times: count('How often'),
    at: Type.String(),
  }),
]);
export type Happening = Static<typeof Happening>;

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
      windowSeconds: Type.Number({ description: 'Asked distance of the two samples; 0: one sample' }),
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
      }),
    ),
    calls: Type.Optional(nullable(Type.Object({ looks: Type.Array(CallLook), failures: Type.Array(CallFailure) }))),
    probeMetrics: Type.Optional(nullable(Type.Object({ looks: Type.Array(ProbeLook) }))),
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
    siblings: Type.Optional(nullable(Type.Array(Service, { description: 'Other Services over the same pods' }))),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewEvidence', title: 'SkewEvidence' },
);
export type SkewEvidence = Static<typeof SkewEvidence>;

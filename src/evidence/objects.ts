/** The API's objects, as far as they are kept. */
import { type Static, Type } from 'typebox';
import { count, nullable, text, time } from './kinds.ts';
import { MeshMarks } from './path-schema.ts';

/** What a manager of fields set, by `metadata.managedFields`. */
export const Change = Type.Object({
  manager: text('As the API names who changed the object: kubectl-edit, helm, kube-controller-manager'),
  at: nullable(time('Its last change of any field that it set; of the number of pods the API does not always say it')),
  fields: Type.Array(
    Type.Union([
      Type.Literal('sessionAffinity'),
      Type.Literal('internalTrafficPolicy'),
      Type.Literal('externalTrafficPolicy'),
      Type.Literal('trafficDistribution'),
      Type.Literal('topologyMode'),
      Type.Literal('selector'),
      Type.Literal('replicas'),
    ]),
    { description: 'Of these fields those that it set' },
  ),
  alone: Type.Boolean({ description: 'It set nothing else, so that the time is that of this field' }),
});
export type Change = Static<typeof Change>;

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
  changes: Type.Optional(Type.Array(Change)),
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
  managedBy: Type.Optional(
    nullable(
      Type.Union(
        [
          Type.Literal('controller'),
          Type.Literal('mirroring'),
          Type.Literal('cilium-mesh'),
          Type.Literal('other-cluster'),
          Type.Literal('other'),
        ],
        { description: 'Label endpointslice.kubernetes.io/managed-by, or that of a cluster it was taken from' },
      ),
    ),
  ),
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
  changes: Type.Optional(Type.Array(Change)),
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
    times: Type.Optional(count('How often the very same step was taken')),
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

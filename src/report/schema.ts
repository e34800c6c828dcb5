/**
 * SkewReport: what the diagnosis says, as published data with the shape of a Kubernetes object.
 *
 * Within a version only additions are made. Units stand in the field names; shares and probabilities are 0..1;
 * null means not known, never 0. Arrays are sorted, so that the same evidence gives the same bytes.
 */
import { type Static, Type } from 'typebox';
import { Recommendation, Relief } from './advice.ts';
import { reportApiVersion } from './api-version.ts';
import { Comparison } from './comparison.ts';
import {
  bases,
  causeIds,
  confidences,
  figureSources,
  podMarks,
  spans,
  states,
  type VerdictKind,
  verdictKinds,
} from './ids.ts';
import { clusterFlags, fraction, nullable, oneOf, text, texts } from './types.ts';

export const verdictKind = Type.Optional(
  nullable(
    Type.Unsafe<VerdictKind>(
      Type.Enum([...verdictKinds], {
        description:
          'What people read in the place of not-load-balancing; outage also beside no-traffic, null elsewhere',
      }),
    ),
  ),
);

const Verdict = Type.Object({
  state: oneOf(states),
  kind: verdictKind,
  basis: nullable(oneOf(bases)),
  source: Type.Optional(nullable(oneOf(figureSources))),
  span: Type.Optional(nullable(oneOf(spans))),
  confidence: oneOf(confidences),
  summary: text('One line: "10 pods do the work of 2.7: 7 are idle"'),
  settledBy: nullable(text('For unknown: the one look that would settle it')),
  settledInSeconds: Type.Optional(
    nullable(
      Type.Number({
        description:
          'The --window that would probably settle the state, by the calls of now; null: what was counted settles it, or no window would',
      }),
    ),
  ),
});

export const Impact = Type.Object({
  level: oneOf(['none', 'risk', 'harm', 'unknown'] as const),
  text: text('The hottest pod against its limits, restarts'),
});
export type Impact = Static<typeof Impact>;

export const Chance = Type.Object({
  method: oneOf(['exact', 'chi-square', 'monte-carlo', 'not-applicable'] as const),
  probability: fraction('Probability that random placement of these connections alone is at least this uneven'),
  expectedEffectivePods: nullable(
    Type.Number({ description: 'Effective pods that random placement gives on average' }),
  ),
  reason: nullable(text('Why it does not apply')),
});
export type Chance = Static<typeof Chance>;

export const Skew = Type.Object({
  pods: Type.Integer({ description: 'Ready endpoints of this port that have a pod' }),
  seenPods: Type.Integer({ description: 'Of these, how many were measured on the basis' }),
  idlePods: Type.Integer({ description: 'Under 5 % of the expected share' }),
  effectivePods: nullable(Type.Number({ description: 'How many evenly loaded pods would do the same work' })),
  effectivePodsRange: nullable(
    Type.Tuple([Type.Number(), Type.Number()], { description: 'With the pods that were not seen' }),
  ),
  peakToMean: nullable(Type.Number({ description: 'Largest share over its expected share' })),
  gini: nullable(Type.Number()),
  chance: Chance,
  against: Type.Optional(
    nullable(text('The setting or route whose shares the figures are held against; null: the same share for each pod')),
  ),
  ageOrder: nullable(
    Type.Object({
      youngestIdle: Type.Integer({ description: 'So many of the youngest pods hold no connection' }),
      probability: Type.Number({ description: 'Probability of that if placement did not depend on age' }),
    }),
  ),
});
export type Skew = Static<typeof Skew>;

export const Distribution = Type.Object({
  basis: oneOf(bases),
  span: oneOf(spans),
  seconds: nullable(Type.Number({ description: 'Length of the window' })),
  pods: Type.Integer({ description: 'Pods with a value' }),
  effectivePods: nullable(Type.Number()),
  peakToMean: nullable(Type.Number()),
  idlePods: nullable(Type.Integer()),
  events: nullable(Type.Integer({ description: 'Counted events behind it; null where it is not a count' })),
  reading: oneOf(['even', 'uneven', 'within-noise', 'unknown'] as const),
  source: Type.Optional(
    Type.Unsafe<(typeof figureSources)[number]>(
      Type.Enum([...figureSources], {
        description:
          'Where the figures come from; interface: what the network interfaces of the pods receive, by Prometheus, so all traffic and not that of the port alone',
      }),
    ),
  ),
});
export type Distribution = Static<typeof Distribution>;

export const ReportPod = Type.Object({
  name: Type.String(),
  node: nullable(Type.String()),
  zone: nullable(Type.String()),
  endpoint: Type.Boolean({ description: 'A ready endpoint of the port' }),
  ready: nullable(Type.Boolean()),
  ageSeconds: nullable(Type.Integer()),
  readySeconds: nullable(Type.Integer()),
  restarts: Type.Integer(),
  load: fraction('Share of the load, on the basis of the verdict'),
  expectedShare: fraction('Share that a fair placement would give'),
  shares: Type.Object({
    connections: fraction('Of the client connections'),
    bytes: fraction('Of the bytes'),
    calls: fraction('Of the calls, or of the messages of long calls'),
    cpu: fraction('Of the CPU'),
  }),
  connections: nullable(Type.Integer({ description: 'Established client connections at the target port' })),
  callsPerSecond: nullable(Type.Number({ description: 'By its own counters, over the window' })),
  bytesPerSecond: nullable(Type.Number({ description: 'Received and acknowledged, over the window' })),
  bytesTotal: nullable(
    Type.Number({ description: 'Received and acknowledged, over the lifetime of the present connections' }),
  ),
  cpuMillicores: nullable(Type.Number({ description: 'Of the container that serves the port' })),
  cpuLimitMillicores: nullable(Type.Number()),
  throttledShare: fraction('Of its CPU periods, those in which it was held back at its limit; by Prometheus'),
  receivedPerSecond: nullable(
    Type.Number({ description: 'Bytes that its network interfaces receive from anybody; by Prometheus' }),
  ),
  memoryBytes: nullable(Type.Number()),
  memoryLimitBytes: nullable(Type.Number()),
  past: Type.Optional(
    Type.Array(nullable(Type.Number()), {
      description:
        'How many even shares of the load it had over the last hour: equal parts of it, the oldest first; null: not known. By Prometheus, on the basis of its first history',
    }),
  ),
  marks: Type.Array(oneOf(podMarks)),
  notSeen: nullable(text('Why its connections were not seen')),
});
export type ReportPod = Static<typeof ReportPod>;

/** What stands behind a peer address. `address`: of some network of ours, but no pod that could be seen. */
const clientKinds = ['workload', 'gateway', 'mesh-proxy', 'node', 'load-balancer', 'outside', 'address'] as const;

export const Client = Type.Object({
  workload: text('kind/name; an address where it is no pod that could be seen'),
  kind: oneOf(clientKinds),
  namespace: nullable(Type.String()),
  team: nullable(Type.String()),
  pods: Type.Integer({ description: 'Client pods, or addresses' }),
  connections: Type.Integer(),
  podsReached: Type.Integer({ description: 'Server pods that it is connected to' }),
  loadShare: fraction('Share of all load, where bytes are known'),
  perPod: Type.Array(Type.Object({ pod: Type.String(), connections: Type.Integer() })),
  bytesPerSecond: nullable(Type.Number({ description: 'Received and acknowledged at the pods, over the window' })),
  startedSeconds: nullable(
    Type.Integer({ description: 'Since the longest-running of its pods that were seen started' }),
  ),
  podsSince: nullable(Type.Integer({ description: 'Pods of the Service that became Ready after that' })),
  dials: Type.Array(
    Type.Object({
      what: oneOf(['virtual-address', 'pod', 'not-known'] as const),
      service: nullable(text('The Service whose name was dialled, as far as that can be told')),
      connections: Type.Integer(),
    }),
    { description: 'By its own sockets, where they were looked at' },
  ),
  runtime: nullable(oneOf(['java', 'node', 'python', 'dotnet', 'other'] as const)),
});
export type Client = Static<typeof Client>;

/** One thing that stands in the path. */
export const PathHop = Type.Object({
  kind: oneOf([
    'client-sidecar',
    'server-sidecar',
    'ambient',
    'waypoint',
    'gateway',
    'proxyless-xds',
    'cilium',
    'route',
    'destination-rule',
    'ingress',
    'kube-proxy',
  ] as const),
  name: Type.String(),
  layer: nullable(Type.Integer({ description: '7: it chooses a pod for each call; 4: for each connection' })),
  text: Type.String(),
});
export type PathHop = Static<typeof PathHop>;

export const PathAnswer = Type.Object({
  hops: Type.Array(PathHop, { description: 'From the client to the pod' }),
  protocol: Type.Object({
    reading: oneOf(['http2', 'http1', 'tcp', 'detected'] as const),
    from: nullable(oneOf(['appProtocol', 'name', 'port'] as const)),
    text: text('What the declaration of the port means to a mesh or gateway'),
  }),
  ciliumAgents: Type.Optional(
    Type.Array(
      Type.Object({
        node: Type.String(),
        redirects: nullable(
          Type.Integer({ description: 'Ports that the agent leads through Envoy; 0: nothing passes there' }),
        ),
      }),
      { description: 'Nodes whose Cilium agent was asked' },
    ),
  ),
  controlPlane: Type.Optional(
    nullable(
      Type.Object(
        {
          pods: Type.Integer(),
          proxies: nullable(Type.Integer({ description: 'Proxies, and gRPC libraries, that are connected to it' })),
          pushes: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() }), {
            description: 'Since it began, by type; eds: endpoints',
          }),
        },
        { description: 'What istiod counts, over all of its pods that answered' },
      ),
    ),
  ),
  kubeProxyMode: nullable(Type.String()),
  socketLoadBalancing: nullable(oneOf(['all', 'host-only', 'off'] as const)),
});
export type PathAnswer = Static<typeof PathAnswer>;

export const Cause = Type.Object({
  id: oneOf(causeIds),
  title: Type.String(),
  confidence: oneOf(confidences),
  text: text('Why, in one line, with this Service’s numbers'),
  evidence: texts('What speaks for it'),
  against: texts('What speaks against it'),
  settledBy: texts('What would settle it'),
});
export type Cause = Static<typeof Cause>;

const ServicePorts = Type.Array(
  Type.Object({
    name: nullable(Type.String()),
    port: Type.Integer(),
    targetPort: nullable(Type.Union([Type.Integer(), Type.String()])),
    protocol: Type.String(),
    appProtocol: nullable(Type.String()),
  }),
);

/** Another Service over some of the same pods. */
export const SiblingAnswer = Type.Object({
  name: Type.String(),
  type: Type.String(),
  headless: Type.Boolean(),
  publishNotReadyAddresses: Type.Boolean(),
  selector: Type.Record(Type.String(), Type.String()),
  ports: ServicePorts,
});
export type SiblingAnswer = Static<typeof SiblingAnswer>;

/** What the Service is, as far as a change of it needs to know. */
export const ServiceAnswer = Type.Object({
  type: Type.String(),
  headless: Type.Boolean(),
  selector: Type.Record(Type.String(), Type.String()),
  labels: Type.Record(Type.String(), Type.String(), { description: 'Those that name an app, a team or a release' }),
  ports: ServicePorts,
  proxies: texts('Proxies between clients and pods that choose a pod for each call'),
  workloads: Type.Optional(texts('What runs its pods: kind/name')),
  siblings: Type.Optional(
    nullable(
      Type.Array(SiblingAnswer, {
        description: 'Other Services over the same pods, by name; null: the Services of the namespace were not seen',
      }),
    ),
  ),
  namesakes: Type.Optional(
    nullable(texts('Names of other Services of the namespace that begin as the name of this one does; null: not seen')),
  ),
});
export type ServiceAnswer = Static<typeof ServiceAnswer>;

export const ProbeCounts = Type.Object(
  {
    successful: Type.Integer({ description: 'Since the containers, or their kubelets, began' }),
    failed: Type.Integer(),
    unknown: Type.Integer(),
    window: nullable(
      Type.Object({ probes: Type.Integer(), failed: Type.Integer() }, { description: 'Between two looks' }),
    ),
    meanSeconds: nullable(Type.Number({ description: 'Of probes that succeeded, in the slowest pod' })),
    p95Seconds: nullable(Type.Number({ description: '95 % of them took at most that' })),
  },
  { description: 'What kubelets have counted; null unless it was asked for' },
);
export type ProbeCounts = Static<typeof ProbeCounts>;

export const ProbeAnswer = Type.Object({
  container: Type.String(),
  type: oneOf(['liveness', 'readiness', 'startup'] as const),
  kind: oneOf(['grpc', 'httpGet', 'tcpSocket', 'exec'] as const),
  port: nullable(Type.Union([Type.Integer(), Type.String()])),
  service: nullable(text('Service name that a grpc probe asks for')),
  timeoutSeconds: Type.Integer(),
  periodSeconds: Type.Integer(),
  pods: Type.Integer({ description: 'Pods that have it' }),
  countedBy: Type.Optional(nullable(oneOf(['kubelet', 'prometheus'] as const))),
  failedPods: nullable(
    Type.Integer({ description: 'Pods of which Events tell failures; null when Events were not seen' }),
  ),
  failures: Type.Integer({ description: 'Failures that Events tell' }),
  counted: nullable(ProbeCounts),
});
export type ProbeAnswer = Static<typeof ProbeAnswer>;

/** How the load was spread over the last hour, on one basis. */
export const PastLoad = Type.Object({
  basis: oneOf(['calls', 'bytes', 'cpu'] as const),
  stepSeconds: Type.Number(),
  rateSeconds: Type.Number({ description: 'Each point stands for so many seconds before it' }),
  evenUntil: nullable(text('The last time at which it was not uneven, where it is uneven since')),
  unevenSince: nullable(text('Uneven from then on without a break, to the last point')),
  points: Type.Array(
    Type.Object({
      time: Type.String(),
      pods: Type.Integer({ description: 'That were there' }),
      effectivePods: Type.Number(),
      peakToMean: Type.Number(),
      reading: oneOf(['even', 'uneven'] as const),
    }),
  ),
});
export type PastLoad = Static<typeof PastLoad>;

export const PrometheusAnswer = Type.Object(
  {
    source: text('Its URL without credentials, or namespace/service:port'),
    way: oneOf(['url', 'service', 'recording'] as const),
    history: Type.Array(PastLoad, { description: 'The load over the last hour' }),
  },
  { description: 'The Prometheus that was asked' },
);
export type PrometheusAnswer = Static<typeof PrometheusAnswer>;

const TimelineEntry = Type.Object({ time: Type.String(), text: Type.String() });

export const SignalAnswer = Type.Object({
  id: Type.String(),
  state: oneOf(['complete', 'partial', 'forbidden', 'unavailable', 'skipped'] as const),
  reason: nullable(Type.String()),
  needs: nullable(text('The right that is missing')),
  settles: nullable(text('What it would have settled')),
  ageSeconds: nullable(Type.Integer({ description: 'Age of the figure itself' })),
});
export type SignalAnswer = Static<typeof SignalAnswer>;

const Headline = Type.Object(
  {
    since: nullable(Type.String()),
    why: Type.String(),
    whyConfidence: nullable(oneOf(confidences)),
    now: Type.String(),
    fix: Type.String(),
    notSeen: Type.Array(Type.String()),
  },
  { description: 'What is read first, the same in every output' },
);

export const SkewReport = Type.Object(
  {
    apiVersion: Type.Literal(reportApiVersion),
    kind: Type.Literal('SkewReport'),
    metadata: Type.Object({
      name: Type.String(),
      namespace: Type.String(),
      context: nullable(Type.String()),
      connection: clusterFlags,
      generatedAt: text('The time of the last look (RFC 3339)'),
      toolVersion: Type.String(),
    }),
    spec: Type.Object({
      port: nullable(
        Type.Object({ name: nullable(Type.String()), port: Type.Integer(), targetPort: nullable(Type.Integer()) }),
      ),
      portNote: nullable(text('How the port was chosen among several')),
      windowSeconds: nullable(
        Type.Number({ description: 'Distance of the two samples as it was; null with one sample' }),
      ),
    }),
    status: Type.Object({
      service: ServiceAnswer,
      verdict: Verdict,
      headline: Headline,
      impact: Impact,
      skew: nullable(Skew),
      distributions: Type.Array(Distribution),
      pods: Type.Array(ReportPod, { description: 'Hottest first' }),
      clients: Type.Array(Client, { description: 'Most connections first' }),
      path: PathAnswer,
      leftOut: Type.Array(Type.Object({ what: Type.String(), connections: Type.Integer(), why: Type.String() })),
      causes: Type.Array(Cause, { description: 'Most certain first' }),
      recommendation: Recommendation,
      relief: Type.Array(Relief),
      avoid: texts('What not to do'),
      probes: Type.Array(ProbeAnswer),
      prometheus: nullable(PrometheusAnswer),
      timeline: Type.Array(TimelineEntry, { description: 'Newest first, at most five' }),
      signals: Type.Array(SignalAnswer),
      warnings: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
      execs: Type.Integer({ description: 'Commands run in containers' }),
      execPods: Type.Integer({ description: 'Pods of the Service in which commands ran' }),
      execsElsewhere: Type.Optional(
        Type.Array(
          Type.Object({
            where: oneOf(['clients', 'cilium-agents'] as const),
            execs: Type.Integer({ description: 'Commands run there' }),
            pods: Type.Integer({ description: 'Pods in which they ran' }),
          }),
          { description: 'Those of `execs` that ran in other pods than those of the Service' },
        ),
      ),
      execWays: Type.Record(Type.String(), Type.Integer(), {
        description: 'Pods by the command that answered: ss, netstat or proc (/proc/net/tcp); only ss knows bytes',
      }),
      limits: Type.Record(Type.String(), Type.Number(), { description: 'The limits that the verdict used' }),
      comparison: Type.Optional(Comparison),
    }),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewReport', title: 'SkewReport' },
);
export type SkewReport = Static<typeof SkewReport>;

/** The published ids: kebab-case, the same on the command line, in JSON and in the docs. */

export const states = ['skewed', 'balanced', 'not-load-balancing', 'no-traffic', 'unknown'] as const;
export type State = (typeof states)[number];

/** What a fault that is none of balancing comes to. */
export const verdictKinds = ['outage', 'fault', 'by-setting', 'single-pod'] as const;
export type VerdictKind = (typeof verdictKinds)[number];

/** What a comparison with an earlier run comes to. */
export const comparisonResults = ['improved', 'unchanged', 'worse', 'cannot-tell'] as const;
export type ComparisonResult = (typeof comparisonResults)[number];

export const bases = ['messages', 'calls', 'bytes', 'cpu', 'connections'] as const;
export type Basis = (typeof bases)[number];

/** Over which time a figure is counted: between two looks, since the connections or processes began, or at one look. */
export const spans = ['window', 'lifetime', 'moment'] as const;

/** Where a figure comes from. */
export const figureSources = ['pod-metrics', 'sockets', 'metrics-api', 'prometheus', 'interface'] as const;
export type FigureSource = (typeof figureSources)[number];

/** The surest first. */
export const confidences = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof confidences)[number];

export const strategyIds = [
  'cluster-ip',
  'max-connection-age',
  'headless-round-robin',
  'l7-proxy',
  'proxyless-xds',
] as const;
export type StrategyId = (typeof strategyIds)[number];

export const actions = ['keep', 'complete', 'repair', 'adopt'] as const;
export type RecommendedAction = (typeof actions)[number];

export const causeIds = [
  'new-pods-idle',
  'restarted-pod',
  'few-connections',
  'chance',
  'pick-first',
  'no-re-resolution',
  'hot-client',
  'session-affinity',
  'traffic-distribution',
  'topology-hints',
  'internal-traffic-policy-local',
  'external-traffic-policy-local',
  'lb-source',
  'node-rules-stale',
  'remote-endpoints',
  'mesh-bypassed',
  'mesh-sees-tcp',
  'client-outside-mesh',
  'ambient-without-waypoint',
  'headless-with-mesh',
  'consistent-hash',
  'weighted-routing',
  'proxy-to-cluster-ip',
  'unready-but-connected',
  'pods-not-ready',
  'endpoints-missing',
  'port-not-served',
  'single-endpoint',
  'probe-misconfigured',
  'probe-failing',
  'uneven-work',
  'unequal-pods',
  'addressed-by-name',
  'not-grpc',
  'too-soon',
  'rollout-in-progress',
  'rolling-restart-order',
  'hot-connection',
  'long-streams',
  'draining',
  'connection-churn',
  're-dealt',
  'connection-leak',
  'stream-limit',
  'stuck-pod',
] as const;
export type CauseId = (typeof causeIds)[number];

/** What makes a Service's port look like gRPC, in the order in which it is believed. */
export const grpcSigns = ['app-protocol', 'port-name', 'grpc-probe', 'container-port'] as const;
export type GrpcSign = (typeof grpcSigns)[number];

/** By what a scan may be sorted: what is worst first, names and states by the alphabet. */
export const scanOrders = ['harm', 'pods-used', 'hottest', 'restarts', 'state', 'name'] as const;
export type ScanOrder = (typeof scanOrders)[number];

/** What may be wrong with the probes of a workload. */
export const probeFaultIds = [
  'unknown-service',
  'tls-mismatch',
  'no-health-service',
  'timeout-too-short',
  'liveness-restarts-together',
  'liveness-restarts',
  'probe-one-second',
  'no-readiness-probe',
  'probe-rewritten',
] as const;
export type ProbeFaultId = (typeof probeFaultIds)[number];

/** Findings that stand beside the causes; some faults of probes stand there, too. */
export const warningIds = [
  'contradictory-endpoints',
  'stale-endpoints',
  'publishes-not-ready',
  'hints-absent',
  'oom-victim',
  'sidecar-port',
  'proxy-inside',
  'full-receive-queue',
  'clients-behind-nodes',
  'uneven-proxies',
  'counters-of-all-ports',
  'subset-without-pods',
  'pods-in-no-subset',
  'no-redirects',
  'xds-unserved',
  'hpa-blind',
  'sibling-services',
  'grpclb-port',
  'scaling-flaps',
] as const;
export type WarningId = (typeof warningIds)[number];

export const podMarks = [
  'hot',
  'idle',
  'new',
  'not-ready',
  'terminating',
  'restarted',
  'oom-killed',
  'not-seen',
  'no-metrics',
] as const;
export type PodMark = (typeof podMarks)[number];

/** Languages of clients that change the advice; `mixed` stands for several. */
export const languages = ['go', 'java', 'python', 'node', 'csharp', 'cpp', 'rust', 'dart'] as const;
export type Language = (typeof languages)[number];
/** `mixed`: several at once. */
export const languageIds = [...languages, 'mixed'] as const;
export type LanguageId = (typeof languageIds)[number];

/** What can be explained, in the order of the list of all. */
export const explanationTopics = [
  'cause',
  'strategy',
  'signal',
  'state',
  'kind',
  'comparison',
  'term',
  'line',
  'column',
  'mark',
  'warning',
  'rule',
] as const;

/** What a section of an explanation tells, in the order in which it is shown. */
export const explanationSections = [
  'what',
  'means',
  'looks-like',
  'confidence',
  'rivals',
  'fits-when',
  'presupposes',
  'new-pods',
  'costs',
  'source',
  'fallback',
  'needs',
  'settles',
  'exit-code',
] as const;
export type ExplanationSection = (typeof explanationSections)[number];

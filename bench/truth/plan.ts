/**
 * A situation before it happens: what stands in the cluster, who calls whom and how, and what a look at it can see.
 * Times are seconds; 0 is when somebody begins to look, so the past is negative.
 */

export interface NodePlan {
  readonly name: string;
  readonly zone: string;
  readonly address: string;
  readonly ready: boolean;
}

export interface PodPlan {
  readonly name: string;
  readonly node: string;
  readonly address: string;
  readonly workload: string;
  /** Of the container; connections and counters begin then. */
  readonly startedAt: number;
  readonly readyAt: number;
  /** Creation, where the container has been started anew since. */
  readonly createdAt?: number;
  readonly restarts?: number;
  readonly oomKilled?: boolean;
  /** From then on its readiness probe fails; connections that exist stay. */
  readonly unreadyAt?: number;
  /** Never an endpoint: its probe asks for what the server does not have. */
  readonly neverReady?: boolean;
  /** Told to end, still there: serving what it holds. */
  readonly terminatingAt?: number;
  /** The process ends: its connections break. */
  readonly goneAt?: number;
  /** Ready, and nothing listens at the port: connections are refused. */
  readonly deaf?: boolean;
  /** From then on the process reads nothing more; the kernel still accepts. */
  readonly stuckAt?: number;
  /** CPU seconds of one call, as a multiple of the plan's. */
  readonly costFactor?: number;
  readonly cpuLimitMillicores?: number;
  /** Millicores that it uses without a call. */
  readonly baseMillicores?: number;
}

type Policy =
  /** One connection carries all calls of the channel. */
  | 'pick_first'
  /** A connection to each known address, calls in turn. */
  | 'round_robin'
  /** A connection is opened for each call and closed after it. */
  | 'per_call'
  /** A connection to each address, each call to a pod with the probability of its weight (keys, routes). */
  | 'weighted';

type Dial =
  | { readonly to: 'virtual' }
  | { readonly to: 'headless'; readonly order: 'shuffled' | 'sorted'; readonly resolve: 'on-break' | 'poll' | 'watch' }
  | { readonly to: 'pod'; readonly pod: string };

export interface ChannelPlan {
  readonly policy: Policy;
  readonly dial: Dial;
  /** Part of the client's calls; the channels of a client sum to 1. */
  readonly part: number;
}

interface StreamPlan {
  /** Streams that a channel keeps open. */
  readonly perChannel: number;
  /** Mean life; Infinity for streams that never end. */
  readonly meanSeconds: number;
}

export interface ClientPlan {
  readonly name: string;
  readonly workload: string;
  readonly namespace: string;
  readonly node: string;
  readonly address: string;
  readonly startedAt: number;
  readonly endsAt?: number;
  /** Calls a second in the long run; messages, where streams carry them. */
  readonly rate: number;
  readonly channels: readonly ChannelPlan[];
  readonly streams?: StreamPlan;
  /** Calls come in bursts: on for `duty` of each period, silent otherwise. */
  readonly burst?: { readonly periodSeconds: number; readonly duty: number };
  /** Calls come so many at once. */
  readonly clump?: number;
  /** Until then its rate was so many times the present one: a first sync, a load that falls. */
  readonly former?: { readonly until: number; readonly factor: number };
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Lives outside the cluster: comes through a load balancer's node. */
  readonly outside?: boolean;
  readonly role?: 'gateway' | 'waypoint';
  readonly sidecar?: boolean;
  /** Connections that it opened and forgot: they carry nothing. */
  readonly leaked?: number;
}

export interface ServicePlan {
  readonly headless: boolean;
  readonly affinity: boolean;
  readonly internalLocal: boolean;
  readonly externalLocal: boolean;
  readonly type: 'ClusterIP' | 'LoadBalancer';
  /** `topologyMode: Auto` or a `trafficDistribution`: both keep traffic in the zone, one on the node. */
  readonly near: 'none' | 'hints' | 'PreferSameZone' | 'PreferSameNode';
  readonly proxy: 'random' | 'ipvs-rr';
  readonly appProtocol: string | null;
  readonly statefulSet: boolean;
  /** Affinity was in force until then and is switched off now. */
  readonly affinityUntil?: number;
  /** Rules of these nodes are as they were then. */
  readonly staleNodes?: Readonly<Record<string, number>>;
}

/** What is seen of it, and how late. */
export interface Sight {
  readonly windowSeconds: number;
  readonly sockets: 'ss' | 'proc' | 'none';
  /** Tables come back without a row, as where the kernel of a sandbox shows none. */
  readonly emptyTables: boolean;
  /** Pods whose sockets were left out on purpose: there are more than are looked at. */
  readonly notSampled: readonly string[];
  /** Pods whose sockets could not be read. */
  readonly socketsMissing: readonly string[];
  readonly calls: 'all' | 'none';
  readonly callsMissing: readonly string[];
  /** Pods whose page counts calls by names that nobody knows. */
  readonly unknownPages: readonly string[];
  readonly usage: { readonly ageSeconds: number; readonly windowSeconds: number } | null;
  readonly usageMissing: readonly string[];
  readonly peers: 'cluster' | 'namespace' | 'none';
  readonly happenings: boolean;
  readonly clientLooks: boolean;
}

export interface Plan {
  readonly nodes: readonly NodePlan[];
  readonly pods: readonly PodPlan[];
  readonly service: ServicePlan;
  readonly clients: readonly ClientPlan[];
  /** MaxConnectionAge of the servers; Infinity where there is none. */
  readonly ageSeconds: number;
  readonly graceSeconds: number;
  /** When all connections broke at once. */
  readonly breaks: readonly number[];
  /** CPU of one call in milliseconds. */
  readonly cpuMsPerCall: number;
  /** Weights of pods for channels of the policy `weighted`. */
  readonly weights: Readonly<Record<string, number>>;
  /** Weights that a route, a hash in a proxy or code of the clients stands behind. */
  readonly weighting: 'none' | 'route' | 'proxy-hash' | 'client-hash';
  /** `unknown`: a proxy in each server pod whose container has no known name; it dials the application from 127.0.0.1. */
  readonly mesh: 'none' | 'istio' | 'unknown';
  /** Pods that slices still name, ready, and that are gone. */
  readonly ghosts: readonly string[];
  /** Scalings of the workload behind the Service, as events tell them. */
  readonly scalings: readonly { readonly at: number; readonly from: number; readonly to: number }[];
  /** A rollout that has not ended. */
  readonly rolling: boolean;
  readonly sees: Sight;
}

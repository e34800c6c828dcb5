import { evidenceApiVersion } from '../../src/evidence/api-version.ts';
/**
 * Builds whole Evidence from the few facts that a case is about. What is not said is a healthy ClusterIP Service: pods
 * that have been Ready for a day, with room below their limits, all seen, in two samples.
 */

import type { SocketFailure, SocketLook, SocketWay } from '../../src/evidence/looks.ts';
import type {
  Container,
  Deployment,
  Endpoint,
  Happening,
  Node,
  PeerPod,
  Pod,
  PodUsage,
  Service,
} from '../../src/evidence/objects.ts';
import type { MeshMarks, Path } from '../../src/evidence/path-schema.ts';
import type { PrometheusLook } from '../../src/evidence/prometheus.ts';
import { type SignalId, type SignalState, type SkewEvidence, signalIds } from '../../src/evidence/schema.ts';
import type { Truth } from '../cases/judge.ts';
import { ago, type CallsPlan, type ConnectionPlan, callLooks, socketsOf, uidOf } from './build-looks.ts';

const day = 86_400;
const mebibyte = 2 ** 20;

export interface PodPlan {
  readonly name: string;
  /** Since creation. */
  readonly ageSeconds?: number;
  readonly readySeconds?: number;
  /** Since the running container started, where it is not the pod's first. */
  readonly runningSeconds?: number;
  readonly restarts?: number;
  readonly lastTermination?: Container['lastTermination'];
  readonly node?: string;
  readonly zone?: string;
  /** null: the metrics API has nothing about this pod. */
  readonly cpuMillicores?: number | null;
  readonly cpuLimitMillicores?: number | null;
  readonly memoryBytes?: number;
  readonly memoryLimitBytes?: number | null;
  readonly usageSecondsAgo?: number;
  readonly address?: string;
  /** false: in no slice. */
  readonly endpoint?: false | Partial<Endpoint>;
  readonly pod?: Partial<Pod>;
  readonly container?: Partial<Container>;
  readonly sidecar?: 'istio-proxy' | 'linkerd-proxy' | 'kuma-sidecar';
  /** Port of its slice: 50051 unless the pod listens elsewhere. */
  readonly port?: number;
}

export interface ClientPlan {
  readonly name: string;
  readonly workload?: string;
  readonly namespace?: string;
  /** null: the start is not known. */
  readonly startedSeconds?: number | null;
  readonly meshProxies?: readonly string[];
  readonly mesh?: Partial<MeshMarks>;
  readonly role?: PeerPod['role'];
  readonly labels?: Readonly<Record<string, string>>;
  readonly node?: string;
}

export interface Plan {
  readonly pods: readonly PodPlan[];
  /** Pods that have left the Service. */
  readonly former?: readonly PodPlan[];
  readonly clients?: readonly ClientPlan[];
  readonly connections?: readonly ConnectionPlan[];
  readonly way?: SocketWay;
  readonly calls?: readonly CallsPlan[];
  /** 0: one sample. */
  readonly windowSeconds?: number;
  readonly service?: Partial<Service>;
  /** What a Prometheus told; without it none was asked. */
  readonly prometheus?: Partial<PrometheusLook>;
  /** What API objects say of the path; without it they were not asked. */
  readonly path?: Partial<Path>;
  readonly failures?: readonly { readonly pod: string; readonly reason: SocketFailure['reason'] }[];
  /** By pod, where a process listens; other pods have none. Without it listening sockets were not looked at. */
  readonly listening?: Readonly<Record<string, NonNullable<SocketLook['listening']>>>;
  /** TIME-WAIT sockets of each pod. */
  readonly timeWait?: number;
  readonly nodes?: readonly Node[] | null;
  readonly deployments?: readonly Deployment[] | null;
  readonly happenings?: readonly Happening[];
  readonly signals?: Partial<Record<SignalId, Partial<SignalState>>>;
  /** false: no command was run in any pod. */
  readonly exec?: boolean;
  /** false: there is no metrics API. */
  readonly usage?: boolean;
  /** Whole parts of the Evidence that a case states itself. */
  readonly also?: Partial<SkewEvidence>;
  /**
   * What holds in the world that the plan describes. A cause that is named and is not among them is wrong, and is counted
   * so in the table of calibration; without it the plan is not counted.
   */
  readonly truth?: Truth;
}

/** `count` pods echo-0, echo-1 …, all alike but for `more`. */
export function pods(count: number, more: Omit<PodPlan, 'name'> = {}, first = 0): PodPlan[] {
  return Array.from({ length: count }, (_, index) => ({ name: `echo-${first + index}`, ...more }));
}

/** `counts[i]` connections at pod echo-i, each of a client pod of its own. */
export function dealt(counts: readonly number[], more: Omit<ConnectionPlan, 'from' | 'to'> = {}): ConnectionPlan[] {
  let client = 0;
  return counts.flatMap((count, pod) =>
    Array.from({ length: count }, () => ({ from: `web-${client++}`, to: `echo-${pod}`, ...more })),
  );
}

/** Clients that balance over the pods 0 … `reached`−1: one connection from each to each. */
export function meshed(
  clients: number,
  reached: number,
  more: Omit<ConnectionPlan, 'from' | 'to'> = {},
): ConnectionPlan[] {
  return Array.from({ length: clients }, (_, client) =>
    Array.from({ length: reached }, (_, pod) => ({ from: `web-${client}`, to: `echo-${pod}`, ...more })),
  ).flat();
}

/** `counts[i]` clients web-n … on node n(i+1), in the order of their numbers. */
export function clientsOn(counts: readonly number[]): ClientPlan[] {
  let client = 0;
  return counts.flatMap((count, node) =>
    Array.from({ length: count }, () => ({ name: `web-${client++}`, node: `n${node + 1}` })),
  );
}

export const headless: Partial<Service> = { clusterIP: 'None', clusterIPs: ['None'] };

export function buildEvidence(plan: Plan): SkewEvidence {
  const windowSeconds = plan.windowSeconds ?? 10;
  const lookedAt = [...plan.pods, ...(plan.former ?? [])];
  const addresses = new Map(lookedAt.map((pod, index) => [pod.name, pod.address ?? podAddress(index)]));
  const connections = plan.connections ?? [];
  const connectionsOf = Map.groupBy(connections, ({ to }) => to);
  const clients = clientPods(plan, connections);
  const service = { ...healthyService, ...plan.service };
  const seen = lookedAt.filter((pod) => !plan.failures?.some((failure) => failure.pod === pod.name));
  const samples = windowSeconds === 0 ? ([1] as const) : ([1, 2] as const);
  const look = (pod: PodPlan, sample: 1 | 2): SocketLook => ({
    pod: pod.name,
    podUid: uidOf(pod.name),
    container: 'server',
    sample,
    way: plan.way ?? 'ss',
    lookedAt: ago(sample === samples.at(-1) ? 0 : windowSeconds),
    sockets: (connectionsOf.get(pod.name) ?? []).flatMap((connection, index) =>
      socketsOf(connection, {
        sample,
        windowSeconds,
        address: addresses.get(pod.name) ?? '',
        peerAddress: clients.addresses.get(connection.from) ?? connection.from,
        peerPort: 40_000 + index,
        port: pod.port ?? 50_051,
        knowsBytes: (plan.way ?? 'ss').startsWith('ss'),
      }),
    ),
    ...(plan.listening !== undefined && { listening: plan.listening[pod.name] ?? [] }),
    ...(plan.timeWait !== undefined && { timeWait: plan.timeWait }),
    unreadableRows: 0,
  });
  return {
    apiVersion: evidenceApiVersion,
    kind: 'SkewEvidence',
    metadata: { name: 'echo', namespace: 'shop', context: 'test', toolVersion: '0.0.0', now: ago(0) },
    spec: { port: null, windowSeconds },
    signals: signalIds.map((id) => ({
      id,
      state: 'complete',
      reason: null,
      needs: null,
      lookedAt: ago(0),
      ...plan.signals?.[id],
    })),
    service,
    endpointSlices: slicesOf(plan.pods, addresses, service.ports[0]?.name ?? null),
    pods: plan.pods.map((pod) => podOf(pod, addresses.get(pod.name) ?? '')),
    usage: plan.usage === false ? null : plan.pods.flatMap(usageOf),
    connections:
      plan.exec === false
        ? null
        : {
            looks: samples.flatMap((sample) => seen.map((pod) => look(pod, sample))),
            failures: (plan.failures ?? []).map(({ pod, reason }) => ({
              pod,
              podUid: uidOf(pod),
              sample: 1,
              reason,
              message: `the test says ${reason}`,
            })),
            execs: samples.length * seen.length,
          },
    calls:
      plan.calls === undefined
        ? null
        : { looks: plan.calls.flatMap((entry) => callLooks(entry, samples, windowSeconds)), failures: [] },
    peers: { scope: 'cluster', pods: clients.pods },
    ...(plan.former !== undefined && {
      formerPods: plan.former.map((pod) => podOf(pod, addresses.get(pod.name) ?? '')),
    }),
    ...(plan.prometheus !== undefined && { prometheus: { ...silentPrometheus, ...plan.prometheus } }),
    ...(plan.path !== undefined && { path: { ...plainPath, ...plan.path } }),
    nodes: plan.nodes === undefined ? healthyNodes : plan.nodes === null ? null : [...plan.nodes],
    deployments: plan.deployments === null ? null : [...(plan.deployments ?? [deploymentOf(plan.pods.length)])],
    happenings: [...(plan.happenings ?? [])],
    ...plan.also,
  };
}

/** Marks of a mesh, of which only those that are given are set. */
export function marks(given: Partial<MeshMarks> = {}): MeshMarks {
  return { dataplaneMode: null, redirected: false, useWaypoint: null, opaquePorts: null, xds: null, ...given };
}

/** A cluster in which nothing stands at layer 7, and in which everything could be read. */
const plainPath: Path = {
  groups: [],
  service: marks(),
  ciliumL7: false,
  traefikH2c: false,
  namespace: marks(),
  waypoints: [],
  routes: [],
  destinationRules: [],
  ciliumPolicies: [],
  ingresses: null,
  kubeProxyMode: 'iptables',
  kubeProxyReplacement: null,
  socketLoadBalancing: null,
};

/** One that was asked and told nothing. */
const silentPrometheus: PrometheusLook = {
  source: 'monitoring/prometheus-operated:9090',
  way: 'service',
  calls: [],
  traffic: [],
  usage: [],
  probes: [],
  history: [],
};

/** A Deployment whose pods are all updated and ready. */
export function deploymentOf(replicas: number, more: Partial<Deployment> = {}): Deployment {
  return {
    name: 'echo',
    namespace: 'shop',
    replicas,
    currentReplicas: replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    observed: true,
    ...more,
  };
}

const healthyService: Service = {
  name: 'echo',
  namespace: 'shop',
  type: 'ClusterIP',
  clusterIP: '10.96.0.20',
  clusterIPs: ['10.96.0.20'],
  selector: { app: 'echo' },
  ports: [{ name: 'grpc', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null }],
  sessionAffinity: 'None',
  sessionAffinityTimeoutSeconds: null,
  internalTrafficPolicy: 'Cluster',
  externalTrafficPolicy: null,
  trafficDistribution: null,
  topologyMode: null,
  publishNotReadyAddresses: false,
  createdAt: ago(30 * day),
  labels: { app: 'echo' },
};

/** Node n1 and n2: addresses 192.168.0.1 and .2, CNI bridges 10.244.0.1 and 10.245.0.1. */
export const healthyNodes: Node[] = [1, 2].map((number) => ({
  name: `n${number}`,
  addresses: [`192.168.0.${number}`],
  podCIDRs: [`10.${243 + number}.0.0/24`],
  zone: number === 1 ? 'zone-a' : 'zone-b',
  instanceType: null,
  ready: true,
}));

/** A probe as it should be. */
export function grpcReadiness(port = 50_051): Container['probes'][number] {
  const timing = { timeoutSeconds: 1, periodSeconds: 10, failureThreshold: 3 };
  return { type: 'readiness', kind: 'grpc', port, service: '', grpcHealthProbe: false, ...timing };
}

function podAddress(index: number): string {
  return `10.244.${Math.floor(index / 200)}.${10 + (index % 200)}`;
}

function podOf(plan: PodPlan, address: string): Pod {
  const age = plan.ageSeconds ?? day;
  const readySeconds = plan.readySeconds ?? Math.max(0, Math.min(age, plan.runningSeconds ?? age) - 5);
  const server: Container = {
    name: 'server',
    image: 'echo:1',
    sidecar: false,
    ports: [{ name: 'grpc', port: plan.port ?? 50_051, protocol: 'TCP' }],
    cpuRequestMillicores: 100,
    cpuLimitMillicores: plan.cpuLimitMillicores === undefined ? 1000 : plan.cpuLimitMillicores,
    memoryRequestBytes: null,
    memoryLimitBytes: plan.memoryLimitBytes === undefined ? 1024 * mebibyte : plan.memoryLimitBytes,
    running: true,
    ready: true,
    restarts: plan.restarts ?? 0,
    startedAt: ago(plan.runningSeconds ?? Math.max(0, age - 2)),
    waitingReason: null,
    lastTermination: plan.lastTermination ?? null,
    probes: [grpcReadiness(plan.port ?? 50_051)],
    ...plan.container,
  };
  const sidecar: Container = { ...server, name: plan.sidecar ?? '', image: 'proxy:1', sidecar: true, ports: [] };
  return {
    name: plan.name,
    namespace: 'shop',
    uid: uidOf(plan.name),
    labels: { app: 'echo', 'pod-template-hash': 'aaa' },
    owner: { kind: 'ReplicaSet', name: 'echo-aaa' },
    addresses: [address],
    hostNetwork: false,
    hostAddress: plan.node === 'n2' ? '192.168.0.2' : '192.168.0.1',
    nodeName: plan.node ?? 'n1',
    phase: 'Running',
    createdAt: ago(age),
    startedAt: ago(age),
    deletedAt: null,
    ready: true,
    readySince: ago(readySeconds),
    containers: plan.sidecar === undefined ? [server] : [server, sidecar],
    metricsEndpoint: null,
    ...plan.pod,
  };
}

/** One slice for each port that pods listen on. */
function slicesOf(
  plans: readonly PodPlan[],
  addresses: ReadonlyMap<string, string>,
  portName: string | null,
): SkewEvidence['endpointSlices'] {
  const byPort = Map.groupBy(
    plans.filter((pod) => pod.endpoint !== false),
    (pod) => pod.port ?? 50_051,
  );
  return [...byPort].map(([port, members]) => ({
    name: `echo-${port}`,
    addressType: 'IPv4',
    ports: [{ name: portName, port, protocol: 'TCP', appProtocol: null }],
    endpoints: members.map((pod) => {
      const ready = pod.pod?.ready !== false && pod.pod?.deletedAt == null;
      return {
        addresses: [addresses.get(pod.name) ?? ''],
        ready,
        serving: ready,
        terminating: pod.pod?.deletedAt != null,
        pod: { name: pod.name, namespace: 'shop', uid: uidOf(pod.name) },
        nodeName: pod.node ?? 'n1',
        zone: pod.zone ?? null,
        hintZones: [],
        hintNodes: [],
        ...(pod.endpoint === false ? {} : pod.endpoint),
      };
    }),
  }));
}

function usageOf(plan: PodPlan): PodUsage[] {
  if (plan.cpuMillicores === null) return [];
  const server = {
    name: 'server',
    cpuMillicores: plan.cpuMillicores ?? 100,
    memoryBytes: plan.memoryBytes ?? 100 * mebibyte,
  };
  return [{ pod: plan.name, measuredAt: ago(plan.usageSecondsAgo ?? 15), windowSeconds: 15, containers: [server] }];
}

function clientPods(
  plan: Plan,
  connections: readonly ConnectionPlan[],
): { readonly pods: PeerPod[]; readonly addresses: ReadonlyMap<string, string> } {
  const known = new Map((plan.clients ?? []).map((client) => [client.name, client]));
  const names = [...new Set([...known.keys(), ...connections.map((connection) => connection.from)])];
  const addresses = new Map<string, string>();
  const found = names.filter((name) => !/^[\d.]+$|:/.test(name));
  const peers = found.map((name, index): PeerPod => {
    const client = known.get(name);
    const address = `10.250.${Math.floor(index / 200)}.${10 + (index % 200)}`;
    addresses.set(name, address);
    const workload = client?.workload ?? 'web';
    return {
      name,
      namespace: client?.namespace ?? 'shop',
      addresses: [address],
      hostNetwork: false,
      nodeName: client?.node ?? 'n1',
      startedAt: client?.startedSeconds === null ? null : ago(client?.startedSeconds ?? day - 100),
      owner: { kind: 'ReplicaSet', name: `${workload}-bbb` },
      labels: { 'pod-template-hash': 'bbb', ...client?.labels },
      meshProxies: [...(client?.meshProxies ?? [])],
      ...(client?.mesh !== undefined && { mesh: marks(client.mesh) }),
      ...(client?.role !== undefined && { role: client.role }),
    };
  });
  return { pods: peers, addresses };
}

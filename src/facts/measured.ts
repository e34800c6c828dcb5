import type { Backend } from '../evidence/endpoints.ts';
import type { SocketFailure } from '../evidence/looks.ts';
import type { Container, Pod, PodUsage } from '../evidence/objects.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { type PodCalls, readPodCalls } from './calls.ts';
import type { EvidenceIndex } from './evidence-index.ts';
import { limits } from './limits.ts';
import { countConnections, type PodConnections } from './peers/connections.ts';
import { type InterfaceTraffic, readScrapedUsage, readTraffic, usageSource } from './prometheus.ts';

/** One pod with all that was measured of it. */
export interface MeasuredPod {
  readonly name: string;
  readonly backend: Backend;
  readonly pod: Pod | null;
  readonly sockets: PodConnections | null;
  readonly notSeen: SocketFailure | null;
  /** By the pod's own counters. */
  readonly calls: PodCalls | null;
  /** Of the container that serves the port, sidecars apart. */
  readonly cpu: {
    readonly source: 'metrics-api' | 'prometheus';
    readonly millicores: number;
    readonly requestMillicores: number | null;
    readonly limitMillicores: number | null;
  } | null;
  /** Part of its CPU periods in which it was throttled, by Prometheus. */
  readonly throttledShare: number | null;
  /** All that its network interfaces received, by Prometheus. */
  readonly traffic: InterfaceTraffic | null;
  readonly memory: { readonly bytes: number; readonly limitBytes: number | null } | null;
  readonly restarts: number;
  /** Milliseconds since the epoch; null when not known. */
  readonly createdAt: number | null;
  readonly readySince: number | null;
  /** Start of the running container that serves the port. */
  readonly startedAt: number | null;
}

export function measurePod(index: EvidenceIndex, backend: Backend): MeasuredPod {
  const uid = backend.pod?.uid ?? '';
  const pod = index.pods.get(uid) ?? index.formerPods.get(uid) ?? null;
  const container =
    pod?.containers.find((entry) => entry.ports.some((port) => port.port === backend.port)) ??
    pod?.containers.find((entry) => !entry.sidecar);
  const usage = newestUsage(index.usage.get(pod?.name ?? '') ?? [], pod, container);
  const used = usage?.containers.find((entry) => entry.name === container?.name);
  const isBlind = index.blind.has(uid);
  const sockets = isBlind ? null : countConnections(index, backend, pod);
  const scraped = readScrapedUsage(index, pod, container);
  const traffic = readTraffic(index, pod);
  const source = usageSource(index.evidence.usage);
  const isScraped = source === 'prometheus';
  const millicores = isScraped ? (scraped?.cpuMillicores ?? null) : (used?.cpuMillicores ?? null);
  const memoryBytes = isScraped ? (scraped?.memoryBytes ?? null) : (used?.memoryBytes ?? null);
  return {
    name: pod?.name ?? backend.pod?.name ?? backend.key,
    backend,
    pod,
    sockets,
    notSeen: sockets === null ? (index.socketFailures.get(uid) ?? (isBlind ? blindness(backend) : null)) : null,
    calls: readPodCalls(index.calls, {
      podUid: uid,
      port: backend.port,
      silent: isUnheld(sockets) || isSilent(traffic),
    }),
    cpu:
      millicores === null
        ? null
        : {
            source,
            millicores: believable(millicores),
            requestMillicores: container?.cpuRequestMillicores ?? null,
            limitMillicores: container?.cpuLimitMillicores ?? null,
          },
    throttledShare: scraped?.throttledShare ?? null,
    traffic,
    memory: memoryBytes === null ? null : { bytes: memoryBytes, limitBytes: container?.memoryLimitBytes ?? null },
    restarts: pod?.containers.reduce((sum, entry) => sum + entry.restarts, 0) ?? 0,
    createdAt: millisecondsOf(pod?.createdAt),
    readySince: millisecondsOf(pod?.readySince),
    startedAt: millisecondsOf(container?.startedAt),
  };
}

/** Looked at, and no connection is there, came or went. */
export function isUnheld(sockets: PodConnections | null): boolean {
  if (sockets === null) return false;
  const { connections, inside, opened, closed, timeWait } = sockets;
  return connections.length + inside.length + opened + closed === 0 && !timeWait;
}

/** Its interfaces received no more than probes and scrapes send. */
function isSilent(traffic: InterfaceTraffic | null): boolean {
  return traffic !== null && traffic.bytes / traffic.seconds < limits.backgroundBytesPerSecond;
}

/** Places of the replicas that were to be looked into: all, or of many a sample. */
export function lookedInto(replicas: readonly MeasuredPod[]): readonly number[] {
  return replicas.flatMap(({ notSeen }, index) => (notSeen?.reason === 'not-sampled' ? [] : [index]));
}

/** How many connections clients hold; null where that was not seen, as behind a proxy in the pod. */
export function connectionsOf({ sockets }: MeasuredPod): number | null {
  return sockets === null || sockets.inside.length > 0 ? null : sockets.connections.length;
}

/** No container uses less than nothing, or more than ten million cores. */
function believable(millicores: number): number {
  return Math.min(Math.max(0, millicores), 1e10);
}

function blindness({ pod }: Backend): SocketFailure {
  const message = 'its socket table is empty, without even its own listener: it cannot be right';
  return { pod: pod?.name ?? '', podUid: pod?.uid ?? '', sample: 1, reason: 'failed', message };
}

/** Usage that was measured before the pod's container started belongs to its predecessor. */
function newestUsage(
  usages: readonly PodUsage[],
  pod: Pod | null,
  container: Container | undefined,
): PodUsage | undefined {
  const time = (entry: PodUsage) => millisecondsOf(entry.measuredAt) ?? 0;
  const [newest] = usages.toSorted((a, b) => time(b) - time(a));
  const started = Math.max(millisecondsOf(pod?.createdAt) ?? 0, millisecondsOf(container?.startedAt) ?? 0);
  return newest === undefined || time(newest) < started ? undefined : newest;
}

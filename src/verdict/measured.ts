import type { Backend } from '../evidence/endpoints.ts';
import type { Pod, PodUsage, SkewEvidence, SocketFailure } from '../evidence/schema.ts';
import type { PeerBook } from '../peers/clients.ts';
import { countConnections, type PodConnections } from '../peers/connections.ts';

/** One pod with all that was measured of it. */
export interface MeasuredPod {
  readonly name: string;
  readonly backend: Backend;
  readonly pod: Pod | null;
  readonly sockets: PodConnections | null;
  readonly notSeen: SocketFailure | null;
  /** Of the container that serves the port, sidecars apart. */
  readonly cpu: {
    readonly millicores: number;
    readonly limitMillicores: number | null;
    readonly measuredAt: string;
  } | null;
  readonly memory: { readonly bytes: number; readonly limitBytes: number | null } | null;
  readonly restarts: number;
  /** Milliseconds since the epoch; null when not known. */
  readonly createdAt: number | null;
  readonly readySince: number | null;
  /** Start of the running container that serves the port. */
  readonly startedAt: number | null;
}

export function measurePod(evidence: SkewEvidence, backend: Backend, book: PeerBook): MeasuredPod {
  const pod = evidence.pods?.find((candidate) => candidate.uid === backend.pod?.uid) ?? null;
  const container =
    pod?.containers.find((entry) => entry.ports.some((port) => port.port === backend.port)) ??
    pod?.containers.find((entry) => !entry.sidecar);
  const used = newestUsage(evidence, pod)?.containers.find((entry) => entry.name === container?.name);
  const measuredAt = newestUsage(evidence, pod)?.measuredAt ?? '';
  const failures = evidence.connections?.failures.filter((failure) => failure.podUid === backend.pod?.uid) ?? [];
  const sockets = countConnections(evidence, backend, pod, book);
  return {
    name: pod?.name ?? backend.pod?.name ?? backend.key,
    backend,
    pod,
    sockets,
    notSeen: sockets === null ? (failures[0] ?? null) : null,
    cpu:
      used === undefined
        ? null
        : { millicores: used.cpuMillicores, limitMillicores: container?.cpuLimitMillicores ?? null, measuredAt },
    memory: used === undefined ? null : { bytes: used.memoryBytes, limitBytes: container?.memoryLimitBytes ?? null },
    restarts: pod?.containers.reduce((sum, entry) => sum + entry.restarts, 0) ?? 0,
    createdAt: toMilliseconds(pod?.createdAt),
    readySince: toMilliseconds(pod?.readySince),
    startedAt: toMilliseconds(container?.startedAt),
  };
}

/** Usage that was measured before the pod's container started belongs to its predecessor. */
function newestUsage(evidence: SkewEvidence, pod: Pod | null): PodUsage | undefined {
  const entries = (evidence.usage ?? []).filter((entry) => entry.pod === pod?.name);
  const newest = entries.sort((a, b) => (a.measuredAt < b.measuredAt ? 1 : -1))[0];
  if (newest === undefined || (pod?.createdAt != null && newest.measuredAt < pod.createdAt)) return undefined;
  return newest;
}

function toMilliseconds(text: string | null | undefined): number | null {
  return text == null ? null : Date.parse(text);
}

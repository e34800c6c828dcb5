import type { ProbeLook } from '../evidence/looks.ts';
import type { Pod, PodUsage } from '../evidence/objects.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { millisecondsOf } from '../evidence/times.ts';
import type { EvidenceIndex } from './evidence-index.ts';

/** What kubelets have counted of the probes: asked directly, else by Prometheus. Null where nobody has. */
export function probeLooks(evidence: SkewEvidence): readonly ProbeLook[] | null {
  const scraped = evidence.prometheus?.probes ?? [];
  return evidence.probeMetrics?.looks ?? (scraped.length > 0 ? scraped : null);
}

/** What the network interfaces of a pod received. */
export interface InterfaceTraffic {
  readonly bytes: number;
  readonly packets: number | null;
  readonly seconds: number;
}

/** Null on the network of the node, and for what was counted before the pod was there. */
export function readTraffic(index: EvidenceIndex, pod: Pod | null): InterfaceTraffic | null {
  if (pod === null || pod.hostNetwork) return null;
  const found = index.traffic.get(pod.uid);
  const from = millisecondsOf(found?.from);
  const to = millisecondsOf(found?.to);
  if (found === undefined || from === null || to === null || to <= from || isBefore(from, pod.createdAt)) return null;
  const count = (value: number) => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER);
  return {
    bytes: count(found.bytes),
    packets: found.packets === null ? null : count(found.packets),
    seconds: (to - from) / 1000,
  };
}

function isBefore(time: number, created: string | null): boolean {
  const born = millisecondsOf(created);
  return born !== null && time < born;
}

/** CPU, memory and throttling of one container by Prometheus. */
export interface ScrapedUsage {
  readonly measuredAt: string;
  readonly cpuMillicores: number | null;
  readonly memoryBytes: number | null;
  readonly throttledShare: number | null;
}

export function readScrapedUsage(
  index: EvidenceIndex,
  pod: Pod | null,
  container: { readonly name: string; readonly startedAt: string | null } | undefined,
): ScrapedUsage | null {
  const found = pod === null ? undefined : index.scrapedUsage.get(pod.uid);
  const used = found?.containers.find((entry) => entry.name === container?.name);
  const measuredAt = millisecondsOf(found?.measuredAt);
  if (found === undefined || used === undefined || measuredAt === null) return null;
  if (isBefore(measuredAt, pod?.createdAt ?? null) || isBefore(measuredAt, container?.startedAt ?? null)) return null;
  const share = used.throttledShare;
  return {
    measuredAt: found.measuredAt,
    cpuMillicores: used.cpuMillicores,
    memoryBytes: used.memoryBytes,
    throttledShare: share === null || !Number.isFinite(share) ? null : Math.min(1, Math.max(0, share)),
  };
}

/** Where CPU and memory come from: the metrics API, and Prometheus where that has nothing. */
export function usageSource(usage: readonly PodUsage[] | null): 'metrics-api' | 'prometheus' {
  return (usage ?? []).length > 0 ? 'metrics-api' : 'prometheus';
}

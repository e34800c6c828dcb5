import { evidenceApiVersion } from '../evidence/api-version.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import { signalIds } from '../evidence/signal-ids.ts';
import type { KubeList, KubeResult } from '../kube/types.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import type { SignalHost, SignalUpdate } from '../signals/look.ts';
import type { Memory } from '../signals/memory.ts';
import { toTime } from '../signals/read/json.ts';

export interface CollectRequest {
  readonly namespace: string;
  readonly name: string;
  readonly context: string | null;
  readonly port: string | null;
  /** Distance of the two samples in seconds; 0 takes one sample. */
  readonly windowSeconds: number;
  /** Where the window may go on while nothing is decided, until so many seconds are over. */
  readonly longestWindowSeconds?: number | null;
  readonly exec: boolean;
  readonly allPods: boolean;
  /** Port of the pods' metrics pages, where it is not to be found out. */
  readonly metricsPort?: number | null;
  /** Kubelet's own counters of probes; `if-there`: without a word where a recording has none. */
  readonly probeMetrics?: boolean | 'if-there';
  /** Look into a few client pods, too: what they dial, and what runs there. */
  readonly inspectClients?: boolean;
  /** Ask Cilium agents and istiod even where their answer decides nothing. */
  readonly inspectProxies?: boolean;
  readonly toolVersion: string;
  /** The Services of the namespace, where they were listed to find this one: the first look takes them from here. */
  readonly services?: KubeResult<KubeList>;
  /** What else may be meant, where no Service bears the name. */
  readonly meant?: string;
}

/** Evidence while it is being collected. */
export interface Draft {
  evidence: SkewEvidence;
  readonly states: Map<string, SignalState>;
  /** Of pods that have left the Service: it decides where commands may run, and is not recorded. */
  memory: Memory;
  /** The Services of the namespace as they were listed: one may lead to a Prometheus, or select a pod. Not recorded. */
  services?: readonly unknown[];
  /** The Prometheus that answered. */
  prometheus?: PrometheusClient;
  /** Latest time that the API server or a look has named, in milliseconds. */
  latest: number;
}

export function newDraft(request: CollectRequest): Draft {
  return {
    states: new Map(),
    latest: 0,
    memory: new Map(),
    evidence: {
      apiVersion: evidenceApiVersion,
      kind: 'SkewEvidence',
      metadata: {
        name: request.name,
        namespace: request.namespace,
        context: request.context,
        toolVersion: request.toolVersion,
        now: '',
      },
      spec: {
        port: request.port,
        askedWindowSeconds: request.windowSeconds,
        ...(request.longestWindowSeconds != null && { longestWindowSeconds: request.longestWindowSeconds }),
      },
      signals: [],
      service: null,
      endpointSlices: null,
      pods: null,
      usage: null,
      connections: null,
      peers: null,
      nodes: null,
      deployments: null,
      happenings: null,
    },
  };
}

/** Puts what a look has given into the draft, and says it. Ages are counted from the latest time that was named. */
export function apply(
  draft: Draft,
  host: Pick<SignalHost, 'progress'>,
  { patch, state, progress, times }: SignalUpdate,
): void {
  draft.evidence = { ...draft.evidence, ...patch };
  for (const text of times ?? [state?.lookedAt ?? null]) {
    const time = asTime(text);
    if (time !== null) draft.latest = Math.max(draft.latest, Date.parse(time));
  }
  if (state !== undefined) draft.states.set(state.id, { ...state, lookedAt: asTime(state.lookedAt) });
  if (progress === undefined) return;
  const [id, reached, text] = progress;
  host.progress(id, reached, text);
}

function asTime(text: string | null): string | null {
  return text === null ? null : toTime(text);
}

/** The evidence so far, complete in itself. */
export function snapshot(draft: Draft, fallbackNow: () => number): SkewEvidence {
  const signals = signalIds.flatMap((id) => draft.states.get(id) ?? []);
  const now = new Date(draft.latest > 0 ? draft.latest : fallbackNow()).toISOString();
  return { ...draft.evidence, metadata: { ...draft.evidence.metadata, now }, signals };
}

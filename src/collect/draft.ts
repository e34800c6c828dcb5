import { evidenceApiVersion } from '../evidence/api-version.ts';
import type { ExecsElsewhere } from '../evidence/looks.ts';
import type { PodUsage } from '../evidence/objects.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import { signalIds } from '../evidence/signal-ids.ts';
import type { KubeList, KubeResult } from '../kube/types.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import { toTime } from '../signals/read/json.ts';

export interface CollectRequest {
  readonly namespace: string;
  readonly name: string;
  readonly context: string | null;
  readonly port: string | null;
  /** Distance of the two samples in seconds; 0 takes one sample. */
  readonly windowSeconds: number;
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
  /** Selectors of all Services of the namespace: compared with pods, and not recorded. */
  selectors?: readonly Readonly<Record<string, string>>[];
  /** Memory of pods outside the Service, by namespace and name: it decides where commands may run, and is not recorded. */
  memory?: ReadonlyMap<string, PodUsage>;
  /** The Services of the namespace as they were listed: one may lead to a Prometheus. Not recorded. */
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
      spec: { port: request.port, windowSeconds: request.windowSeconds },
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

/** Notes a time that was named: the last one is what ages are counted from. Answers it as RFC 3339. */
export function noteTime(draft: Draft, text: string | null): string | null {
  const time = text === null ? null : toTime(text);
  if (time !== null) draft.latest = Math.max(draft.latest, Date.parse(time));
  return time;
}

/** The evidence so far, complete in itself. */
export function snapshot(draft: Draft, fallbackNow: () => number): SkewEvidence {
  const signals = signalIds.flatMap((id) => draft.states.get(id) ?? []);
  const now = new Date(draft.latest > 0 ? draft.latest : fallbackNow()).toISOString();
  return { ...draft.evidence, metadata: { ...draft.evidence.metadata, now }, signals };
}

/** Counts commands that ran in other pods than those of the Service. `each`: how many in each of these pods. */
export function noteExecsElsewhere(draft: Draft, where: ExecsElsewhere['where'], each: readonly number[]): void {
  const { connections } = draft.evidence;
  const ran = each.filter((execs) => execs > 0);
  if (connections === null || ran.length === 0) return;
  const execs = ran.reduce((sum, one) => sum + one, 0);
  const before = connections.elsewhere ?? [];
  const same = before.find((entry) => entry.where === where) ?? { execs: 0, pods: 0 };
  const noted = { where, execs: same.execs + execs, pods: Math.max(same.pods, ran.length) };
  const elsewhere = [...before.filter((entry) => entry.where !== where), noted];
  draft.evidence = { ...draft.evidence, connections: { ...connections, execs: connections.execs + execs, elsewhere } };
}

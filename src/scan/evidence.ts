import { evidenceApiVersion } from '../evidence/api-version.ts';
import type { EndpointSlice, PodUsage } from '../evidence/objects.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import type { Candidate } from './candidates.ts';

export interface ScanContext {
  readonly context: string | null;
  readonly toolVersion: string;
  readonly now: string;
  readonly slices: readonly EndpointSlice[];
  /** Null: there is no metrics API, or it may not be asked. */
  readonly usage: readonly PodUsage[] | null;
  readonly usageState: SignalState;
}

/** Evidence of one Service from lists that were made for all of them. */
export function evidenceOf(candidate: Candidate, around: ScanContext): SkewEvidence {
  const { service, port, pods } = candidate;
  const names = new Set(pods.map((pod) => pod.name));
  const usage = around.usage?.filter((entry) => names.has(entry.pod)) ?? null;
  const seen = (id: 'service' | 'endpoints'): SignalState => ({
    id,
    state: 'complete',
    reason: null,
    needs: null,
    lookedAt: around.now,
  });
  return {
    apiVersion: evidenceApiVersion,
    kind: 'SkewEvidence',
    metadata: {
      name: service.name,
      namespace: service.namespace,
      context: around.context,
      toolVersion: around.toolVersion,
      now: around.now,
    },
    spec: { port: port.name ?? String(port.port), askedWindowSeconds: 0 },
    signals: [
      seen('service'),
      seen('endpoints'),
      usageState(around.usageState, usage, pods.length),
      {
        id: 'connections',
        state: 'skipped',
        reason: 'a scan runs no command in any pod; --connections does',
        needs: null,
        lookedAt: null,
      },
    ],
    service,
    endpointSlices: [...around.slices],
    pods: [...pods],
    usage,
    connections: null,
    peers: null,
    nodes: null,
    deployments: null,
    happenings: null,
  };
}

function usageState(state: SignalState, usage: readonly PodUsage[] | null, pods: number): SignalState {
  if (usage === null || state.state !== 'complete') return state;
  if (usage.length === 0)
    return { ...state, state: 'unavailable', reason: 'the metrics API has no data for these pods yet' };
  return usage.length < pods
    ? { ...state, state: 'partial', reason: `no data for ${pods - usage.length} of ${pods} pods` }
    : state;
}

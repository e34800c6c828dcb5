import type { EndpointSlice, Service } from '../../evidence/objects.ts';
import type { KubeList, KubeResult } from '../../kube/types.ts';
import { type SignalUpdate, unanswered } from '../look.ts';
import { selects } from '../read/labels.ts';
import { readPods } from '../read/pods.ts';
import { complete } from '../state.ts';
import { readEndpointSlices } from './read.ts';

/** The slices of the Service, and the pods that they or its selector name. */
export function lookAtEndpoints(
  service: Service,
  slices: KubeResult<KubeList>,
  pods: KubeResult<KubeList>,
): SignalUpdate {
  if (!slices.ok) return unanswered('endpoints', slices.error);
  if (!pods.ok) return unanswered('endpoints', pods.error);
  const endpointSlices = readEndpointSlices(slices.value.items);
  const named = new Set(
    endpointSlices.flatMap((slice) => slice.endpoints.flatMap((endpoint) => endpoint.pod?.uid ?? [])),
  );
  // A recorded or cached list may hold more pods than the selector asked for.
  const read = readPods(pods.value.items, service.selector).filter(
    (pod) => named.has(pod.uid) || selects(service.selector, pod.labels),
  );
  return {
    patch: { endpointSlices, pods: read },
    state: complete('endpoints', pods.serverDate),
    times: [slices.serverDate, pods.serverDate],
    progress: ['endpoints', 'done', describeEndpoints(endpointSlices)],
  };
}

function describeEndpoints(slices: readonly EndpointSlice[]): string {
  const endpoints = slices.flatMap((slice) => slice.endpoints);
  return `${endpoints.filter((endpoint) => endpoint.ready ?? true).length} of ${endpoints.length} ready`;
}

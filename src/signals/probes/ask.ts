import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects } from '../objects.ts';

/** Asks for the Events of the namespace: failed probes, kills and scalings. */
export function askEvents(kube: KubeClient, namespace: string, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/api/v1', resource: 'events', namespace }, signal);
}

import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects } from '../objects.ts';

/** Asks for the Services of a namespace: some may stand before the same pods. */
export function askServices(kube: KubeClient, namespace: string, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/api/v1', resource: 'services', namespace }, signal);
}

import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects } from '../objects.ts';

/** Asks for the HorizontalPodAutoscalers of a namespace. */
export function askAutoscalers(
  kube: KubeClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/apis/autoscaling/v2', resource: 'horizontalpodautoscalers', namespace }, signal);
}

import type { KubeClient, KubeList, KubeResult } from '../../kube/types.ts';
import { askObjects } from '../objects.ts';

/** Asks for the pods that may be clients: of one namespace, or of all of them. */
export function askPeerPods(
  kube: KubeClient,
  namespace: string | null,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/api/v1', resource: 'pods', namespace }, signal);
}

export function askNodes(kube: KubeClient, signal?: AbortSignal): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/api/v1', resource: 'nodes', namespace: null, request: 'list nodes' }, signal);
}

/** Asks for the Deployments of a namespace: is a rollout under way? */
export function askDeployments(
  kube: KubeClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<KubeResult<KubeList>> {
  return askObjects(kube, { api: '/apis/apps/v1', resource: 'deployments', namespace }, signal);
}

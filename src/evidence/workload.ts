import type { PeerPod } from './objects.ts';

/** The workload of a pod: a ReplicaSet's name is its Deployment's plus the pod-template-hash. */
export function workloadOf(pod: Pick<PeerPod, 'owner' | 'labels' | 'name'>): string {
  if (pod.owner === null) return `pod/${pod.name}`;
  const hash = pod.labels['pod-template-hash'];
  if (pod.owner.kind === 'ReplicaSet' && hash !== undefined && pod.owner.name.endsWith(`-${hash}`)) {
    return `deployment/${pod.owner.name.slice(0, -hash.length - 1)}`;
  }
  return `${pod.owner.kind.toLowerCase()}/${pod.owner.name}`;
}

import type { Pod, Service } from '../../evidence/objects.ts';
import { textAt, textMapAt } from '../read/json.ts';
import { selects } from '../read/labels.ts';
import { readPods } from '../read/pods.ts';

/** What is known when pods that have left the Service are looked for. */
export interface FormerSearch {
  readonly service: Service;
  /** The pods of the Service now. */
  readonly pods: readonly Pod[];
  readonly targetPorts: readonly number[];
  /** Selectors of all Services of the namespace; null: not known. */
  readonly selectors: readonly Readonly<Record<string, string>>[] | null;
}

/** More than these are not looked into: each costs two commands. */
const mostFormer = 5;

/**
 * Pods that were of the Service and may still hold its connections: conntrack keeps a connection whatever becomes of the
 * labels. They have the owner of a present pod, or were released by it (a ReplicaSet lets a relabelled pod go, and the
 * hash of its template stays), or declare a target port and belong to no Service.
 */
export function readFormerPods(items: readonly unknown[], search: FormerSearch): Pod[] {
  const { service, pods, targetPorts, selectors } = search;
  const known = new Set(pods.map((pod) => pod.uid));
  const owners = new Set(pods.flatMap(({ owner }) => (owner === null ? [] : [`${owner.kind}/${owner.name}`])));
  const hashes = new Set(pods.flatMap((pod) => pod.labels['pod-template-hash'] ?? []));
  const here = items.filter(
    (item) => (textAt(item, 'metadata', 'namespace') ?? service.namespace) === service.namespace,
  );
  const labels = new Map(
    here.map((item) => [textAt(item, 'metadata', 'uid') ?? '', textMapAt(item, 'metadata', 'labels')]),
  );
  const isSelected = (pod: Pod) => selectors?.some((selector) => selects(selector, labels.get(pod.uid) ?? {})) ?? true;
  return readPods(here, service.selector)
    .filter((pod) => {
      if (known.has(pod.uid) || pod.phase !== 'Running' || pod.addresses.length === 0) return false;
      if (selects(service.selector, labels.get(pod.uid) ?? {})) return false;
      if (pod.owner !== null && owners.has(`${pod.owner.kind}/${pod.owner.name}`)) return true;
      if (pod.owner === null && hashes.has(pod.labels['pod-template-hash'] ?? '')) return true;
      const declares = pod.containers.some(({ ports }) => ports.some(({ port }) => targetPorts.includes(port)));
      return declares && !isSelected(pod);
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, mostFormer);
}

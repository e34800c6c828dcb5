import type { Container, Pod, PodUsage } from '../evidence/objects.ts';
import { askUsage, readUsage } from '../signals/usage.ts';
import type { Draft } from './draft.ts';
import type { CollectHost } from './looks.ts';

/**
 * No command is started in a container that has used more of its memory limit than this: it runs in the container's
 * cgroup, and may be what brings the container down.
 */
const memoryCeiling = 0.9;

export const nearMemoryLimit = 'every container is near its memory limit: no command was started there';

/** Is there room for a command? Where nothing is known of its memory, or where it has no limit, there is. */
export function hasRoom(container: Container, usage: PodUsage | undefined): boolean {
  const used = usage?.containers.find((entry) => entry.name === container.name)?.memoryBytes;
  return used === undefined || !container.memoryLimitBytes || used <= memoryCeiling * container.memoryLimitBytes;
}

/**
 * Notes the memory of pods that are not of the Service and are to be looked into all the same: one question for each
 * namespace, and none where no container has a limit or where the metrics API gave nothing before.
 */
export async function noteMemoryOf(host: CollectHost, draft: Draft, pods: readonly Pod[]): Promise<void> {
  if (draft.evidence.usage === null) return;
  const limited = pods.filter(({ containers }) => containers.some((one) => one.memoryLimitBytes !== null));
  const namespaces = [...new Set(limited.map((pod) => pod.namespace))];
  const answers = await Promise.all(namespaces.map((namespace) => askUsage(host.kube, namespace, {}, host.signal)));
  const known = new Map(draft.memory);
  for (const [index, answer] of answers.entries()) {
    if (!answer.ok) continue;
    for (const entry of readUsage(answer.value.items)) known.set(`${namespaces[index]}/${entry.pod}`, entry);
  }
  draft.memory = known;
}

/** What was noted of the memory of a pod. */
export function memoryOf(draft: Draft, pod: Pod): PodUsage | undefined {
  return draft.memory?.get(`${pod.namespace}/${pod.name}`);
}

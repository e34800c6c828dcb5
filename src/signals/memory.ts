import type { Container, Pod, PodUsage } from '../evidence/objects.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import type { SignalHost } from './look.ts';
import { askUsage } from './usage/ask.ts';
import { readUsage } from './usage/read.ts';

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

/** What is known of the memory of pods, by namespace and name. */
export type Memory = ReadonlyMap<string, PodUsage>;

export function memoryOf(memory: Memory, pod: Pod): PodUsage | undefined {
  return memory.get(`${pod.namespace}/${pod.name}`);
}

/**
 * The memory of pods that are not of the Service and are to be looked into all the same: one question for each
 * namespace, and none where no container has a limit or where the metrics API gave nothing before.
 * @param before what was known: it stays where nothing newer comes
 */
export async function askMemory(
  { kube, signal }: SignalHost,
  { usage }: Pick<SkewEvidence, 'usage'>,
  pods: readonly Pod[],
  before: Memory = new Map(),
): Promise<Memory> {
  const limited = pods.filter(({ containers }) => containers.some((one) => one.memoryLimitBytes !== null));
  const namespaces = usage === null ? [] : [...new Set(limited.map((pod) => pod.namespace))];
  const answers = await Promise.all(namespaces.map((namespace) => askUsage(kube, namespace, {}, signal)));
  const known = new Map(before);
  for (const [index, answer] of answers.entries()) {
    if (!answer.ok) continue;
    for (const entry of readUsage(answer.value.items)) known.set(`${namespaces[index]}/${entry.pod}`, entry);
  }
  return known;
}

import type { Backend } from '../evidence/endpoints.ts';
import type { SocketFailure } from '../evidence/looks.ts';
import type { Pod, PodUsage } from '../evidence/objects.ts';
import { sidecarInboundPorts } from '../signals/connections/ask.ts';
import type { Target } from '../signals/connections/look.ts';
import { hasRoom, type Memory, memoryOf, nearMemoryLimit } from '../signals/memory.ts';

export interface Plan {
  readonly targets: readonly Target[];
  readonly left: readonly Omit<SocketFailure, 'sample'>[];
}

/** Above this many pods only a stratified choice is looked at, unless all are asked for: each exec is an event of the audit log. */
const mostPods = 50;

/** Decides in which pods, and in which of their containers, sockets may be read: of all ports of a pod at once. */
export function planTargets(
  backends: readonly Backend[],
  pods: readonly Pod[],
  usage: readonly PodUsage[],
  options: { readonly allPods: boolean },
): Plan {
  const portsOf = new Map<string, number[]>();
  for (const { pod, port } of backends) {
    const known = portsOf.get(pod?.uid ?? '') ?? [];
    portsOf.set(pod?.uid ?? '', port === null || known.includes(port) ? known : [...known, port]);
  }
  const usageOf = new Map(usage.map((entry) => [entry.pod, entry]));
  const candidates = pods.filter((pod) => portsOf.has(pod.uid));
  const chosen = options.allPods || candidates.length <= mostPods ? candidates : stratify(candidates, usageOf);
  const targets: Target[] = [];
  const left: Omit<SocketFailure, 'sample'>[] = [];
  for (const pod of candidates) {
    const describe = (reason: SocketFailure['reason'], message: string) =>
      left.push({ pod: pod.name, podUid: pod.uid, reason, message });
    const ports = portsOf.get(pod.uid) ?? [];
    if (!chosen.includes(pod))
      describe('not-sampled', `not among the ${mostPods} pods looked at; --all-pods looks at all`);
    else if (ports.length === 0) describe('failed', 'its EndpointSlice names no port');
    else {
      const containers = containersToTry(pod, ports, usageOf.get(pod.name));
      if (containers === 'near-memory-limit') describe('near-memory-limit', nearMemoryLimit);
      else if (containers.length === 0) describe('not-running', 'no container is running');
      else targets.push({ pod, ports: withSidecars(ports), containers });
    }
  }
  return { targets, left };
}

/** Pods that have left the Service, at the ports of those that are in it. */
export function formerTargets(pods: readonly Pod[], ports: readonly number[], memory: Memory): Plan {
  const targets: Target[] = [];
  const left: Omit<SocketFailure, 'sample'>[] = [];
  for (const pod of ports.length === 0 ? [] : pods) {
    const containers = containersToTry(pod, ports, memoryOf(memory, pod));
    if (containers === 'near-memory-limit')
      left.push({ pod: pod.name, podUid: pod.uid, reason: containers, message: nearMemoryLimit });
    else if (containers.length > 0) targets.push({ pod, ports: withSidecars(ports), containers });
  }
  return { targets, left };
}

function withSidecars(ports: readonly number[]): readonly number[] {
  return [...ports, sidecarInboundPorts.istio, sidecarInboundPorts.linkerd];
}

function containersToTry(
  pod: Pod,
  ports: readonly number[],
  usage: PodUsage | undefined,
): 'near-memory-limit' | Target['containers'] {
  const running = pod.containers.filter((container) => container.running);
  const roomy = running.filter((container) => hasRoom(container, usage));
  if (running.length > 0 && roomy.length === 0) return 'near-memory-limit';
  const rank = (container: Pod['containers'][number]) =>
    container.ports.some((entry) => ports.includes(entry.port)) ? 0 : container.sidecar ? 2 : 1;
  return [...roomy].sort((a, b) => rank(a) - rank(b)).map(({ name, image }) => ({ name, image }));
}

/** Hottest, idlest, youngest and oldest in turn, after one pod of every node, until the budget is spent. */
function stratify(pods: readonly Pod[], usageOf: ReadonlyMap<string, PodUsage>): readonly Pod[] {
  const cpu = (pod: Pod) =>
    usageOf.get(pod.name)?.containers.reduce((sum, container) => sum + container.cpuMillicores, 0) ?? 0;
  const born = (pod: Pod) => pod.createdAt ?? '';
  const byCpu = [...pods].sort((a, b) => cpu(b) - cpu(a) || (a.name < b.name ? -1 : 1));
  const byAge = [...pods].sort((a, b) => (born(a) < born(b) ? -1 : born(a) > born(b) ? 1 : a.name < b.name ? -1 : 1));
  const orders = [byCpu, byCpu.toReversed(), byAge.toReversed(), byAge];
  const chosen = new Set<Pod>();
  for (const node of new Set(pods.map((pod) => pod.nodeName))) {
    const first = byCpu.find((pod) => pod.nodeName === node);
    if (first !== undefined && chosen.size < mostPods) chosen.add(first);
  }
  for (let i = 0; chosen.size < mostPods && i < pods.length; i++) {
    for (const order of orders) {
      const next = order[i];
      if (next !== undefined && chosen.size < mostPods) chosen.add(next);
    }
  }
  return [...chosen];
}

import type { Backend } from '../evidence/endpoints.ts';
import type { CallLook, SocketFailure } from '../evidence/looks.ts';
import type { Pod, PodUsage } from '../evidence/objects.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { sidecarInboundPorts } from '../signals/connections/ask.ts';
import type { Target } from '../signals/connections/look.ts';
import { hasRoom, type Memory, memoryOf, nearMemoryLimit } from '../signals/memory.ts';

export interface Plan {
  readonly targets: readonly Target[];
  readonly left: readonly Omit<SocketFailure, 'sample'>[];
}

/** Above this many pods only a stratified choice is looked at, unless all are asked for: each exec is an event of the audit log. */
export const mostPods = 50;

/** Decides in which pods, and in which of their containers, sockets may be read: of all ports of a pod at once. */
export function planTargets(
  backends: readonly Backend[],
  pods: readonly Pod[],
  usage: readonly PodUsage[],
  options: { readonly allPods: boolean; readonly counted?: readonly CallLook[] },
): Plan {
  const portsOf = new Map<string, number[]>();
  for (const { pod, port } of backends) {
    const known = portsOf.get(pod?.uid ?? '') ?? [];
    portsOf.set(pod?.uid ?? '', port === null || known.includes(port) ? known : [...known, port]);
  }
  const usageOf = new Map(usage.map((entry) => [entry.pod, entry]));
  const candidates = pods.filter((pod) => portsOf.has(pod.uid));
  const chosen =
    options.allPods || candidates.length <= mostPods
      ? candidates
      : stratify(candidates, usageOf, options.counted ?? []);
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

/** Of the budget, those that are chosen for what they are, before one pod of every node. */
const leastOfOrders = 20;

/**
 * Hottest, idlest, youngest and oldest in turn, by the calls that the pods count and by CPU: some of each, then one pod of
 * every node, then on until the budget is spent.
 */
function stratify(
  pods: readonly Pod[],
  usageOf: ReadonlyMap<string, PodUsage>,
  counted: readonly CallLook[],
): readonly Pod[] {
  const cpu = (pod: Pod) =>
    usageOf.get(pod.name)?.containers.reduce((sum, container) => sum + container.cpuMillicores, 0) ?? 0;
  const rates = callRates(pods, counted);
  const by = (value: (pod: Pod) => number) =>
    pods.toSorted((a, b) => value(b) - value(a) || (a.name < b.name ? -1 : 1));
  const byCpu = by(cpu);
  const byAge = by((pod) => millisecondsOf(pod.createdAt) ?? 0);
  const byRate = rates.size === 0 ? [] : by((pod) => rates.get(pod.uid) ?? 0);
  const orders = [byRate, byRate.toReversed(), byCpu, byCpu.toReversed(), byAge, byAge.toReversed()].filter(
    (order) => order.length > 0,
  );
  const chosen = new Set<Pod>();
  const choose = (pod: Pod | undefined, most = mostPods) => {
    if (pod !== undefined && chosen.size < most) chosen.add(pod);
  };
  for (let place = 0; chosen.size < leastOfOrders && place < pods.length; place++)
    for (const order of orders) choose(order[place], leastOfOrders);
  const nodes = new Set([...chosen].map(({ nodeName }) => nodeName));
  for (const pod of byCpu) {
    if (nodes.has(pod.nodeName)) continue;
    nodes.add(pod.nodeName);
    choose(pod);
  }
  for (let place = 0; chosen.size < mostPods && place < pods.length; place++)
    for (const order of orders) choose(order[place]);
  return [...chosen];
}

/** Calls a second since each pod's start, of the pods that count them. */
function callRates(pods: readonly Pod[], counted: readonly CallLook[]): ReadonlyMap<string, number> {
  const startOf = new Map(pods.map((pod) => [pod.uid, millisecondsOf(pod.startedAt ?? pod.createdAt)]));
  return new Map(
    counted.flatMap(({ podUid, family, lookedAt, methods }) => {
      const [start, now] = [startOf.get(podUid) ?? null, millisecondsOf(lookedAt)];
      if (family === null || start === null || now === null || now <= start) return [];
      const calls = methods.reduce((sum, { handled, started }) => sum + (handled ?? started ?? 0), 0);
      return [[podUid, calls / (now - start)] as const];
    }),
  );
}

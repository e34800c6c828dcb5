import type { Backend } from '../evidence/endpoints.ts';
import type { SocketFailure } from '../evidence/looks.ts';
import type { Pod, PodUsage } from '../evidence/objects.ts';
import { sidecarInboundPorts } from '../signals/connections.ts';

/** A pod whose sockets are to be read. */
export interface Target {
  readonly pod: Pod;
  readonly ports: readonly number[];
  /** Containers to try, best first; all share the pod's network namespace. */
  readonly containers: readonly { readonly name: string; readonly image: string }[];
}

export interface Plan {
  readonly targets: readonly Target[];
  readonly left: readonly Omit<SocketFailure, 'sample'>[];
}

/** Above this many pods only a stratified choice is looked at, unless all are asked for (design: exec budget). */
export const mostPods = 50;
/** No command is started in a container that has used more of its memory limit than this. */
export const memoryCeiling = 0.9;

/** Decides in which pods, and in which of their containers, sockets may be read. */
export function planTargets(
  backends: readonly Backend[],
  pods: readonly Pod[],
  usage: readonly PodUsage[],
  options: { readonly allPods: boolean },
): Plan {
  const portOf = new Map(backends.map((backend) => [backend.pod?.uid ?? '', backend.port]));
  const usageOf = new Map(usage.map((entry) => [entry.pod, entry]));
  const candidates = pods.filter((pod) => portOf.has(pod.uid));
  const chosen = options.allPods || candidates.length <= mostPods ? candidates : stratify(candidates, usageOf);
  const targets: Target[] = [];
  const left: Omit<SocketFailure, 'sample'>[] = [];
  for (const pod of candidates) {
    const describe = (reason: SocketFailure['reason'], message: string) =>
      left.push({ pod: pod.name, podUid: pod.uid, reason, message });
    const port = portOf.get(pod.uid) ?? null;
    if (!chosen.includes(pod))
      describe('not-sampled', `not among the ${mostPods} pods looked at; --all-pods looks at all`);
    else if (port === null) describe('failed', 'its EndpointSlice names no port');
    else {
      const containers = containersToTry(pod, port, usageOf.get(pod.name));
      if (containers === 'near-memory-limit')
        describe('near-memory-limit', 'every container is near its memory limit: no command was started there');
      else if (containers.length === 0) describe('not-running', 'no container is running');
      else targets.push({ pod, ports: [port, sidecarInboundPorts.istio, sidecarInboundPorts.linkerd], containers });
    }
  }
  return { targets, left };
}

/** Pods that have left the Service, at the port of those that are in it. No figures of their memory are asked for. */
export function formerTargets(pods: readonly Pod[], port: number | null): readonly Target[] {
  if (port === null) return [];
  return pods.flatMap((pod) => {
    const containers = containersToTry(pod, port, undefined);
    if (containers === 'near-memory-limit' || containers.length === 0) return [];
    return [{ pod, ports: [port, sidecarInboundPorts.istio, sidecarInboundPorts.linkerd], containers }];
  });
}

function containersToTry(
  pod: Pod,
  port: number,
  usage: PodUsage | undefined,
): 'near-memory-limit' | Target['containers'] {
  const running = pod.containers.filter((container) => container.running);
  const roomy = running.filter((container) => {
    const used = usage?.containers.find((entry) => entry.name === container.name)?.memoryBytes;
    return (
      used === undefined || container.memoryLimitBytes === null || used <= memoryCeiling * container.memoryLimitBytes
    );
  });
  if (running.length > 0 && roomy.length === 0) return 'near-memory-limit';
  const rank = (container: Pod['containers'][number]) =>
    container.ports.some((entry) => entry.port === port) ? 0 : container.sidecar ? 2 : 1;
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

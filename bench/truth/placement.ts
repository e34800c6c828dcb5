/** Which pod a new connection reaches: kube-proxy's rules, and what DNS answers. */
import type { ClientPlan, Plan, PodPlan } from './plan.ts';
import type { Random } from './random.ts';

/** Until rules or DNS follow a pod that became Ready. */
const programmingSeconds = 1;

export interface Placement {
  /** Ready endpoints as the API lists them at that time. */
  ready(at: number): readonly PodPlan[];
  /** Those that the rules of the client's node lead it to; empty where a Local policy leaves none. */
  eligible(client: ClientPlan, at: number): readonly PodPlan[];
  /** The pod of a new connection; null where none is reached. `node` is where outside traffic came in. */
  place(client: ClientPlan, at: number, random: Random): { readonly pod: PodPlan; readonly node: string } | null;
}

export function isReady(pod: PodPlan, at: number): boolean {
  return (
    pod.neverReady !== true &&
    pod.readyAt <= at &&
    (pod.unreadyAt ?? Infinity) > at &&
    (pod.terminatingAt ?? Infinity) > at &&
    (pod.goneAt ?? Infinity) > at
  );
}

/** Its process runs and accepts connections. */
export function accepts(pod: PodPlan, at: number): boolean {
  return pod.startedAt <= at && (pod.goneAt ?? Infinity) > at && pod.deaf !== true;
}

export function openPlacement(plan: Plan): Placement {
  const zoneOf = new Map(plan.nodes.map((node) => [node.name, node.zone]));
  const remembered = new Map<string, PodPlan>();
  const turns = new Map<string, number>();
  const { service } = plan;

  const programmed = (at: number) => plan.pods.filter((pod) => isReady(pod, at - programmingSeconds));
  const near = (pods: readonly PodPlan[], client: ClientPlan): readonly PodPlan[] => {
    if (service.near === 'none') return pods;
    const here = pods.filter((pod) =>
      service.near === 'PreferSameNode' ? pod.node === client.node : zoneOf.get(pod.node) === zoneOf.get(client.node),
    );
    return here.length > 0 ? here : pods;
  };
  const eligible = (client: ClientPlan, at: number): readonly PodPlan[] => {
    const stale = service.staleNodes?.[client.node];
    // A node whose rules stand still knows no later pods; those that are gone it still tries, in vain.
    const pods = programmed(stale === undefined ? at : Math.min(at, stale)).filter(
      (pod) => (pod.goneAt ?? Infinity) > at,
    );
    if (client.outside === true) return pods;
    if (service.internalLocal) return pods.filter((pod) => pod.node === client.node);
    return near(pods, client);
  };
  const choose = (pods: readonly PodPlan[], node: string, random: Random): PodPlan => {
    if (service.proxy === 'random') return random.pick(pods);
    const turn = turns.get(node) ?? random.integer(0, pods.length - 1);
    turns.set(node, turn + 1);
    return pods[turn % pods.length] ?? random.pick(pods);
  };
  return {
    ready: (at) => plan.pods.filter((pod) => isReady(pod, at)),
    eligible,
    place(client, at, random) {
      let pods = eligible(client, at);
      if (pods.length === 0) return null;
      let node = client.node;
      if (client.outside === true) {
        // The load balancer deals connections to nodes; under Local only to those with a pod.
        const nodes = plan.nodes
          .map(({ name }) => name)
          .filter((name) => !service.externalLocal || pods.some((pod) => pod.node === name));
        node = random.pick(nodes);
        if (service.externalLocal) pods = pods.filter((pod) => pod.node === node);
      }
      const sticks = service.affinity || at < (service.affinityUntil ?? -Infinity);
      const known = sticks ? remembered.get(client.address) : undefined;
      const pod = known !== undefined && pods.includes(known) ? known : choose(pods, node, random);
      if (sticks) remembered.set(client.address, pod);
      return { pod, node };
    },
  };
}

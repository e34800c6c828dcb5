/**
 * Which mechanisms are at work in a world, whatever its family: read off the plan and the connections, never off what a look
 * shows. Each answers with the confidence up to which it may be named; absent means that naming it is wrong.
 */
import type { Cause, Confidence } from './family.ts';
import { atRandom, effectiveWeights, loadsOf, type Part, partsAt, spreadOf } from './load.ts';
import { isReady } from './placement.ts';
import type { PodPlan, ServicePlan } from './plan.ts';
import type { World } from './simulate.ts';

/** A pod must have been Ready so long before its idleness means something (the published limit `tooSoonSeconds`). */
const tooSoonSeconds = 60;

export interface Scene {
  readonly world: World;
  readonly at: number;
  /** Ready endpoints, with their true load. */
  readonly pods: readonly PodPlan[];
  readonly shares: readonly number[];
  readonly parts: readonly Part[];
}

type Mechanism = (scene: Scene) => Confidence | null;

/** Load per connection, of those that kube-proxy placed. */
function placedWeights({ parts }: Scene): number[] {
  const weights = new Map<unknown, number>();
  for (const { connection, channel, callsPerSecond } of parts) {
    const spreads = channel.plan.policy !== 'pick_first' || channel.plan.dial.to === 'pod';
    if (connection !== null && !spreads) weights.set(connection, (weights.get(connection) ?? 0) + callsPerSecond);
  }
  return [...weights.values()];
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Too few connections to fill the pods: placed at random they would use fewer than four fifths of them. */
const fewConnections: Mechanism = (scene) => {
  const weights = placedWeights(scene);
  const placed = total(weights) / Math.max(total(scene.parts.map(({ callsPerSecond }) => callsPerSecond)), 1e-9);
  if (weights.length === 0 || placed < 0.8) return null;
  const pods = scene.pods.length;
  if (weights.length < 4 * (pods - 1)) return 'certain';
  // Many, of which few carry anything: as good as few.
  return atRandom(effectiveWeights(weights), pods) < 0.8 * pods ? 'likely' : null;
};

/** Load that each pod would have if each connection had chosen evenly among the pods that were Ready when it was made. */
function byAge({ parts, pods }: Scene): number[] {
  const expected = new Map<PodPlan, number>();
  for (const { connection, callsPerSecond } of parts) {
    const then = connection === null ? pods : pods.filter((pod) => isReady(pod, connection.openedAt - 1));
    for (const pod of then) expected.set(pod, (expected.get(pod) ?? 0) + callsPerSecond / then.length);
  }
  const sum = total(parts.map(({ callsPerSecond }) => callsPerSecond));
  return pods.map((pod) => (expected.get(pod) ?? 0) / Math.max(sum, 1e-9));
}

/** Pods that miss load because the connections are older than they are: less than 60 % of an even part, expected and true. */
function missed(scene: Scene): readonly PodPlan[] {
  const { pods, shares, at } = scene;
  const expected = byAge(scene);
  return pods.filter(
    (pod, index) =>
      at - pod.readyAt >= tooSoonSeconds &&
      (expected[index] ?? 0) * pods.length < 0.6 &&
      (shares[index] ?? 0) * pods.length < 0.6 &&
      pod.deaf !== true,
  );
}

/** Connections that stay where they are, on purpose of nobody: a channel of one connection, or a resolver that does not look again. */
function isSticky({ channel, connection }: Part): boolean {
  const { dial, policy } = channel.plan;
  if (connection === null || dial.to === 'pod') return false;
  return policy === 'pick_first' || (dial.to === 'headless' && dial.resolve === 'on-break');
}

const newPodsIdle: Mechanism = (scene) => {
  if (!scene.parts.some(isSticky)) return null;
  const pods = missed(scene).filter((pod) => canBeReached(scene, pod));
  return pods.length === 0 ? null : 'certain';
};

/** A Local policy, near routing or rules that stand still do not bar it from all clients. */
function canBeReached({ world, at }: Scene, pod: PodPlan): boolean {
  const { plan, placement } = world;
  if (plan.service.headless) return true;
  return plan.clients.some(
    (client) => (client.endsAt ?? Infinity) > at && placement.eligible(client, at).includes(pod),
  );
}

const restartedPod: Mechanism = (scene) =>
  scene.parts.some(isSticky) && missed(scene).some(({ restarts }) => (restarts ?? 0) > 0) ? 'certain' : null;

/** Calls a second of each client process. */
function clientShares({ parts }: Scene): number[] {
  const loads = new Map<unknown, number>();
  for (const { channel, callsPerSecond } of parts)
    loads.set(channel.client, (loads.get(channel.client) ?? 0) + callsPerSecond);
  return [...loads.values()];
}

/**
 * How far the largest stands out: `certain` where it is three times the mean of the others, `likely` from half as much again on.
 * Neither is worth naming where it could not fill one pod.
 */
function standsOut(weights: readonly number[], pods: number): Confidence | null {
  const most = Math.max(0, ...weights);
  const sum = total(weights);
  const others = (sum - most) / Math.max(weights.length - 1, 1);
  if (weights.length < 2 || sum === 0 || (most / sum) * pods < 1) return null;
  if (most >= 3 * others && (most / sum) * pods >= 1.25) return 'certain';
  return most >= 1.5 * others ? 'likely' : null;
}

/** One process calls far more than the others, over connections that lie on few pods. */
const hotClient: Mechanism = (scene) => {
  const isSpread = scene.parts.every(({ channel }) => channel.plan.policy !== 'pick_first');
  return isSpread ? null : standsOut(clientShares(scene), scene.pods.length);
};

/** One connection carries many times what the others do, and more than a pod's part. */
const hotConnection: Mechanism = (scene) => standsOut(placedWeights(scene), scene.pods.length);

const churn: Mechanism = ({ parts }) => (parts.some(({ connection }) => connection === null) ? 'certain' : null);

/** A remark: random placement among all pods, with nothing stronger beside it, can look like this. */
const chance: Mechanism = (scene) => {
  const { plan } = scene.world;
  const { service } = plan;
  const isRandom = service.proxy === 'random' && !service.affinity && !service.internalLocal && service.near === 'none';
  if (!isRandom || service.externalLocal || plan.pods.some(({ deaf }) => deaf === true)) return null;
  const isSorted = scene.parts.some(
    ({ channel }) => channel.plan.dial.to === 'headless' && channel.plan.dial.order === 'sorted',
  );
  if (isSorted || placedWeights(scene).length === 0 || newPodsIdle(scene) !== null || hotClient(scene) === 'certain')
    return null;
  return plan.service.staleNodes === undefined && hotConnection(scene) !== 'certain' ? 'likely' : null;
};

const tooSoon: Mechanism = ({ pods, at }) =>
  pods.some(({ readyAt }) => at - readyAt < tooSoonSeconds + 5) ? 'certain' : null;

const onePod: Mechanism = ({ pods }) => (pods.length === 1 ? 'certain' : null);

/** An address with several connections under affinity, or several that it left. */
const affinity: Mechanism = ({ world, parts }) => {
  const { service } = world.plan;
  if (!service.affinity && service.affinityUntil === undefined) return null;
  const held = new Map<string, number>();
  for (const { connection } of parts) {
    if (connection !== null) held.set(connection.peerAddress, (held.get(connection.peerAddress) ?? 0) + 1);
  }
  return [...held.values()].some((count) => count >= 2) ? 'certain' : 'possible';
};

/** Load that rules of nodes and load balancers would give each pod if connections without number were dealt by them. */
function asDirected({ world, parts, pods, at }: Scene): number[] {
  const { plan, placement } = world;
  const expected = new Map<PodPlan, number>();
  for (const { channel, callsPerSecond } of parts) {
    const reached = placement.eligible(channel.client, at).filter((pod) => pods.includes(pod));
    const isLocal = channel.client.outside === true && plan.service.externalLocal;
    const nodes = new Set(reached.map(({ node }) => node)).size;
    for (const pod of reached) {
      const beside = isLocal ? nodes * reached.filter(({ node }) => node === pod.node).length : reached.length;
      expected.set(pod, (expected.get(pod) ?? 0) + callsPerSecond / beside);
    }
  }
  return pods.map((pod) => expected.get(pod) ?? 0);
}

/** A rule directs traffic unevenly by itself, or bars a pod from all who call. */
const directed =
  (isInForce: (service: ServicePlan) => boolean): Mechanism =>
  (scene) => {
    if (!isInForce(scene.world.plan.service)) return null;
    const { effective, idle, shares } = spreadOf(asDirected(scene));
    if (idle.length > 0 || effective < 0.9 * shares.length) return 'certain';
    return effective < 0.97 * shares.length ? 'likely' : 'possible';
  };

/** Causes that do not depend on the family. */
export const mechanisms: Readonly<Record<Cause, Mechanism>> = {
  'few-connections': fewConnections,
  'new-pods-idle': newPodsIdle,
  'restarted-pod': restartedPod,
  'hot-client': hotClient,
  'hot-connection': hotConnection,
  'connection-churn': churn,
  'session-affinity': affinity,
  'single-endpoint': onePod,
  'too-soon': tooSoon,
  'internal-traffic-policy-local': directed(({ internalLocal }) => internalLocal),
  'external-traffic-policy-local': directed(({ externalLocal }) => externalLocal),
  'topology-hints': directed(({ near }) => near === 'hints'),
  'traffic-distribution': directed(({ near }) => near !== 'none' && near !== 'hints'),
  'node-rules-stale': directed(({ staleNodes }) => Object.keys(staleNodes ?? {}).length > 0),
  chance,
};

export function sceneOf(world: World, at: number): Scene {
  const pods = world.placement.ready(at);
  const parts = partsAt(world, at);
  const ready = new Set(pods);
  const onEndpoints = parts.filter(({ pod }) => ready.has(pod));
  return { world, at, pods, parts: onEndpoints, shares: spreadOf(loadsOf(onEndpoints, pods)).shares };
}

/** What is at work in any of these scenes, with the highest confidence that one of them gives it. */
export function mechanismsIn(scenes: readonly Scene[]): Readonly<Record<Cause, Confidence>> {
  const order: readonly Confidence[] = ['certain', 'likely', 'possible'];
  const called = scenes.filter(({ parts }) => parts.some(({ callsPerSecond }) => callsPerSecond > 0));
  const found = Object.entries(mechanisms).flatMap(([cause, applies]) => {
    const said = called.map(applies);
    const best = order.find((confidence) => said.includes(confidence));
    return best === undefined ? [] : [[cause, best] as const];
  });
  return Object.fromEntries(found);
}

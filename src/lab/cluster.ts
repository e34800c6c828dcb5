import { adminPort, grpcPort } from './addresses.ts';
import { hex, nameSuffix, type Random, uuid } from './random.ts';
import type { Parameters, Scenario } from './scenarios.ts';

/** The lab's cluster as plain data: what the API objects, the traffic and exec are made from. */
export interface Cluster {
  readonly namespace: string;
  /** Two, and four where there are many pods. */
  readonly nodes: readonly [LabNode, ...LabNode[]];
  readonly service: LabService;
  /** What else is the matter: labels, probes, proxies, ports. */
  readonly scenario: Scenario;
  readonly server: LabWorkload;
  readonly client: LabWorkload;
  /** Clients that connect when all pods are there: at the second port, or by the second Service. */
  readonly lateClient: LabWorkload | null;
  /** The headless Service over the same pods. */
  readonly sibling: LabService | null;
}

export interface LabNode {
  readonly name: string;
  readonly uid: string;
  readonly zone: string;
  readonly internalIp: string;
  /** The CNI bridge: where kubelet's probes and the API server's proxy come from. */
  readonly bridgeIp: string;
  readonly createdAt: number;
  readonly resourceVersion: number;
}

export interface LabService {
  readonly name: string;
  readonly uid: string;
  readonly clusterIp: string | null;
  readonly sliceName: string;
  readonly sliceUid: string;
  readonly createdAt: number;
  readonly resourceVersion: number;
}

/** A Deployment with its one ReplicaSet. */
export interface LabWorkload {
  readonly name: string;
  readonly role: 'server' | 'client';
  readonly image: string;
  readonly imageHasSs: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Beside those that name it. */
  readonly labels: Readonly<Record<string, string>>;
  readonly uid: string;
  readonly hash: string;
  readonly replicaSetUid: string;
  readonly resourceVersion: number;
  /** A rollout replaces the pods. */
  generations: readonly Generation[];
}

/** The pods of one scaling step. */
interface Generation {
  readonly createdAt: number;
  readonly pods: readonly LabPod[];
}

export interface LabPod {
  readonly name: string;
  readonly uid: string;
  readonly ip: string;
  readonly node: LabNode;
  readonly container: string;
  readonly containerId: string;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly readyAt: number;
  /** What its server answers to a health check; absent: SERVING, at once. */
  readonly health?: 'slow' | 'flapping' | 'not-serving';
  /** Since when, where it was another answer before. */
  readonly healthSince?: number;
  /** Labels of its own: it has left the Service, and its ReplicaSet. */
  readonly hasLeft?: true;
  /** The subset of a mesh that it is in. */
  readonly version?: string;
  readonly resourceVersion: number;
}

export function podsOf(workload: LabWorkload): readonly LabPod[] {
  return workload.generations.flatMap((generation) => generation.pods);
}

/** Pods in the place of those that were, at their addresses, as a rollout leaves them. */
export function rollOut(workload: LabWorkload, now: number, random: Random): void {
  const renewed = podsOf(workload).map((pod) => ({
    ...pod,
    name: `${workload.name}-${workload.hash}-${nameSuffix(random, 5)}`,
    uid: uuid(random),
    containerId: `containerd://${hex(random, 64)}`,
    createdAt: now,
    startedAt: now,
    readyAt: now,
    resourceVersion: pod.resourceVersion + 1,
  }));
  workload.generations = [{ createdAt: workload.generations[0]?.createdAt ?? now, pods: renewed }];
}

export function workloadsOf({ client, lateClient, server }: Cluster): readonly LabWorkload[] {
  return [client, ...(lateClient === null ? [] : [lateClient]), server];
}

export function allPods(cluster: Cluster): readonly LabPod[] {
  return workloadsOf(cluster).flatMap(podsOf);
}

/** The gRPC ports of the Service, which are those of the pods. */
export function portsOf({
  portName,
  secondPort,
}: Scenario): readonly { readonly name: string; readonly port: number }[] {
  const first = { name: portName ?? 'grpc', port: grpcPort };
  return secondPort === true ? [first, { name: 'grpc-admin', port: adminPort }] : [first];
}

/** Weights of the route to subsets, and the pods that are in them: the first one in v1, all others in v2. */
export const subsetWeights = { v1: 70, v2: 30 } as const;

/** The last moment something changed, as the EndpointSlice and the Deployment tell it. */
export function lastReadyAt(workload: LabWorkload): number {
  return podsOf(workload).reduce((last, pod) => Math.max(last, pod.readyAt), Number.NEGATIVE_INFINITY);
}

// History is back-dated, traffic is real: the API claims that the first pods started minutes ago although the
// process started a second ago, so that nobody has to wait minutes for a scale-up worth looking at.
const second = 1000;
const serverAge = 210 * second;
export const clientAgeSeconds = 200;
const scaleUpAge = 100 * second;
/** A pod that stopped being Ready, or was relabelled, did so a minute ago. */
const changeAge = 60 * second;
/** Of the server; with more there are four nodes. */
const manyPods = 20;
const nodeAge = 3 * 24 * 3600 * second;
const serviceAge = 1800 * second;

/** Lays out nodes, Service, workloads and pods, with times and addresses. Pure but for the random numbers. */
export function planCluster(
  scenario: Scenario,
  parameters: Parameters,
  block: number,
  now: number,
  random: Random,
): Cluster {
  const namespace = 'shop';
  let version = 1200;
  const nextVersion = () => {
    version += 1 + Math.floor(random() * 9);
    return version;
  };
  const node = (index: number): LabNode => ({
    name: `lab-${index + 1}`,
    uid: uuid(random),
    zone: index % 2 === 0 ? 'zone-a' : 'zone-b',
    internalIp: `10.98.0.${index + 1}`,
    bridgeIp: `10.244.${block + index}.1`,
    createdAt: now - nodeAge,
    resourceVersion: nextVersion(),
  });
  const more = parameters.to > manyPods ? [node(2), node(3)] : [];
  const nodes: Cluster['nodes'] = [node(0), node(1), ...more];
  const nextHost = nodes.map(() => 5);
  const pods = (count: number, prefix: string, container: string, createdAt: number): LabPod[] =>
    Array.from({ length: count }, (_, index) => {
      const on = index % nodes.length;
      const host = nextHost[on] ?? 5;
      nextHost[on] = host + 1;
      const startedAt = createdAt + 3 * second + Math.floor(random() * 900);
      return {
        name: `${prefix}-${nameSuffix(random, 5)}`,
        uid: uuid(random),
        ip: `10.244.${block + on}.${host}`,
        node: nodes[on] ?? nodes[0],
        container,
        containerId: `containerd://${hex(random, 64)}`,
        createdAt,
        startedAt,
        readyAt: startedAt + (container === 'server' ? 2 * second + Math.floor(random() * 5000) : 0),
        resourceVersion: nextVersion(),
      };
    });
  const { clients, from, to } = parameters;
  const image = scenario.imageHasSs ? 'lab.local/lab/node-ss:1' : 'lab.local/lab/node-noss:1';
  const workload = (
    name: string,
    role: LabWorkload['role'],
    env: Readonly<Record<string, string>>,
    steps: readonly { readonly count: number; readonly age: number }[],
    labels: Readonly<Record<string, string>> = {},
  ): LabWorkload => {
    const hash = nameSuffix(random, 10);
    const generations = steps.map(({ count, age }) => ({
      createdAt: now - age,
      pods: pods(count, `${name}-${hash}`, role, now - age),
    }));
    const { imageHasSs } = scenario;
    const ids = { uid: uuid(random), replicaSetUid: uuid(random), resourceVersion: nextVersion() };
    return { name, role, image, imageHasSs, env, labels, hash, generations, ...ids };
  };
  const scaled = to > from ? [{ count: to - from, age: scaleUpAge }] : [];
  const host = `echo.${namespace}.svc.cluster.local:50051`;
  const service = {
    name: 'echo',
    uid: uuid(random),
    clusterIp: scenario.headless ? null : `10.96.${block}.${10 + Math.floor(random() * 240)}`,
    sliceName: `echo-${nameSuffix(random, 5)}`,
    sliceUid: uuid(random),
    createdAt: now - serviceAge,
    resourceVersion: nextVersion(),
  };
  const server = workload('echo', 'server', { CPU_BURN_US: '4000' }, [{ count: from, age: serverAge }, ...scaled]);
  const clientSteps = [{ count: clients, age: clientAgeSeconds * second }];
  const environment = (target: string, policy: string) => ({
    TARGET: target,
    LB_POLICY: policy,
    RPS: String(parameters.callsPerSecond),
    CONNS: '1',
  });
  const client =
    scenario.gateway === undefined
      ? workload(
          'client',
          'client',
          {
            ...environment(scenario.headless ? `dns:///${host}` : host, scenario.policy),
            ...(scenario.xds === true && { GRPC_XDS_BOOTSTRAP: '/etc/istio/proxy/grpc-bootstrap.json' }),
          },
          clientSteps,
        )
      : workload('public-gateway', 'client', {}, clientSteps, { 'gateway.networking.k8s.io/gateway-name': 'public' });
  const late = lateClientOf(scenario, namespace);
  return {
    namespace,
    nodes,
    scenario,
    service,
    server: withPlan(server, scenario, now - changeAge),
    client,
    lateClient:
      late === null
        ? null
        : workload(late.name, 'client', environment(late.target, late.policy), [
            { count: late.count, age: lateClientAgeSeconds * second },
          ]),
    sibling:
      scenario.sibling === true
        ? {
            ...service,
            name: 'echo-headless',
            uid: uuid(random),
            clusterIp: null,
            sliceName: `echo-headless-${nameSuffix(random, 5)}`,
            sliceUid: uuid(random),
            resourceVersion: nextVersion(),
          }
        : null,
  };
}

/** Clients that came after the last pods. */
export const lateClientAgeSeconds = 60;

function lateClientOf(
  { secondPort, sibling }: Scenario,
  namespace: string,
): { readonly name: string; readonly target: string; readonly policy: string; readonly count: number } | null {
  const domain = `${namespace}.svc.cluster.local`;
  if (secondPort === true)
    return { name: 'admin', target: `echo.${domain}:${adminPort}`, policy: 'pick_first', count: 12 };
  if (sibling !== true) return null;
  return {
    name: 'client-headless',
    target: `dns:///echo-headless.${domain}:${grpcPort}`,
    policy: 'round_robin',
    count: 2,
  };
}

/** What a scenario makes of single pods. */
function withPlan(server: LabWorkload, scenario: Scenario, changedAt: number): LabWorkload {
  const { probes, firstPod, gateway } = scenario;
  const planned = (pod: LabPod, isFirst: boolean): LabPod => ({
    ...pod,
    ...(gateway === 'subsets' && { version: isFirst ? 'v1' : 'v2' }),
    ...(probes === 'slow' && { health: 'slow' as const }),
    ...(isFirst && probes === 'flapping' && { health: 'flapping' as const }),
    ...(isFirst && firstPod === 'not-ready' && { health: 'not-serving' as const, healthSince: changedAt }),
    ...(isFirst && firstPod === 'relabelled' && { hasLeft: true as const }),
  });
  const generations = server.generations.map((generation, step) => ({
    ...generation,
    pods: generation.pods.map((pod, index) => planned(pod, step === 0 && index === 0)),
  }));
  return { ...server, generations };
}

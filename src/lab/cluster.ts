import { hex, nameSuffix, type Random, uuid } from './random.ts';
import type { Parameters, Scenario } from './scenarios.ts';

/** The lab's cluster as plain data: what the API objects, the traffic and exec are made from. */
export interface Cluster {
  readonly namespace: string;
  readonly nodes: readonly [LabNode, LabNode];
  readonly service: LabService;
  readonly server: Workload;
  readonly client: Workload;
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
export interface Workload {
  readonly name: string;
  readonly role: 'server' | 'client';
  readonly image: string;
  readonly imageHasSs: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: string;
  readonly hash: string;
  readonly replicaSetUid: string;
  readonly resourceVersion: number;
  readonly generations: readonly Generation[];
}

/** The pods of one scaling step. */
export interface Generation {
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
  readonly resourceVersion: number;
}

export function podsOf(workload: Workload): readonly LabPod[] {
  return workload.generations.flatMap((generation) => generation.pods);
}

export function allPods(cluster: Cluster): readonly LabPod[] {
  return [...podsOf(cluster.client), ...podsOf(cluster.server)];
}

/** The last moment something changed, as the EndpointSlice and the Deployment tell it. */
export function lastReadyAt(workload: Workload): number {
  return Math.max(...podsOf(workload).map((pod) => pod.readyAt));
}

export const callsPerSecond = 6;

// History is back-dated, traffic is real: the API claims that the first pods started minutes ago although the
// process started a second ago, so that nobody has to wait minutes for a scale-up worth looking at.
const second = 1000;
const serverAge = 210 * second;
export const clientAgeSeconds = 200;
const scaleUpAge = 100 * second;
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
    zone: index === 0 ? 'zone-a' : 'zone-b',
    internalIp: `10.98.0.${index + 1}`,
    bridgeIp: `10.244.${block + index}.1`,
    createdAt: now - nodeAge,
    resourceVersion: nextVersion(),
  });
  const nodes: readonly [LabNode, LabNode] = [node(0), node(1)];
  const nextHost = [5, 5];
  const pods = (count: number, prefix: string, container: string, createdAt: number): LabPod[] =>
    Array.from({ length: count }, (_, index) => {
      const on = index % 2 === 0 ? 0 : 1;
      const host = nextHost[on] ?? 5;
      nextHost[on] = host + 1;
      const startedAt = createdAt + 3 * second + Math.floor(random() * 900);
      return {
        name: `${prefix}-${nameSuffix(random, 5)}`,
        uid: uuid(random),
        ip: `10.244.${block + on}.${host}`,
        node: nodes[on],
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
    role: Workload['role'],
    env: Readonly<Record<string, string>>,
    steps: readonly { readonly count: number; readonly age: number }[],
  ): Workload => {
    const hash = nameSuffix(random, 10);
    const generations = steps.map(({ count, age }) => ({
      createdAt: now - age,
      pods: pods(count, `${name}-${hash}`, role, now - age),
    }));
    const { imageHasSs } = scenario;
    const ids = { uid: uuid(random), replicaSetUid: uuid(random), resourceVersion: nextVersion() };
    return { name, role, image, imageHasSs, env, hash, generations, ...ids };
  };
  const scaled = to > from ? [{ count: to - from, age: scaleUpAge }] : [];
  const host = `echo.${namespace}.svc.cluster.local:50051`;
  return {
    namespace,
    nodes,
    service: {
      name: 'echo',
      uid: uuid(random),
      clusterIp: scenario.headless ? null : `10.96.${block}.${10 + Math.floor(random() * 240)}`,
      sliceName: `echo-${nameSuffix(random, 5)}`,
      sliceUid: uuid(random),
      createdAt: now - serviceAge,
      resourceVersion: nextVersion(),
    },
    server: workload('echo', 'server', { CPU_BURN_US: '4000' }, [{ count: from, age: serverAge }, ...scaled]),
    client: workload(
      'client',
      'client',
      {
        TARGET: scenario.headless ? `dns:///${host}` : host,
        LB_POLICY: scenario.policy,
        RPS: String(callsPerSecond),
        CONNS: '1',
      },
      [{ count: clients, age: clientAgeSeconds * second }],
    ),
  };
}

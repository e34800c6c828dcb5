/** A cluster of plain API objects behind the interface of the Kubernetes layer, which notes what it was asked. */

import { collect } from '../../src/collect/collect.ts';
import type { CollectHost } from '../../src/collect/host.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import type { ExecOutput, ExecTarget, KubeClient, KubeError, KubeResult } from '../../src/kube/types.ts';

export interface FakePod {
  readonly name: string;
  readonly node: string;
  readonly image?: string;
  readonly createdAt?: string;
  readonly cpu?: string;
  /** Used memory of each container, of a limit of 100 Mi. */
  readonly memory?: Readonly<Record<string, string>>;
}

interface Asked {
  readonly path: string;
  readonly selector: string | null;
}

export interface Run {
  readonly target: ExecTarget;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Commands that ran at the same time, this one included: in all, and on its node. */
  readonly atOnce: number;
  readonly onNode: number;
}

export interface FakeCluster {
  readonly kube: KubeClient;
  readonly asked: readonly Asked[];
  readonly runs: readonly Run[];
}

export type Answer = Partial<ExecOutput> | KubeError;

const sockets = 'ESTAB 0 0 10.244.0.10:50051 10.250.0.10:40000\n';

export const missing: Answer = { end: { kind: 'no-such-program', message: 'executable file not found' } };

export function fakeCluster(
  pods: readonly FakePod[],
  answer: (target: ExecTarget) => Answer = () => ({ stdout: sockets.replace('ESTAB ', '') }),
  execMs = 1,
): FakeCluster {
  const asked: Asked[] = [];
  const runs: Run[] = [];
  const nodeOf = new Map(pods.map((pod) => [pod.name, pod.node]));
  const running = new Map<string, number>();
  const noteAsked = (path: string, query: Readonly<Record<string, string>> | undefined) =>
    asked.push({ path, selector: query?.['labelSelector'] ?? null });
  const exec = async (target: ExecTarget): Promise<KubeResult<ExecOutput>> => {
    const node = nodeOf.get(target.pod) ?? '';
    running.set(node, (running.get(node) ?? 0) + 1);
    const startedAt = performance.now();
    const atOnce = [...running.values()].reduce((sum, count) => sum + count, 0);
    const onNode = running.get(node) ?? 0;
    await new Promise((resolve) => setTimeout(resolve, execMs));
    running.set(node, (running.get(node) ?? 1) - 1);
    runs.push({ target, startedAt, endedAt: performance.now(), atOnce, onNode });
    const given = answer(target);
    if ('kind' in given) return { ok: false, error: given };
    const time = '2026-03-01T12:00:00.000Z';
    const output = { stdout: '', stderr: '', end: { kind: 'exit', code: 0 }, startedAt: time, endedAt: time } as const;
    return { ok: true, serverDate: null, value: { ...output, ...given } };
  };
  const serverDate = '2026-03-01T12:00:00Z';
  const kube: KubeClient = {
    context: 'fake',
    namespace: 'shop',
    server: 'fake',
    counts: { requests: 0, execs: 0 },
    signIn: async () => ({ ok: true, value: null, serverDate: null }),
    async getJson(path, options) {
      noteAsked(path, options.query);
      return { ok: true, serverDate, value: service };
    },
    async getText(path, options) {
      noteAsked(path, options.query);
      return { ok: false, error: { kind: 'not-found', request: options.request, message: 'no page' } };
    },
    async list(path, options) {
      noteAsked(path, options.query);
      const last = path.split('/').at(-1) ?? '';
      const of = path.includes('metrics.k8s.io') ? pods.map(usageObject) : (objects(pods)[last] ?? []);
      return { ok: true, serverDate, value: { items: of, pages: 1 } };
    },
    async *pages(path, options) {
      const all = await this.list(path, options);
      yield all.ok ? { ...all, value: all.value.items } : all;
    },
    exec,
    close: async () => {},
  };
  return { kube, asked, runs };
}

export interface Gathered {
  readonly evidence: SkewEvidence;
  /** What was announced before the first command: pods and samples; null when nothing was. */
  readonly announced: readonly [number, number] | null;
}

export async function gather(
  kube: KubeClient,
  more: {
    readonly windowSeconds?: number;
    readonly exec?: boolean;
    readonly allPods?: boolean;
    readonly probeMetrics?: boolean;
    readonly metricsPort?: number;
    readonly prometheus?: CollectHost['prometheus'];
    readonly inspectClients?: boolean;
    readonly inspectProxies?: boolean;
  } = {},
  namespace = 'shop',
): Promise<Gathered> {
  let announced: readonly [number, number] | null = null;
  const request = {
    namespace,
    name: 'echo',
    context: null,
    port: null,
    windowSeconds: more.windowSeconds ?? 0,
    exec: more.exec ?? true,
    allPods: more.allPods ?? false,
    metricsPort: more.metricsPort ?? null,
    probeMetrics: more.probeMetrics ?? false,
    inspectClients: more.inspectClients ?? false,
    inspectProxies: more.inspectProxies ?? false,
    toolVersion: '0.0.0',
  };
  const host = {
    kube,
    ...(more.prometheus !== undefined && { prometheus: more.prometheus }),
    now: () => 0,
    wait: async () => {},
    progress: () => {},
    beforeExecs: (pods: number, samples: number) => {
      announced = [pods, samples];
    },
  };
  let evidence: SkewEvidence | null = null;
  for await (const state of collect(request, host)) evidence = state.evidence;
  if (evidence === null) throw new Error('nothing was collected');
  return { evidence, announced };
}

const service = {
  kind: 'Service',
  metadata: { name: 'echo', namespace: 'shop' },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.20',
    selector: { app: 'echo' },
    ports: [{ name: 'grpc', port: 50_051, targetPort: 50_051, protocol: 'TCP' }],
  },
};

function objects(pods: readonly FakePod[]): Readonly<Record<string, readonly unknown[]>> {
  const slice = {
    metadata: { name: 'echo-1' },
    addressType: 'IPv4',
    ports: [{ name: 'grpc', port: 50_051, protocol: 'TCP' }],
    endpoints: pods.map((pod, index) => ({
      addresses: [`10.244.0.${10 + index}`],
      conditions: { ready: true },
      targetRef: { kind: 'Pod', name: pod.name, namespace: 'shop', uid: `uid-${pod.name}` },
      nodeName: pod.node,
    })),
  };
  return { endpointslices: [slice], pods: pods.map(podObject) };
}

function podObject(pod: FakePod): unknown {
  const containers = Object.keys(pod.memory ?? { server: '' });
  return {
    metadata: {
      name: pod.name,
      namespace: 'shop',
      uid: `uid-${pod.name}`,
      labels: { app: 'echo' },
      creationTimestamp: pod.createdAt ?? '2026-02-28T12:00:00Z',
    },
    spec: {
      nodeName: pod.node,
      containers: containers.map((name) => ({
        name,
        image: pod.image ?? 'echo:1',
        ports: name === 'server' ? [{ containerPort: 50_051 }] : [],
        resources: { limits: { memory: '100Mi' } },
      })),
    },
    status: {
      phase: 'Running',
      podIP: '10.244.0.10',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-02-28T12:00:05Z' }],
      containerStatuses: containers.map((name) => ({
        name,
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-02-28T12:00:02Z' } },
      })),
    },
  };
}

function usageObject(pod: FakePod): unknown {
  const memory = pod.memory ?? { server: '10Mi' };
  return {
    metadata: { name: pod.name },
    timestamp: '2026-03-01T11:59:45Z',
    window: '15s',
    containers: Object.entries(memory).map(([name, used]) => ({
      name,
      usage: { cpu: pod.cpu ?? '100m', memory: used },
    })),
  };
}

/** A made-up cluster of pods with probes, behind the interface of the Kubernetes layer. */
import type { KubeClient, KubeError, KubeResult } from '../../src/kube/types.ts';

export interface ApiPod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
}

export const serverDate = '2026-03-01T12:00:00.000Z';

export interface FakePages {
  /** Objects of a list by its last word: `pods`, `events`, `metrics-pods`; a page is made when it is asked for. */
  readonly lists: Readonly<Record<string, (page: number) => readonly unknown[] | KubeError>>;
  readonly pagesOf?: Readonly<Record<string, number>>;
  readonly texts?: (path: string) => string | KubeError;
  /** Told before each page. */
  readonly onPage?: (list: string, page: number) => Promise<void>;
}

export function fakePages({ lists, pagesOf = {}, texts, onPage }: FakePages): {
  readonly kube: KubeClient;
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  const page = (list: string, number: number): KubeResult<readonly unknown[]> => {
    const items = lists[list]?.(number) ?? [];
    return 'kind' in items ? { ok: false, error: items } : { ok: true, value: items, serverDate };
  };
  const last = (path: string) =>
    `${path.includes('/metrics.k8s.io/') ? 'metrics-' : ''}${path.split('/').at(-1) ?? ''}`;
  const kube: KubeClient = {
    context: 'made-up',
    namespace: 'shop',
    server: 'none',
    counts: { requests: 0, execs: 0 },
    signIn: async () => ({ ok: true, value: null, serverDate: null }),
    getJson: async (path, { request }) => {
      asked.push(path);
      return { ok: false, error: { kind: 'not-found', request, message: 'not there' } };
    },
    async getText(path, { request }) {
      asked.push(path);
      const text = texts?.(path) ?? { kind: 'not-found', request, message: 'no page' };
      return typeof text === 'string'
        ? { ok: true, value: { text, receivedAt: serverDate }, serverDate }
        : { ok: false, error: text };
    },
    async list(path) {
      asked.push(path);
      const found = page(last(path), 0);
      return found.ok ? { ...found, value: { items: found.value, pages: 1 } } : found;
    },
    async *pages(path) {
      for (let number = 0; number < (pagesOf[last(path)] ?? 1); number += 1) {
        asked.push(path);
        await onPage?.(last(path), number);
        yield page(last(path), number);
      }
    },
    exec: async () => {
      throw new Error('nothing may be run in a pod');
    },
    close: async () => {},
  };
  return { kube, asked };
}

export type ApiProbes = Readonly<Partial<Record<'livenessProbe' | 'readinessProbe' | 'startupProbe', object>>>;

export function apiPod(
  name: string,
  probes: ApiProbes,
  more: { readonly namespace?: string; readonly workload?: string; readonly ports?: readonly object[] } = {},
): ApiPod {
  const workload = more.workload ?? name;
  return {
    metadata: {
      name,
      namespace: more.namespace ?? 'shop',
      uid: `uid-${name}`,
      ...{
        labels: { 'pod-template-hash': 'abc' },
        ownerReferences: [{ kind: 'ReplicaSet', name: `${workload}-abc`, controller: true }],
        creationTimestamp: '2026-02-28T12:00:00Z',
      },
    },
    ...{
      spec: { nodeName: 'n1', containers: [{ name: workload, image: 'a:1', ports: more.ports ?? [], ...probes }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-02-28T12:00:05Z' }],
        containerStatuses: [
          { name: workload, ready: true, restartCount: 0, state: { running: { startedAt: '2026-02-28T12:00:02Z' } } },
        ],
      },
    },
  };
}

export const httpGet = { httpGet: { path: '/healthz', port: 8080 } };
export const tcpSocket = { tcpSocket: { port: 8080 } };
export const exec = { exec: { command: ['etcdctl', 'endpoint', 'health'] } };
export const grpc = (port: number, service?: string) => ({ grpc: { port, ...(service !== undefined && { service }) } });

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { takeCensus } from '../../src/commands/probes.ts';
import type { KubeError } from '../../src/kube/types.ts';
import { renderCensus } from '../../src/render/census.ts';
import type { ProbeCensus } from '../../src/report/census.ts';
import {
  type ApiPod,
  apiPod,
  exec,
  type FakePages,
  fakePages,
  grpc,
  httpGet,
  serverDate,
  tcpSocket,
} from './cluster.ts';

const pipe = { env: { LANG: 'C.UTF-8' }, stdoutIsTerminal: false, columns: null };

async function censusOf(
  pages: FakePages,
  more: { readonly namespace?: string | null; readonly probeMetrics?: boolean; readonly windowSeconds?: number } = {},
): Promise<{ readonly census: ProbeCensus; readonly asked: readonly string[] }> {
  const { kube, asked } = fakePages(pages);
  const taken = await takeCensus(
    { kube, wait: async () => {} },
    {
      namespace: more.namespace === undefined ? null : more.namespace,
      context: 'made-up',
      probeMetrics: more.probeMetrics ?? false,
      windowSeconds: more.windowSeconds ?? 0,
      now: () => 0,
    },
  );
  if (!taken.ok) throw new Error(taken.error.message);
  return { census: taken.value, asked };
}

/** As many probes of each kind as a real cluster of 271 pods had; its three gRPC probes are those of hubble-relay. */
function realCluster(): readonly ApiPod[] {
  const many = (count: number, name: string, probes: Parameters<typeof apiPod>[1]) =>
    Array.from({ length: count }, (_, index) => apiPod(`${name}-${index}`, probes, { workload: name }));
  const relay = grpc(4222);
  return [
    ...many(184, 'web', { livenessProbe: httpGet, readinessProbe: httpGet }),
    ...many(38, 'database', { readinessProbe: exec }),
    ...many(10, 'cache', { livenessProbe: tcpSocket, readinessProbe: tcpSocket }),
    ...many(38, 'worker', {}),
    apiPod(
      'hubble-relay-abc-x',
      { livenessProbe: relay, readinessProbe: relay, startupProbe: relay },
      { namespace: 'kube-system', workload: 'hubble-relay' },
    ),
  ];
}

/** What kubelet had counted of hubble-relay. */
const counters = (
  [
    ['Liveness', 'successful', 32_161],
    ['Readiness', 'successful', 32_162],
    ['Startup', 'successful', 1],
    ['Startup', 'failed', 8],
  ] as const
)
  .map(
    ([type, result, count]) =>
      `prober_probe_total{container="hubble-relay",namespace="kube-system",pod="hubble-relay-abc-x",pod_uid="uid-hubble-relay-abc-x",probe_type="${type}",result="${result}"} ${count}`,
  )
  .join('\n');

describe('the census of a cluster of 271 pods', () => {
  const lists = { pods: () => realCluster(), nodes: () => [{ metadata: { name: 'n1' } }] };

  it('counts each probe of each container once, by kind and type', async () => {
    const { census } = await censusOf({ lists });
    expect(census.status).toMatchObject({
      pods: 271,
      podsWithProbes: 233,
      workloads: 5,
      probes: 429,
      kinds: { httpGet: 368, exec: 38, tcpSocket: 20, grpc: 3 },
      byType: [
        { type: 'liveness', httpGet: 184, exec: 0, tcpSocket: 10, grpc: 1 },
        { type: 'readiness', httpGet: 184, exec: 38, tcpSocket: 10, grpc: 1 },
        { type: 'startup', httpGet: 0, exec: 0, tcpSocket: 0, grpc: 1 },
      ],
      results: null,
      findings: [],
    });
    expect(census.status.grpcProbes.map(({ workload, type, port, pods }) => [workload, type, port, pods])).toEqual([
      ['deployment/hubble-relay', 'liveness', 4222, 1],
      ['deployment/hubble-relay', 'readiness', 4222, 1],
      ['deployment/hubble-relay', 'startup', 4222, 1],
    ]);
  });

  it('has the results of kubelets where they are asked for: one request a node', async () => {
    const { census, asked } = await censusOf({ lists, texts: () => counters }, { probeMetrics: true });
    expect(asked.filter((path) => path.includes('/proxy/'))).toEqual(['/api/v1/nodes/n1/proxy/metrics/probes']);
    expect(census.status.results).toMatchObject([
      { type: 'liveness', successful: 32_161, failed: 0 },
      { type: 'readiness', successful: 32_162, failed: 0 },
      { type: 'startup', successful: 1, failed: 8 },
    ]);
    const text = renderCensus(census, { output: 'table', color: 'never' }, pipe);
    expect(text).toMatchInlineSnapshot(`
      "made-up / all namespaces  2026-03-01 12:00:00 UTC

      PROBES      429 probes of 271 pods (233 have some): httpGet 368, exec 38,
                  tcpSocket 20, grpc 3

      TYPE       HTTPGET  EXEC  TCPSOCKET  GRPC  OK/FAILED
      liveness       184     0         10     1    32161/0
      readiness      184    38         10     1    32162/0
      startup          0     0          0     1        1/8

      GRPC PROBES
      WORKLOAD                        PROBE      ASKS        EVERY/LIMIT  PODS  FAILED
      kube-system/…ment/hubble-relay  liveness   grpc :4222       10s/1s     1       0
      kube-system/…ment/hubble-relay  readiness  grpc :4222       10s/1s     1       0
      kube-system/…ment/hubble-relay  startup    grpc :4222       10s/1s     1       0

      WORKLOAD                             PROBE      OK/FAILED  TAKES
      kube-system/deployment/hubble-relay  liveness     32161/0      -
      kube-system/deployment/hubble-relay  readiness    32162/0      -
      kube-system/deployment/hubble-relay  startup          1/8      -

      FINDINGS    nothing wrong in specs, Events and counters of kubelets
      "
    `);
  });

  it('says of what was looked at alone that nothing is wrong', async () => {
    const said = async (parts: Parameters<typeof censusOf>[0]) => {
      const { census } = await censusOf(parts);
      const text = renderCensus(census, { output: 'table', color: 'never' }, { ...pipe, columns: 300 });
      return /^FINDINGS +(.*)$/m.exec(text.replaceAll(/\n {12}/g, ' '))?.[1];
    };
    expect(await said({ lists })).toBe(
      'nothing wrong in specs and Events; how long probes take was not asked: --probe-metrics',
    );
    const refused: KubeError = { kind: 'forbidden', request: 'list events', message: 'no' };
    expect(await said({ lists: { ...lists, events: () => refused } })).toBe(
      'nothing wrong in specs; Events, which tell of failures, were not seen as a whole; how long probes take was not asked: --probe-metrics',
    );
    expect(await said({ lists: { ...lists, pods: () => [] } })).toBe('none: there are no probes');
  });

  it('asks kubelets for nothing otherwise', async () => {
    expect((await censusOf({ lists })).asked).toEqual(['/api/v1/events', '/api/v1/pods']);
    expect((await censusOf({ lists }, { namespace: 'shop' })).asked).toEqual([
      '/api/v1/namespaces/shop/events',
      '/api/v1/namespaces/shop/pods',
    ]);
  });

  it('leaves out pods that have ended', async () => {
    const done = { ...apiPod('job-1', { livenessProbe: exec }), status: { phase: 'Succeeded' } };
    expect((await censusOf({ lists: { pods: () => [done] } })).census.status).toMatchObject({ pods: 0, probes: 0 });
  });
});

describe('a large cluster', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  it('of 10,000 pods is counted page by page: no more than two pages live at once', { timeout: 60_000 }, async () => {
    const issued: WeakRef<object>[] = [];
    let most = 0;
    const pods = (page: number) =>
      Array.from({ length: 500 }, (_, index) => {
        const pod = apiPod(
          `web-${page}-${index}`,
          { livenessProbe: httpGet, readinessProbe: grpc(50_051) },
          { workload: 'web' },
        );
        issued.push(new WeakRef(pod));
        return pod;
      });
    const onPage = async () => {
      // A reference that was made or read in this turn keeps its object until the next one.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      most = Math.max(most, issued.filter((reference) => reference.deref() !== undefined).length);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const { census } = await censusOf({ lists: { pods }, pagesOf: { pods: 20 }, onPage });
    expect(census.status).toMatchObject({ pods: 10_000, workloads: 1, kinds: { httpGet: 10_000, grpc: 10_000 } });
    expect(issued).toHaveLength(10_000);
    expect(most).toBeLessThanOrEqual(1000);
  });

  it('begins again when the continue token expires on the way, once', async () => {
    const gone: KubeError = { kind: 'gone', request: 'list pods', message: 'too old' };
    let expired = 0;
    const pods = (page: number) =>
      page === 1 && expired++ === 0 ? gone : [apiPod(`web-${page}`, { livenessProbe: httpGet })];
    const { census } = await censusOf({ lists: { pods }, pagesOf: { pods: 3 } });
    expect([census.status.pods, census.status.kinds.httpGet]).toEqual([3, 3]);
    const always = { lists: { pods: (page: number) => (page === 1 ? gone : []) }, pagesOf: { pods: 3 } };
    await expect(censusOf(always)).rejects.toThrow('too old');
  });
});

describe('what is found', () => {
  const named = { livenessProbe: grpc(50_051), readinessProbe: grpc(50_051, 'shop.Echo') };
  const ports = [{ name: 'grpc', containerPort: 50_051 }];
  const unready = (pod: ApiPod) => {
    const changed = structuredClone(pod) as ApiPod & { status: { conditions: { status: string }[] } };
    for (const condition of changed.status.conditions) condition.status = 'False';
    return changed;
  };
  const event = (pod: string, message: string, namespace = 'shop') => ({
    metadata: { namespace, name: 'e' },
    reason: 'Unhealthy',
    message: `Readiness probe failed: ${message}`,
    involvedObject: { kind: 'Pod', name: pod, uid: `uid-${pod}` },
    count: 7,
    firstTimestamp: '2026-03-01T11:00:00Z',
    lastTimestamp: serverDate,
  });

  it('stands beside its workload, with what Events tell', async () => {
    const { census } = await censusOf({
      lists: {
        pods: () => [
          unready(apiPod('echo-1', named, { workload: 'echo', ports })),
          apiPod('bare-1', {}, { workload: 'bare', ports }),
        ],
        events: () => [
          event('echo-1', 'rpc error: code = NotFound desc = unknown service'),
          event('echo-1', 'x', 'other'),
        ],
      },
    });
    expect(census.status.findings).toMatchObject([
      { id: 'no-readiness-probe', confidence: 'certain', workload: 'deployment/bare', pods: 1 },
      { id: 'unknown-service', confidence: 'certain', workload: 'deployment/echo', container: 'echo', pods: 1 },
    ]);
    expect(census.status.grpcProbes.find((probe) => probe.type === 'readiness')).toMatchObject({
      service: 'shop.Echo',
      failedPods: 1,
      failures: 7,
      failureKinds: ['unknown-service'],
    });
  });

  it('says which right is missing, and goes on without it', async () => {
    const forbidden = (what: string): KubeError => ({
      kind: 'forbidden',
      request: 'ask',
      message: `forbidden: User "jo" cannot ${what} in API group "" at the cluster scope`,
    });
    const lists = {
      pods: () => [apiPod('echo-1', named, { workload: 'echo', ports })],
      events: () => forbidden('list resource "events"'),
      nodes: () => [{ metadata: { name: 'n1' } }, { metadata: { name: 'n2' } }],
    };
    const texts = () => forbidden('get resource "nodes/proxy"');
    const { census, asked } = await censusOf({ lists, texts }, { probeMetrics: true });
    expect(census.status.signals).toMatchObject([
      { id: 'probes', state: 'partial', needs: 'list events' },
      { id: 'probe-metrics', state: 'forbidden', needs: 'get nodes/proxy' },
    ]);
    expect(census.status.grpcProbes[0]?.failedPods).toBeNull();
    expect(asked.filter((path) => path.includes('/proxy/'))).toHaveLength(1);
    const text = renderCensus(census, { output: 'table', color: 'never' }, pipe);
    expect(text).toContain('not seen    - probes (needs list events): whether failing probes move the\n');
    expect(text).toContain('- probe-metrics (needs get nodes/proxy): how many probes fail');
  });

  it('reaches no terminal as an escape sequence', async () => {
    const pods = () => [
      apiPod('echo-1', { readinessProbe: grpc(50_051, 'a\u001b[2Jb\u202e') }, { workload: 'echo', ports }),
    ];
    const { census } = await censusOf({ lists: { pods } });
    for (const output of ['table', 'json', 'yaml'])
      expect(renderCensus(census, { output, color: 'never' }, pipe)).not.toMatch(/[\u001b\u202e]/);
  });
});

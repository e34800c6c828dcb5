import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { KubeClient } from '../../src/kube/types.ts';
import { readProbeMetrics } from '../../src/signals/probe-metrics/read.ts';
import { readProbes } from '../../src/signals/read/probe-specs.ts';
import { forbidden } from '../kube/forbidden.ts';
import { fakeCluster, gather } from './fake-cluster.ts';

const page = (name: string): string => readFileSync(new URL(`../recordings/${name}`, import.meta.url), 'utf8');

describe("kubelet's page of probes", () => {
  it('is read as recorded: totals by result, durations of those that succeeded', () => {
    const counts = readProbeMetrics(page('probe-broken/probes.txt'));
    expect(counts).toHaveLength(12);
    expect(
      counts.find((one) => one.pod === 'echo-flapping-7784bd49b4-m49nq' && one.type === 'readiness'),
    ).toMatchObject({
      namespace: 'probe-broken',
      podUid: '8b24fb62-6745-4fa6-974f-3318b9051a0d',
      container: 'server',
      successful: 18,
      failed: 15,
      unknown: 0,
    });
    const healthy = counts.find((one) => one.pod === 'echo-598d5ff998-4qvtj' && one.type === 'readiness');
    expect(healthy?.durations).toMatchObject({ count: 30, sumSeconds: 1.241594696 });
    expect(healthy?.durations?.p95Seconds).toBeGreaterThan(0.01);
    const unready = counts.find((one) => one.pod.startsWith('echo-unready') && one.type === 'readiness');
    expect(unready).toMatchObject({ successful: 0, failed: 31, durations: null });
  });

  it('may come with other spellings: spaces, labels of Prometheus, a timestamp', () => {
    const line =
      'prober_probe_total{container="a", endpoint="x", namespace="n", pod="p", pod_uid="u", probe_type="Startup", result="unknown"} 3 1700000000';
    expect(readProbeMetrics(line)).toMatchObject([{ podUid: 'u', type: 'startup', unknown: 3 }]);
  });

  it.each([
    [0, 'successful'],
    [1, 'failed'],
    [-1, 'unknown'],
  ])('may be the old gauge of the last result, where a static pod has no uid: %s', (value, lastResult) => {
    const line = `prober_probe_result{container_name="a",namespace="n",pod_name="p",pod_uid="",probe_type="Liveness"} ${value}`;
    expect(readProbeMetrics(line)).toMatchObject([
      {
        namespace: 'n',
        pod: 'p',
        container: 'a',
        podUid: null,
        type: 'liveness',
        lastResult,
        successful: 0,
        failed: 0,
      },
    ]);
  });

  it('tells a pod from its namesake by uid; durations, which name none, then belong to nobody', () => {
    const row = (uid: string, count: number) =>
      `prober_probe_total{container="a",namespace="n",pod="db-0",pod_uid="${uid}",probe_type="Liveness",result="failed"} ${count}`;
    const durations = ['sum', 'count'].map(
      (part) => `prober_probe_duration_seconds_${part}{container="a",namespace="n",pod="db-0",probe_type="Liveness"} 5`,
    );
    const counts = readProbeMetrics([row('old', 9), row('new', 1), ...durations].join('\n'));
    expect(counts).toMatchObject([
      { podUid: 'old', failed: 9, durations: null },
      { podUid: 'new', failed: 1, durations: null },
    ]);
  });

  it('is nothing where it is something else', () => {
    expect(
      readProbeMetrics('<html>no</html>\nprober_probe_total 3\nprober_probe_total{probe_type="Other",pod="p"} 1'),
    ).toEqual([]);
  });
});

describe('the signal', () => {
  const two = [
    { name: 'echo-1', node: 'n1' },
    { name: 'echo-2', node: 'n1' },
    { name: 'echo-3', node: 'n2' },
  ];
  const row = (pod: string, uid: string, count: number) =>
    `prober_probe_total{container="server",namespace="shop",pod="${pod}",pod_uid="${uid}",probe_type="Liveness",result="successful"} ${count}`;
  const answering = (kube: KubeClient): KubeClient => {
    let times = 0;
    return {
      ...kube,
      async getText(path, options) {
        const before = await kube.getText(path, options);
        if (!path.includes('/nodes/')) return before;
        times += 1;
        const text = [row('echo-1', 'uid-echo-1', times), row('stranger', 'uid-9', 5)].join('\n');
        return { ok: true, serverDate: null, value: { text, receivedAt: `2026-03-01T12:00:0${times}.000Z` } };
      },
    };
  };
  const nodes = (asked: readonly { readonly path: string }[]) =>
    asked.map(({ path }) => path).filter((path) => path.includes('/nodes/'));

  it('is not asked for unless somebody says so', async () => {
    const { kube, asked } = fakeCluster(two);
    const { evidence } = await gather(kube, { windowSeconds: 3 });
    expect([nodes(asked), evidence.probeMetrics]).toEqual([[], undefined]);
    expect(evidence.signals.map((signal) => signal.id)).not.toContain('probe-metrics');
  });

  it('costs one request a node and sample, and keeps the pods of the Service alone', async () => {
    const { kube, asked } = fakeCluster(two);
    const { evidence } = await gather(answering(kube), { windowSeconds: 3, probeMetrics: true });
    expect(nodes(asked).sort()).toEqual(
      ['n1', 'n1', 'n2', 'n2'].map((node) => `/api/v1/nodes/${node}/proxy/metrics/probes`),
    );
    expect(evidence.probeMetrics?.looks.map((look) => look.sample)).toEqual([1, 1, 2, 2]);
    expect(JSON.stringify(evidence)).not.toContain('stranger');
    expect(evidence.signals.find((signal) => signal.id === 'probe-metrics')).toMatchObject({ state: 'complete' });
  });

  it('names the right that is missing after one refusal', async () => {
    const { kube } = fakeCluster(two);
    let asked = 0;
    const refusing: KubeClient = {
      ...kube,
      async getText(path, options) {
        if (!path.includes('/nodes/')) return kube.getText(path, options);
        asked += 1;
        const message =
          'nodes "n1" is forbidden: User "jo" cannot get resource "nodes/proxy" in API group "" at the cluster scope';
        return { ok: false, error: forbidden(message, options.request) };
      },
    };
    const { evidence } = await gather(refusing, { probeMetrics: true });
    expect(asked).toBe(1);
    expect(evidence.signals.find((signal) => signal.id === 'probe-metrics')).toMatchObject({
      state: 'forbidden',
      needs: 'get nodes/proxy',
    });
  });
});

describe('probe specs', () => {
  const httpGet = (port: number | string, path: string) =>
    readProbes({ readinessProbe: { httpGet: { port, path } } })[0];

  it('tell what a mesh has put in their place', () => {
    expect(httpGet(15_020, '/app-health/server/readyz')?.rewritten).toBe(true);
    expect(httpGet(15_021, '/healthz/ready')).not.toHaveProperty('rewritten');
    expect(httpGet(8080, '/app-health/server/readyz')).not.toHaveProperty('rewritten');
  });

  it('keep no path and no argument', () => {
    expect(JSON.stringify(httpGet(8080, '/health?token=s3cr3t'))).not.toContain('health?');
  });
});

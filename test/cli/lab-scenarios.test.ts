import { describe, expect, test } from 'vitest';
import { scenarios } from '../../src/lab/scenarios.ts';
import { harmfulReliefs } from '../diagnose/served.ts';
import type { Json } from './cluster.ts';
import { expectNoTrace, runProgram } from './program.ts';

/** Runs a scenario as anybody would, and answers the document. */
async function look(scenario: string, ...more: readonly string[]): Promise<Json> {
  const run = await runProgram(['lab', scenario, '--window', '1', '-o', 'json', ...more], { timeoutMs: 60_000 });
  expectNoTrace(run);
  expect([run.code, run.stderr]).toEqual([0, expect.stringMatching(new RegExp(`^lab: ${scenario}: .*\\n$`))]);
  const report = JSON.parse(run.stdout);
  // Of several ports there is a list.
  for (const one of report.items ?? [report]) expect(harmfulReliefs(one)).toEqual([]);
  return report;
}

const causes = ({ status }: Json): Record<string, string> =>
  Object.fromEntries(status.causes.map(({ id, confidence }: Json) => [id, confidence]));
const warning = ({ status }: Json, id: string): string | undefined =>
  status.warnings.find((one: Json) => one.id === id)?.text;
const signal = ({ status }: Json, id: string): Json => status.signals.find((one: Json) => one.id === id);
const hop = ({ status }: Json, kind: string): Json => status.path.hops.find((one: Json) => one.kind === kind);

describe('probes', () => {
  test('a service that the server does not know: kubelet quotes its answer', async () => {
    const report = await look('probe-unknown-service');
    expect(report.status.verdict.state).toBe('not-load-balancing');
    // The server really answers NOT_FOUND, and Events say so.
    expect(causes(report)).toMatchObject({ 'pods-not-ready': 'certain', 'probe-misconfigured': 'certain' });
    expect(report.status.pods.every(({ ready }: Json) => ready === false)).toBe(true);
  });

  test('a server that speaks TLS only: no more than likely, since a probe tells only that it could not connect', async () => {
    const report = await look('probe-tls');
    expect(report.status.verdict.state).toBe('not-load-balancing');
    expect(causes(report)).toMatchObject({ 'pods-not-ready': 'certain', 'probe-misconfigured': 'likely' });
  });

  test('an answer near the timeout: all is well, and a warning', async () => {
    const report = await look('probe-slow', '--probe-metrics');
    expect(report.status.verdict.state).toBe('balanced');
    expect(warning(report, 'timeout-too-short')).toMatch(
      /timeout of 1 s of the (liveness|readiness) probe .* near the time that an answer takes/,
    );
    const { counted } = report.status.probes.find(({ type }: Json) => type === 'readiness');
    // Check takes 0.65 s and the way there a little.
    expect(counted.meanSeconds).toBeGreaterThanOrEqual(0.65);
  });

  test('readiness that comes and goes: the pod is out and keeps its clients', async () => {
    const report = await look('probe-flapping');
    expect(causes(report)['unready-but-connected']).toBe('certain');
    const readiness = report.status.probes.find(({ type }: Json) => type === 'readiness');
    expect(readiness.failedPods).toBe(1);
    // It claims to have come and gone for more than three minutes, every 5 s.
    expect(readiness.failures).toBeGreaterThan(10);
  });
});

describe('clients', () => {
  test('that balance, and do not look the name up again: the young pods get nothing', async () => {
    const report = await look('no-re-resolution');
    expect(report.status.verdict.state).toBe('skewed');
    // Four clients are connected to each of the three pods that they found at their start.
    expect(causes(report)['no-re-resolution']).toMatch(/^(certain|likely)$/);
    expect(report.status.recommendation).toMatchObject({
      strategy: 'headless-round-robin',
      action: 'complete',
      rule: 5,
    });
    expect(report.status.headline.fix).toBe('add MaxConnectionAge on the server to headless + round_robin');
    expect(report.status.pods.filter(({ connections }: Json) => connections === 4)).toHaveLength(3);
  });

  test('of which one makes most of the calls: it, and not the deal', async () => {
    const report = await look('hot-client');
    expect(report.status.verdict.state).toBe('skewed');
    // 10 of 14 parts of the calls, over one connection; on a busy machine less, but far above a fair fifth.
    const most = Math.max(...report.status.pods.map(({ shares }: Json) => shares.calls));
    expect(most).toBeGreaterThan(0.4);
    expect(most).toBeLessThan(0.8);
    expect(['certain', 'likely']).toContain(causes(report)['hot-client']);
    expect(report.status.pods.every(({ connections }: Json) => connections === 1)).toBe(true);
  });
});

describe('pods that leave and keep their connections', () => {
  test.each([
    ['not-ready', /is not Ready/],
    ['relabelled', /is not in the Service any more/],
  ])('%s', async (scenario, words) => {
    const report = await look(scenario);
    // Two of four clients were placed on the first pod, and go on calling it.
    expect(causes(report)['unready-but-connected']).toBe('certain');
    const cause = report.status.causes.find(({ id }: Json) => id === 'unready-but-connected');
    expect(cause.text).toMatch(words);
    expect(cause.text).toMatch(/2 connections/);
    if (scenario === 'relabelled') expect(report.status.headline.since).toMatch(/in the place of as many that left/);
  });
});

test('an autoscaler that sees the mean only', async () => {
  const report = await look('hpa-blind');
  expect(report.status.verdict.state).toBe('skewed');
  // 4 clients × 6 calls/s × 4 millicores on 10 pods that ask for 10 each: about 100 % in the mean, 480 % at the top.
  expect(warning(report, 'hpa-blind')).toMatch(/mean of (9|10|11|12)\d % .*target 200 %.* hottest pod at [45]\d\d %/);
});

describe('proxies in the path', () => {
  test('sidecars on both ends that pass connections on', async () => {
    const report = await look('mesh-tcp');
    expect([hop(report, 'client-sidecar')?.name, hop(report, 'server-sidecar')?.name]).toEqual([
      'istio-proxy',
      'istio-proxy',
    ]);
    // No declaration, every client on one pod, and the rules of the mesh were read.
    expect(causes(report)['mesh-sees-tcp']).toBe('likely');
    expect(report.status.recommendation).toMatchObject({ strategy: 'l7-proxy', action: 'repair' });
  });

  test('clients outside the mesh of the pods', async () => {
    const report = await look('outside-mesh');
    expect([hop(report, 'client-sidecar'), hop(report, 'server-sidecar')?.name]).toEqual([undefined, 'istio-proxy']);
    expect(Object.keys(causes(report))).toContain('client-outside-mesh');
  });

  test('a gateway that chooses for each call, and a route with weights', async () => {
    const report = await look('gateway');
    expect(report.status.verdict.state).toBe('balanced');
    expect(hop(report, 'gateway').name).toBe('deployment/public-gateway');
    expect(hop(report, 'route')).toMatchObject({ name: 'GRPCRoute echo', text: 'echo 90, echo-canary 10' });
    expect(report.status.recommendation).toMatchObject({ strategy: 'l7-proxy', action: 'keep' });
  });

  test('a route that gives one pod 70 of 100 calls', async () => {
    const report = await look('weighted-route');
    expect(causes(report)).toEqual({ 'weighted-routing': 'certain' });
    expect(report.status.verdict.summary).toMatch(/^4 pods share the load as VirtualService echo deals it/);
    const [hottest] = report.status.pods;
    expect(hottest.load).toBeGreaterThan(0.6);
    expect(hottest.load).toBeLessThan(0.8);
  });

  test('metrics that are reset outside the mesh: the bytes of the connections have to do', async () => {
    const report = await look('hidden-metrics');
    expect(signal(report, 'calls').state).toBe('unavailable');
    expect(report.status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes' });
  });

  test('a policy of Cilium that nothing carries out', async () => {
    const report = await look('cilium-policy');
    expect(report.status.path.ciliumAgents).toEqual([
      { node: 'lab-1', redirects: 0 },
      { node: 'lab-2', redirects: 0 },
    ]);
    expect(warning(report, 'no-redirects')).toMatch(
      /^CiliumNetworkPolicy whoami-only .* lab-1, lab-2 have 0 redirects/,
    );
    expect(hop(report, 'cilium').text).toContain('0 redirects active on lab-1');
  });

  test('clients that speak xDS, and the control plane that serves them', async () => {
    const report = await look('proxyless-xds');
    expect(report.status.verdict.state).toBe('balanced');
    expect(report.status.path.controlPlane).toMatchObject({ pods: 1, proxies: 3 });
    expect(report.status.recommendation).toMatchObject({ strategy: 'proxyless-xds', current: 'proxyless-xds' });
  });
});

test('two gRPC ports: one look, two verdicts', async () => {
  const list = await look('two-ports');
  expect(list.kind).toBe('SkewReportList');
  const found = list.items.map(({ spec, status }: Json) => [
    spec.port.name,
    status.verdict.state,
    status.verdict.basis,
  ]);
  expect(found).toEqual([
    ['grpc', 'skewed', 'bytes'],
    ['grpc-admin', 'balanced', 'bytes'],
  ]);
  // 4 connections that were there before, and 12 later ones on 6 pods.
  const held = list.items.map(({ status }: Json) => status.pods.map(({ connections }: Json) => connections).toSorted());
  expect(held).toEqual([
    [0, 0, 0, 1, 1, 2],
    [2, 2, 2, 2, 2, 2],
  ]);
  // Two samples in six pods, whatever the number of ports.
  expect(list.items.map(({ status }: Json) => status.execs)).toEqual([12, 12]);
});

test('two Services over the same pods: who dials which', async () => {
  const report = await look('siblings', '--inspect-clients');
  expect(warning(report, 'sibling-services')).toMatch(/^echo-headless \(headless\) stands before the same pods/);
  const dials = Object.fromEntries(report.status.clients.map((client: Json) => [client.workload, client.dials[0]]));
  expect(dials).toMatchObject({
    'deployment/client': { what: 'virtual-address', service: 'echo' },
    'deployment/client-headless': { what: 'pod' },
  });
});

test('every scenario is looked at, here or in lab.test.ts', () => {
  const looked = [
    ...['probe-unknown-service', 'probe-tls', 'probe-slow', 'probe-flapping', 'hpa-blind', 'not-ready', 'relabelled'],
    ...['mesh-tcp', 'outside-mesh', 'gateway', 'weighted-route', 'hidden-metrics', 'cilium-policy', 'proxyless-xds'],
    ...['two-ports', 'siblings', 'scale-up', 'balanced', 'pick-first', 'no-ss', 'no-rights'],
    ...['no-re-resolution', 'hot-client'],
  ];
  expect(scenarios.map(({ id }) => id).toSorted()).toEqual(looked.toSorted());
});

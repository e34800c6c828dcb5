import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { diagnosePorts } from '../../src/diagnose.ts';
import { choosePorts } from '../../src/evidence/ports.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { asDocument } from '../../src/report/document.ts';
import { SkewReportList } from '../../src/report/list.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { buildEvidence, dealt, meshed, type Plan, pods } from './build.ts';
import { reportOf } from './report.ts';

const tcp = (name: string, port: number, targetPort: number | string = port) => ({
  name,
  port,
  targetPort,
  protocol: 'TCP',
  appProtocol: null,
});
const two = [tcp('grpc', 50_051), tcp('grpc-admin', 50_052)];

/**
 * Four pods with two gRPC ports. At the first all six connections are on one pod, which has the CPU and the calls to show
 * for it; at the second two clients hold one connection to each pod.
 */
const plan: Plan = {
  pods: [{ name: 'echo-0', cpuMillicores: 900 }, ...pods(3, { cpuMillicores: 10 }, 1)],
  connections: [...dealt([6]), ...meshed(2, 4, { localPort: 50_052, bytesPerSecond: 900 })],
  calls: [{ pod: 'echo-0', perSecond: 90 }, ...[1, 2, 3].map((pod) => ({ pod: `echo-${pod}`, perSecond: 1 }))],
  service: { ports: two },
};

function withPorts(evidence: SkewEvidence): SkewEvidence {
  const admin = { name: 'grpc-admin', port: 50_052, protocol: 'TCP', appProtocol: null };
  const slices = evidence.endpointSlices?.map((slice) => ({ ...slice, ports: [...slice.ports, admin] })) ?? null;
  return { ...evidence, endpointSlices: slices };
}

function reportsOf(evidence: SkewEvidence): readonly SkewReport[] {
  const diagnosis = diagnosePorts(evidence);
  if (!diagnosis.ok) throw new Error(diagnosis.error.message);
  return diagnosis.value;
}

describe('two ports that look like gRPC', () => {
  const evidence = withPorts(buildEvidence(plan));
  const reports = reportsOf(evidence);

  it('have a verdict each, from the sockets of their own', () => {
    expect(reports.map(({ spec }) => spec.port?.name)).toEqual(['grpc', 'grpc-admin']);
    expect(reports.map(({ status }) => status.verdict.state)).toEqual(['skewed', 'balanced']);
    expect(reports.map(({ status }) => status.pods.map((pod) => pod.connections).toSorted())).toEqual([
      [0, 0, 0, 6],
      [2, 2, 2, 2],
    ]);
  });

  it('do not take the calls and the CPU of both for their own, and say so', () => {
    for (const { status } of reports) {
      expect(status.verdict.basis).toBe('bytes');
      expect(status.distributions.map(({ basis }) => basis)).not.toContain('calls');
      expect(status.warnings.map(({ id }) => id)).toContain('counters-of-all-ports');
    }
    // CPU is uneven and connections are even: of one port alone that would be uneven work.
    expect(reports[1]?.status.causes.map(({ id }) => id)).not.toContain('uneven-work');
  });

  it('nor what Prometheus has of them, nor the traffic of the interfaces', () => {
    const { calls } = evidence;
    const looks = calls?.looks ?? [];
    const traffic = looks.map(({ pod, podUid, lookedAt }) => ({
      ...{ pod, podUid, from: '2026-03-01T11:55:00.000Z', to: lookedAt },
      bytes: pod === 'echo-0' ? 9e6 : 1000,
      packets: 1e5,
    }));
    const prometheus = { calls: looks, traffic, usage: [], probes: [], history: [] };
    const scraped = { ...prometheus, source: 'monitoring/prometheus:9090', way: 'service' as const };
    const states = reportsOf({ ...evidence, calls: null, prometheus: scraped }).map(({ status }) => status.verdict);
    expect(states.map(({ state, basis }) => [state, basis])).toEqual([
      ['skewed', 'bytes'],
      ['balanced', 'bytes'],
    ]);
  });

  it('decide nothing by CPU alone', () => {
    const blind = reportsOf({ ...evidence, connections: null, calls: null });
    expect(blind.map(({ status }) => status.verdict.state)).toEqual(['unknown', 'unknown']);
  });

  it('are one document, in the order of the Service, that fits its schema', () => {
    const document = asDocument(reports);
    expect(document?.kind).toBe('SkewReportList');
    expect(Value.Check(SkewReportList, document)).toBe(true);
    expect(JSON.stringify(asDocument(reportsOf(evidence)))).toBe(JSON.stringify(document));
  });

  it('are one where --port says which: the same verdict, and a document of its own', () => {
    const [only, ...others] = reportsOf({ ...evidence, spec: { ...evidence.spec, port: '50052' } });
    expect(others).toEqual([]);
    expect(only?.status).toEqual(reports[1]?.status);
    expect(only?.spec.portNote).toBeNull();
    expect(asDocument(only === undefined ? [] : [only])?.kind).toBe('SkewReport');
  });
});

it('a pod with one gRPC port has its calls for itself', () => {
  const evidence = buildEvidence({ ...plan, service: { ports: [tcp('grpc', 50_051), tcp('metrics', 9090)] } });
  const { status } = reportOf(evidence);
  expect(status.verdict.basis).toBe('calls');
  expect(status.warnings.map(({ id }) => id)).not.toContain('counters-of-all-ports');
});

it('two apps behind one Service, each with a port of its own: calls stay their own', () => {
  const apps = [...pods(2), ...pods(2, { port: 50_052 }, 2)];
  const evidence = buildEvidence({ pods: apps, service: { ports: two }, calls: [{ pod: 'echo-0', perSecond: 50 }] });
  const slices = evidence.endpointSlices?.map((slice) => ({
    ...slice,
    ports: slice.ports.map((port) => ({ ...port, name: port.port === 50_052 ? 'grpc-admin' : 'grpc' })),
  }));
  const [first, second] = reportsOf({ ...evidence, endpointSlices: slices ?? null });
  expect([first, second].map((report) => report?.status.pods.length)).toEqual([2, 2]);
  expect(first?.status.warnings.map(({ id }) => id)).not.toContain('counters-of-all-ports');
});

describe('two names for one target port', () => {
  const old = tcp('grpc-old', 80, 'grpc');
  const evidence = buildEvidence({ ...plan, service: { ports: [tcp('grpc', 50_051), old] } });
  const named = (number: number) => ({
    ...evidence,
    endpointSlices:
      evidence.endpointSlices?.map((slice) => ({
        ...slice,
        ports: [...slice.ports, { name: 'grpc-old', port: number, protocol: 'TCP', appProtocol: null }],
      })) ?? null,
  });

  it('are one verdict, also where one of them is a name: the slices say what it stands for', () => {
    const reports = reportsOf(named(50_051));
    expect(reports.map(({ spec }) => [spec.port?.name, spec.portNote])).toEqual([
      ['grpc', 'grpc (50051), grpc-old (80): names of one target port, one verdict'],
    ]);
    // No other port shares the counters of the pods.
    expect(reports[0]?.status.warnings.map(({ id }) => id)).not.toContain('counters-of-all-ports');
  });

  it('are two where the name stands for another port', () => {
    expect(reportsOf(named(50_052))).toHaveLength(2);
  });
});

it.each([
  ['two names for one target port are one', [tcp('grpc', 50_051), tcp('grpc-old', 80, 50_051)], ['grpc']],
  ['several gRPC ports beside others', [tcp('http', 80), ...two], ['grpc', 'grpc-admin']],
  ['one gRPC port beside others', [tcp('http', 80), tcp('grpc', 50_051)], ['grpc']],
  ['UDP does not count', [tcp('grpc', 50_051), { ...tcp('grpc-udp', 50_052), protocol: 'UDP' }], ['grpc']],
])('%s', (_, ports, names) => {
  const { service } = buildEvidence({ pods: [], service: { ports } });
  const choice = service === null ? null : choosePorts(service, null, null);
  expect(choice?.ok === true && choice.value.ports.map(({ name }) => name)).toEqual(names);
});

import { describe, expect, it } from 'vitest';
import type { EndpointSlice } from '../../src/evidence/objects.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { buildEvidence, dealt, type Plan, pods } from './build.ts';
import { causesOf, reportOf, statusOf } from './report.ts';

const plan: Plan = { pods: pods(4), connections: dealt([3, 3, 3, 3]) };

/** The evidence with other slices than the builder's one. */
function withSlices(change: (slice: EndpointSlice) => EndpointSlice[], of: Plan = plan): SkewEvidence {
  const evidence = buildEvidence(of);
  return { ...evidence, endpointSlices: evidence.endpointSlices?.flatMap(change) ?? null };
}

const perPod = (evidence: SkewEvidence) => reportOf(evidence).status.pods.map((pod) => [pod.name, pod.connections]);
const threeEach = [0, 1, 2, 3].map((index) => [`echo-${index}`, 3]);

describe('endpoints', () => {
  it('that are null in every condition are ready', () => {
    const evidence = withSlices((slice) => [
      {
        ...slice,
        endpoints: slice.endpoints.map((endpoint) => ({ ...endpoint, ready: null, serving: null, terminating: null })),
      },
    ]);
    expect(reportOf(evidence).status.verdict.state).toBe('balanced');
    expect(perPod(evidence)).toEqual(threeEach);
  });

  it('that two slices name count once', () => {
    expect(perPod(withSlices((slice) => [slice, { ...slice, name: 'echo-copy' }]))).toEqual(threeEach);
  });

  it('of both address families count once', () => {
    const evidence = withSlices((slice) => [
      slice,
      {
        ...slice,
        name: 'echo-v6',
        addressType: 'IPv6',
        endpoints: slice.endpoints.map((endpoint, index) => ({ ...endpoint, addresses: [`fd00::${index + 1}`] })),
      },
    ]);
    expect(perPod(evidence)).toEqual(threeEach);
  });

  it('over several slices are one Service', () => {
    const evidence = withSlices((slice) =>
      slice.endpoints.map((endpoint, index) => ({ ...slice, name: `echo-${index}`, endpoints: [endpoint] })),
    );
    expect(perPod(evidence)).toEqual(threeEach);
  });

  it('of a slice without the port are no replicas of it', () => {
    const evidence = withSlices((slice) => [
      { ...slice, endpoints: slice.endpoints.slice(0, 3) },
      { ...slice, name: 'echo-other', ports: [], endpoints: slice.endpoints.slice(3) },
    ]);
    const { status } = reportOf(evidence);
    expect(status.skew?.pods).toBe(3);
    expect(causesOf(status)).toEqual({ 'port-not-served': 'certain' });
    expect(status.verdict.summary).toBe(
      '1 pod gets no traffic: not among the endpoints of the port; the 3 ready ones share the load evenly',
    );
  });

  it('of a port that the replicas do not serve are another application: they lack nothing', () => {
    const port = (name: string) => [{ name, port: 9000, protocol: 'TCP', appProtocol: null }];
    const withPorts = (...names: readonly string[]) =>
      withSlices((slice) => [
        { ...slice, ports: [...slice.ports, ...port('metrics')], endpoints: slice.endpoints.slice(0, 3) },
        { ...slice, name: 'echo-other', ports: names.flatMap(port), endpoints: slice.endpoints.slice(3) },
      ]);
    const other = reportOf(withPorts('web', 'metrics')).status;
    expect([other.verdict.state, other.skew?.pods, causesOf(other)]).toEqual(['balanced', 3, {}]);
    // Only what the replicas serve as well: then this port is missing.
    expect(causesOf(reportOf(withPorts('metrics')).status)).toEqual({ 'port-not-served': 'certain' });
  });

  it('listen each on the port of their own slice', () => {
    const named: Plan = {
      pods: [...pods(2), ...pods(2, { port: 50_052 }, 2)],
      connections: dealt([3, 3, 3, 3]),
      service: { ports: [{ name: 'grpc', port: 80, targetPort: 'grpc', protocol: 'TCP', appProtocol: null }] },
    };
    expect(statusOf(named).pods.map((pod) => pod.connections)).toEqual([3, 3, 3, 3]);
  });

  it('both ready and not ready are settled by the pod itself, with a warning', () => {
    const evidence = withSlices((slice) => [
      slice,
      {
        ...slice,
        name: 'echo-stale',
        endpoints: slice.endpoints.slice(0, 1).map((endpoint) => ({ ...endpoint, ready: false })),
      },
    ]);
    const { status } = reportOf(evidence);
    expect(status.skew?.pods).toBe(4);
    expect(status.warnings.map((warning) => warning.id)).toEqual(['contradictory-endpoints']);
  });

  it('without a pod are no replicas', () => {
    const evidence = withSlices((slice) => [
      {
        ...slice,
        endpoints: [
          ...slice.endpoints,
          ...slice.endpoints.slice(0, 1).map((endpoint) => ({ ...endpoint, pod: null, addresses: ['10.99.0.1'] })),
        ],
      },
    ]);
    expect(reportOf(evidence).status.skew?.pods).toBe(4);
  });

  describe('that are no pod of the namespace', () => {
    const more = (change: Partial<EndpointSlice['endpoints'][number]>, slice: Partial<EndpointSlice> = {}) =>
      withSlices((one) => [
        one,
        {
          ...one,
          ...slice,
          name: 'echo-more',
          endpoints: one.endpoints.slice(0, 1).map((endpoint) => ({ ...endpoint, ...change })),
        },
      ]);
    const gone = { name: 'echo-old', namespace: 'shop', uid: 'uid-old' };

    it('named and not listed: stale, said so, and the others are judged without it', () => {
      const evidence = more({ pod: gone, addresses: ['10.244.9.9'] });
      const { status } = reportOf(evidence);
      expect([status.verdict.state, status.skew?.pods]).toEqual(['balanced', 4]);
      expect(perPod(evidence)).toEqual(threeEach);
      expect(status.warnings).toEqual([
        {
          id: 'stale-endpoints',
          text: '1 endpoint is stale: the slices name echo-old as ready, and no such pod is listed; connections to it fail',
        },
      ]);
    });

    it('named, not listed and not ready: it gets nothing, and is on its way out', () => {
      const { status } = reportOf(more({ pod: gone, addresses: ['10.244.9.9'], ready: false }));
      expect([status.skew?.pods, status.warnings]).toEqual([4, []]);
    });

    it('of another namespace: not seen from here', () => {
      const elsewhere = { ...gone, namespace: 'other' };
      const { status } = reportOf(more({ pod: elsewhere, addresses: ['10.244.9.9'] }));
      expect([status.skew?.pods, status.warnings]).toEqual([4, []]);
    });

    it('all of another namespace: all traffic leaves the namespace', () => {
      const evidence = withSlices((slice) => [
        {
          ...slice,
          endpoints: slice.endpoints.map((endpoint) => ({ ...endpoint, pod: { ...gone, namespace: 'other' } })),
        },
      ]);
      const { status } = reportOf(evidence);
      expect(status.verdict.state).toBe('not-load-balancing');
      const remote = status.causes.find(({ id }) => id === 'remote-endpoints');
      expect(remote?.text).toContain('no pod of this namespace');
      expect(remote?.evidence.join()).toContain('namespace other');
    });

    it('by a name of DNS: a report like any other', () => {
      const evidence = more({ pod: null, addresses: ['db.example.com'] }, { addressType: 'FQDN' });
      expect(reportOf(evidence).status.skew?.pods).toBe(4);
    });
  });

  it('of a Service that publishes pods that are not Ready: the pod decides', () => {
    const unready = { pod: { ready: false }, endpoint: { ready: true, serving: true } };
    const status = statusOf({
      pods: [...pods(3), ...pods(1, unready, 3)],
      connections: dealt([3, 3, 3, 3]),
      service: { publishNotReadyAddresses: true },
    });
    expect(status.pods.find((pod) => pod.name === 'echo-3')).toMatchObject({ endpoint: false, marks: ['not-ready'] });
    expect(status.warnings.map((warning) => warning.id)).toContain('publishes-not-ready');
  });

  it('that are leaving are outside, with what they still hold', () => {
    const leaving = { pod: { deletedAt: '2026-03-01T11:59:50Z' }, endpoint: { ready: false, serving: true } };
    const status = statusOf({ pods: [...pods(3), ...pods(1, leaving, 3)], connections: dealt([3, 3, 3, 9]) });
    expect(status.pods.at(-1)).toMatchObject({ name: 'echo-3', endpoint: false, connections: 9 });
    expect(status.pods.at(-1)?.marks).toContain('terminating');
    expect([status.verdict.state, status.skew?.pods]).toEqual(['balanced', 3]);
  });
});

describe('hostNetwork', () => {
  it('pods that share an address differ by port', () => {
    const shared = (port: number) => ({ port, address: '192.168.0.1', pod: { hostNetwork: true } });
    const nodes = (from: string, to: string, localPort: number, peerPort: number) => ({
      from,
      to,
      localPort,
      peerPort,
    });
    // Each of the two sees all sockets of the node, also those of the other.
    const both = ['echo-0', 'echo-1'].flatMap((pod) => [
      ...[1, 2, 3].map((client) => nodes(`web-${client}`, pod, 50_061, 41_000 + client)),
      nodes('web-1', pod, 50_062, 42_000),
    ]);
    const status = statusOf({
      pods: [...pods(1, shared(50_061)), ...pods(1, shared(50_062), 1), ...pods(1, { port: 50_063 }, 2)],
      connections: both,
    });
    expect(status.pods.map((pod) => [pod.name, pod.connections])).toEqual([
      ['echo-0', 3],
      ['echo-1', 1],
      ['echo-2', 0],
    ]);
  });

  it('clients are counted at their node, where no single one can be told', () => {
    const evidence = buildEvidence({ ...plan, clients: [{ name: 'web-0' }] });
    const peers = evidence.peers?.pods.map((pod) =>
      pod.name === 'web-0' ? { ...pod, hostNetwork: true, addresses: ['192.168.0.2'] } : pod,
    );
    const looks = evidence.connections?.looks.map((look) => ({
      ...look,
      sockets: look.sockets.map((socket) =>
        socket.peerAddress === '10.250.0.10' ? { ...socket, peerAddress: '192.168.0.2' } : socket,
      ),
    }));
    const { status } = reportOf({
      ...evidence,
      peers: { scope: 'cluster', pods: peers ?? [] },
      connections: { looks: looks ?? [], failures: [], execs: 8 },
    });
    expect(status.clients.find((client) => client.workload === 'node/n2')).toMatchObject({ kind: 'node' });
  });
});

describe('the port', () => {
  const ports = [
    { name: 'http', port: 80, targetPort: 8080, protocol: 'TCP', appProtocol: null },
    { name: 'grpc', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null },
  ];

  it('is the one that looks like gRPC, with a note', () => {
    const { spec } = reportOf(buildEvidence({ ...plan, service: { ports } }));
    expect(spec.port).toMatchObject({ name: 'grpc', port: 50_051 });
    expect(spec.portNote).toContain('choose with --port');
  });

  it('is the target port where the Service has another number', () => {
    const service = { ports: [{ name: 'grpc', port: 80, targetPort: 50_051, protocol: 'TCP', appProtocol: null }] };
    expect(reportOf(buildEvidence({ ...plan, service })).spec.port).toEqual({
      name: 'grpc',
      port: 80,
      targetPort: 50_051,
    });
  });
});

it('names the workload of a client by its owner and hash', () => {
  const { clients } = statusOf({ ...plan, clients: [{ name: 'web-0', workload: 'cart' }] });
  expect(clients.map((client) => client.workload)).toEqual(['deployment/web', 'deployment/cart']);
});

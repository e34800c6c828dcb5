import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithinBounds } from '../../src/evidence/bounds.ts';
import { readAutoscalers } from '../../src/signals/autoscaling/read.ts';
import { readDeployments, readNodes, readPeerPods } from '../../src/signals/clients/read.ts';
import { readEndpointSlices } from '../../src/signals/endpoints/read.ts';
import { readHappenings } from '../../src/signals/probes/read.ts';
import { readPods } from '../../src/signals/read/pods.ts';
import { readBytes, readMillicores, readQuantity } from '../../src/signals/read/quantity.ts';
import { readService } from '../../src/signals/service/read.ts';
import { readNamesakes } from '../../src/signals/siblings/read.ts';
import { readGoSeconds, readUsage } from '../../src/signals/usage/read.ts';
import { scenarios } from '../parsers/recorded.ts';

const root = new URL('../recordings/', import.meta.url).pathname;
const recorded = (scenario: string, file: string): unknown =>
  JSON.parse(readFileSync(`${root}${scenario}/${file}.json`, 'utf8'));
const items = (scenario: string, file: string) => (recorded(scenario, file) as { items: unknown[] }).items;

describe.each(scenarios)('the objects of %s', (scenario) => {
  const service = readService(recorded(scenario, 'service'));
  const pods = readPods(items(scenario, 'pods'), service?.selector ?? {});

  it('are all read', () => {
    expect(service).toMatchObject({ name: 'echo', selector: { app: 'echo' } });
    expect(pods).toHaveLength(items(scenario, 'pods').length);
    expect(readUsage(items(scenario, 'metrics-pods'))).toHaveLength(items(scenario, 'metrics-pods').length);
    expect(readNodes(items(scenario, 'nodes')).map((node) => node.zone)).toEqual(['zone-a', 'zone-b']);
    expect(readDeployments(items(scenario, 'deployments')).map((entry) => entry.name)).toContain('echo');
  });

  it('fit one another: every endpoint names a pod by uid and one of its addresses', () => {
    const uids = new Map(pods.map((pod) => [pod.uid, pod]));
    for (const slice of readEndpointSlices(items(scenario, 'endpointslices'))) {
      expect(slice.ports[0]).toMatchObject({ name: 'grpc', protocol: 'TCP' });
      for (const endpoint of slice.endpoints) {
        const pod = uids.get(endpoint.pod?.uid ?? '');
        expect(pod?.addresses).toContain(endpoint.addresses[0]);
        // A slice may lag behind; the recordings were taken at rest.
        expect([pod?.name, endpoint.ready]).toEqual([pod?.name, pod?.ready]);
      }
    }
  });

  it('have pods that run, with what their containers may use', () => {
    for (const pod of pods.filter((entry) => entry.labels['app'] === 'echo')) {
      expect(pod).toMatchObject({ phase: 'Running', owner: { kind: 'ReplicaSet' } });
      expect(pod.containers[0]?.cpuLimitMillicores).toBeGreaterThan(0);
      expect(pod.containers[0]?.probes.map((probe) => probe.kind)).toContain('grpc');
    }
  });
});

describe('an EndpointSlice', () => {
  it.each([
    [{ 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' }, 'controller'],
    [{ 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' }, 'mirroring'],
    [{ 'endpointslice.kubernetes.io/managed-by': 'endpointslice-mesh-controller.cilium.io' }, 'cilium-mesh'],
    [{ 'multicluster.kubernetes.io/source-cluster': 'west' }, 'other-cluster'],
    [{ 'endpointslice.kubernetes.io/managed-by': 'staff' }, 'other'],
    [{ 'endpointslice.kubernetes.io/managed-by': 'constructor' }, 'other'],
    [{}, undefined],
  ])('with the labels %j is of %s, as a word of a list', (labels, maker) => {
    const [slice] = readEndpointSlices([{ metadata: { name: 'echo-1', labels }, endpoints: [] }]);
    expect(slice?.managedBy).toBe(maker);
  });
});

describe('a Service', () => {
  it('has the settings that move traffic', () => {
    expect(readService(recorded('session-affinity', 'service'))).toMatchObject({ sessionAffinity: 'ClientIP' });
    expect(readService(recorded('zone-hints', 'service'))).toMatchObject({ trafficDistribution: 'PreferSameZone' });
    expect(readService(recorded('headless-scaleup', 'service'))).toMatchObject({ clusterIP: 'None' });
    expect(readService(recorded('named-port', 'service'))?.ports.map((port) => port.targetPort)).toContain('grpc');
  });

  it('is none without kind or name', () => {
    expect(readService({ metadata: { name: 'echo' } })).toBeNull();
    expect(readService({ kind: 'Service', metadata: {} })).toBeNull();
    expect(readService('<html>')).toBeNull();
  });

  it('keeps of labels and annotations what is listed', () => {
    const labels = { app: 'echo', team: 'a', secret: 'x' };
    const annotations = { 'service.kubernetes.io/topology-mode': 'Auto', other: 'x' };
    const service = readService({ kind: 'Service', metadata: { name: 'echo', labels, annotations }, spec: {} });
    expect(service).toMatchObject({ labels: { app: 'echo', team: 'a' }, topologyMode: 'Auto' });
    expect(JSON.stringify(service)).not.toContain('"x"');
  });
});

describe('the names beside a Service', () => {
  const namesakes = (name: string, others: readonly string[]) => {
    const service = readService({ kind: 'Service', metadata: { name }, spec: {} });
    if (service === null) throw new Error('no Service');
    return readNamesakes(
      [name, ...others].map((other) => ({ metadata: { name: other } })),
      service,
    );
  };

  it('are those that begin as its own does, whatever they select', () => {
    expect(namesakes('echo', ['web', 'echo-headless', 'my-echo', 'echo-2'])).toEqual(['echo-2', 'echo-headless']);
  });

  it('are compared without the end that a suffix would take the place of', () => {
    const long = `${'a'.repeat(50)}-grpc-server`;
    const cut = `${'a'.repeat(50)}-grp-headless`;
    expect(namesakes(long, [cut, 'b'.repeat(50)])).toEqual([cut]);
  });
});

describe('Events', () => {
  const failures = (scenario: string) =>
    readHappenings(items(scenario, 'events')).flatMap((entry) => (entry.kind === 'unhealthy' ? [entry] : []));

  it('tell kinds of failed probes apart', () => {
    const found = new Set(failures('probe-broken').map((entry) => `${entry.probe} ${entry.failure}`));
    expect(found).toContain('readiness not-serving');
    expect(found).toContain('liveness not-serving');
    expect(found).toContain('readiness connect-timeout');
    expect([...found].filter((entry) => /unknown |other/.test(entry))).toEqual([]);
  });

  it.each([
    ['health rpc probe failed: rpc error: code = NotFound desc = unknown service shop.Echo', 'unknown-service'],
    ['service unhealthy (responded with "NOT_SERVING")', 'not-serving'],
    ['this server does not implement the grpc health protocol (grpc.health.v1.Health)', 'unimplemented'],
    ['timeout: failed to connect service "10.244.0.4:50051" within 1s: context deadline exceeded', 'connect-timeout'],
    ['timeout: health rpc did not complete within 1s', 'timeout'],
    ['error: rpc: tls: first record does not look like a TLS handshake', 'tls'],
    ['Get "https://10.244.0.4:8080/": http: server gave HTTP response to HTTPS client', 'tls'],
    ['Get "http://10.244.0.4:8080/": dial tcp 10.244.0.4:8080: connect: connection refused', 'connection'],
    ['HTTP probe failed with statuscode: 503', 'status'],
    ['exit code 1', 'other'],
  ])('tell what %s means', (message, failure) => {
    const involvedObject = { kind: 'Pod', name: 'echo-1' };
    const event = { reason: 'Unhealthy', involvedObject, message: `Liveness probe failed: ${message}` };
    const found = readHappenings([{ ...event, lastTimestamp: '2026-03-01T12:00:00Z' }]);
    expect(found).toMatchObject([{ probe: 'liveness', failure }]);
  });

  it('tell a scaling, of new and of old wording', () => {
    const scaled = (message: string, count?: number) =>
      readHappenings([
        {
          reason: 'ScalingReplicaSet',
          involvedObject: { kind: 'Deployment', name: 'echo' },
          message,
          ...(count !== undefined && { count }),
          lastTimestamp: '2026-03-01T12:00:00Z',
        },
      ]);
    expect(scaled('Scaled up replica set echo-6b9 from 3 to 10')).toMatchObject([{ from: 3, to: 10 }]);
    expect(scaled('Scaled up replica set echo-6b9 to 10')).toMatchObject([{ from: null, to: 10 }]);
    expect(scaled('Scaled down replica set echo-6b9 from 3 to 1')).toMatchObject([{ kind: 'scaled', from: 3, to: 1 }]);
    expect(scaled('Scaled up replica set echo-6b9 from 3 to 10', 1)[0]).not.toHaveProperty('times');
    expect(scaled('Scaled up replica set echo-6b9 from 3 to 10', 4)).toMatchObject([{ times: 4 }]);
    expect(scaled('something else')).toEqual([]);
  });

  it('of the newer API have their times and counts in a series', () => {
    const event = {
      reason: 'BackOff',
      involvedObject: { kind: 'Pod', name: 'echo-1' },
      eventTime: '2026-03-01T11:00:00.000000Z',
      series: { count: 7, lastObservedTime: '2026-03-01T12:00:00.000000Z' },
    };
    expect(readHappenings([event])).toEqual([
      { kind: 'back-off', pod: 'echo-1', podUid: null, times: 7, at: '2026-03-01T12:00:00.000Z' },
    ]);
  });

  it('keep no word of their messages', () => {
    const event = {
      reason: 'Unhealthy',
      involvedObject: { kind: 'Pod', name: 'echo-1', fieldPath: 'spec.containers{server}' },
      message: 'Readiness probe failed: HTTP probe failed with statuscode: 503 token=hunter2',
      lastTimestamp: '2026-03-01T12:00:00Z',
    };
    const found = readHappenings([event]);
    expect(found).toMatchObject([{ container: 'server', probe: 'readiness', failure: 'status' }]);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

describe('pods', () => {
  it('have native sidecars, marked, after their containers', () => {
    const pod = {
      metadata: { name: 'a', uid: 'u' },
      spec: {
        containers: [{ name: 'server' }],
        initContainers: [{ name: 'istio-proxy', restartPolicy: 'Always' }, { name: 'setup' }],
      },
    };
    const names = readPods([pod], {})[0]?.containers.map((entry) => [entry.name, entry.sidecar]);
    expect(names).toEqual([
      ['server', false],
      ['istio-proxy', true],
    ]);
    const peers = readPeerPods([{ ...pod, status: { podIP: '10.0.0.1' } }], new Set(['10.0.0.1']));
    expect(peers[0]?.meshProxies).toEqual(['istio-proxy']);
  });

  it('go by the Ready condition, which may be absent', () => {
    const status = { containerStatuses: [{ name: 'server', ready: true }] };
    expect(readPods([{ metadata: { name: 'a', uid: 'u' }, status }], {})[0]?.ready).toBeNull();
  });

  it('that have ended are no peers, nor those of other addresses', () => {
    const ended = { metadata: { name: 'a' }, status: { podIP: '10.0.0.1', phase: 'Succeeded' } };
    const other = { metadata: { name: 'b' }, status: { podIP: '10.0.0.2', phase: 'Running' } };
    expect(readPeerPods([ended, other], new Set(['10.0.0.1']))).toEqual([]);
  });

  it('know a probe that runs grpc_health_probe, and not its arguments', () => {
    const exec = { command: ['/bin/grpc_health_probe', '-addr=:50051', '-rpc-header=token:x'] };
    const pod = { metadata: { name: 'a', uid: 'u' }, spec: { containers: [{ name: 's', livenessProbe: { exec } }] } };
    const [container] = readPods([pod], {})[0]?.containers ?? [];
    expect(container?.probes).toMatchObject([
      { type: 'liveness', kind: 'exec', grpcHealthProbe: true, timeoutSeconds: 1 },
    ]);
    expect(JSON.stringify(container)).not.toContain('token');
  });
});

describe('an autoscaler', () => {
  it('has its target, and what it sees of the mean', () => {
    expect(readAutoscalers(items('hpa-blind', 'hpa'))).toMatchObject([
      {
        name: 'echo',
        target: { kind: 'Deployment', name: 'echo' },
        minReplicas: 6,
        lastScaledAt: '2026-11-29T17:01:02.000Z',
        metrics: [{ resource: 'cpu', targetUtilization: 80, utilization: 18 }],
      },
    ]);
  });
});

describe('usage', () => {
  it('that has no readable number is no data, not zero', () => {
    const entry = (cpu: unknown) => ({
      metadata: { name: 'a' },
      timestamp: '2026-03-01T12:00:00Z',
      window: '15s',
      containers: [{ name: 'server', usage: { cpu, memory: '1Mi' } }],
    });
    expect(readUsage([entry('0')])[0]?.containers).toEqual([
      { name: 'server', cpuMillicores: 0, memoryBytes: 2 ** 20 },
    ]);
    expect(readUsage([entry('lots'), entry(undefined), { metadata: { name: 'b' } }])).toEqual([]);
  });
});

describe('quantities', () => {
  it.each([
    ['0', 0],
    ['12m', 0.012],
    ['1234567n', 0.001234567],
    ['5u', 5e-6],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['128Mi', 128 * 2 ** 20],
    ['1e3', 1000],
    ['1E', 1e18],
    ['1Ei', 2 ** 60],
    ['.5', 0.5],
    ['2.', 2],
    ['-1', -1],
    [3, 3],
  ])('%s is %d', (text, value) => {
    expect(readQuantity(text)).toBeCloseTo(value, 12);
  });

  it.each(['', 'm', '1 Gi', '1GiB', '0x10', '1e', 'NaN', 'Infinity', '1e999', '--1', null, undefined, {}, Number.NaN])(
    '%s is none',
    (text) => {
      expect(readQuantity(text)).toBeNull();
    },
  );

  it('are millicores to a thousandth, and whole bytes', () => {
    expect(readMillicores('9020792n')).toBe(9.021);
    expect(readMillicores('2')).toBe(2000);
    // Thousandths of what is just possible are not.
    expect(readMillicores('1e19')).toBeNull();
    expect(readBytes('21064Ki')).toBe(21_064 * 1024);
    expect(readBytes('1500m')).toBe(2);
  });
});

describe('Go durations', () => {
  it.each([
    ['15.284s', 15.284],
    ['1m0s', 60],
    ['1h2m3s', 3723],
    ['100ms', 0.1],
    ['20µs', 2e-5],
    ['7us', 7e-6],
    ['3ns', 3e-9],
  ])('%s is %d s', (text, seconds) => {
    expect(readGoSeconds(text)).toBeCloseTo(seconds, 12);
  });

  it.each(['', '15', 's', '1m 0s', '-1s', '1d', `${'9'.repeat(30)}s`, null])('%s is none', (text) => {
    expect(readGoSeconds(text)).toBeNull();
  });
});

describe('odd answers', () => {
  const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
    service: readService,
    endpoints: (value) => readEndpointSlices([value]),
    pods: (value) => readPods([value], { app: 'echo' }),
    peers: (value) => readPeerPods([value], new Set(['10.0.0.1'])),
    nodes: (value) => readNodes([value]),
    deployments: (value) => readDeployments([value]),
    events: (value) => readHappenings([value]),
    usage: (value) => readUsage([value]),
    autoscalers: (value) => readAutoscalers([value]),
  };
  /** Objects of real keys, whose values are of any type. */
  const { odd } = fc.letrec<{ odd: unknown }>((tie) => ({
    odd: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        null,
        undefined,
        true,
        0,
        -1,
        0.5,
        1e300,
        '',
        'x',
        'Pod',
        'True',
        '2026-03-01T12:00:00Z',
        'not a date',
      ),
      fc.array(tie('odd'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          ...['metadata', 'spec', 'status', 'name', 'uid', 'labels', 'ports', 'port', 'endpoints', 'targetRef', 'kind'],
          ...['conditions', 'type', 'containers', 'containerStatuses', 'state', 'running', 'lastState', 'resources'],
          ...['limits', 'cpu', 'livenessProbe', 'grpc', 'exec', 'command', 'reason', 'involvedObject', 'message'],
          ...['lastTimestamp', 'usage', 'timestamp', 'window', 'podIPs', 'ip', 'addresses', '__proto__', 'constructor'],
        ),
        tie('odd'),
        { maxKeys: 6 },
      ),
    ),
  }));

  it.each(Object.entries(readers))('never throw: %s', (_, reader) => {
    fc.assert(
      fc.property(odd, (value) => {
        reader(value);
      }),
      { numRuns: 300 },
    );
  });

  it.each(Object.entries(readers))('never throw with a part of a real answer missing: %s', (name, reader) => {
    const files: Readonly<Record<string, string>> = {
      endpoints: 'endpointslices',
      peers: 'pods',
      usage: 'metrics-pods',
      autoscalers: 'hpa',
    };
    const whole =
      name === 'service'
        ? recorded('zone-hints', 'service')
        : items(name === 'autoscalers' ? 'hpa-blind' : 'probe-broken', files[name] ?? name)[0];
    const places = placesOf(whole);
    fc.assert(
      fc.property(fc.nat(), odd, (at, value) => {
        const copy: unknown = structuredClone(whole);
        const path = places[at % places.length] ?? [];
        replace(copy, path, value);
        // A record with a number that nothing can have could not be read again.
        expect(numbersOf(reader(copy)).filter((number) => !isWithinBounds(number))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

function placesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [[key], ...placesOf(entry).map((path) => [key, ...path])]);
}

function replace(value: unknown, [key, ...rest]: readonly string[], by: unknown): void {
  if (key === undefined || typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  if (rest.length === 0) holder[key] = by;
  else replace(holder[key], rest, by);
}

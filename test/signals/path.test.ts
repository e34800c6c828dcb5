import { describe, expect, it } from 'vitest';
import { declaredProtocol, isOpaque } from '../../src/facts/declared-protocol.ts';
import type { KubeClient, KubeResult } from '../../src/kube/types.ts';
import {
  readCiliumConfig,
  readCiliumPolicies,
  readDestinationRules,
  readFelix,
  readIngresses,
  readKubeProxyMode,
  readRoutes,
  readVirtualServices,
} from '../../src/signals/path/read.ts';
import { readMeshMarks } from '../../src/signals/read/mesh-marks.ts';
import { readRole } from '../../src/signals/read/peer-role.ts';
import { rulesFor } from '../../src/signals/rights.ts';
import { readService } from '../../src/signals/service/read.ts';
import { forbidden } from '../kube/forbidden.ts';
import { fakeCluster, gather } from './fake-cluster.ts';

const service = readService({ kind: 'Service', metadata: { name: 'echo', namespace: 'shop' }, spec: {} });
if (service === null) throw new Error('no Service');
const labels = new Map([
  ['echo-0', { app: 'echo', version: 'v1' }],
  ['echo-1', { app: 'echo', version: 'v2' }],
]);

describe('the declared protocol', () => {
  it.each([
    ['grpc', null, 'http2'],
    ['GRPC-web-x', null, 'http2'],
    ['http2-main', null, 'http2'],
    ['http', null, 'http1'],
    ['otlp-grpc', null, 'detected'],
    ['grpcs', null, 'detected'],
    [null, null, 'detected'],
    ['tcp-grpc', null, 'tcp'],
    ['https', null, 'tcp'],
    ['redis-x', null, 'tcp'],
    ['tcp', 'grpc', 'http2'],
    ['grpc', 'tcp', 'tcp'],
    ['grpc', 'h2c', 'detected'],
    ['main', 'kubernetes.io/h2c', 'http2'],
    ['kubernetes.io/h2c', null, 'detected'],
    ['__proto__', 'constructor', 'detected'],
  ])('of name %s and appProtocol %s is %s, as Istio reads it', (name, appProtocol, reading) => {
    expect(declaredProtocol({ port: 50_051, name, appProtocol }).reading).toBe(reading);
  });

  it('of a port that Istio never looks into is TCP without a declaration', () => {
    expect(declaredProtocol({ port: 3306, name: 'main', appProtocol: null }).reading).toBe('tcp');
    expect(declaredProtocol({ port: 3306, name: 'grpc', appProtocol: null }).reading).toBe('http2');
  });

  it('is opaque to Linkerd by the nearest annotation, else by its defaults', () => {
    const range = [{ from: 50_000, to: 50_100 }];
    expect([isOpaque(50_051, [range]), isOpaque(50_051, [[], range]), isOpaque(50_051, [null, range])]).toEqual([
      true,
      false,
      true,
    ]);
    expect([isOpaque(3306, [null]), isOpaque(50_051, [])]).toEqual([true, false]);
  });
});

describe('labels, annotations and environment', () => {
  it('are read by shape: no value of an environment, no free text', () => {
    const env = [{ name: 'GRPC_XDS_BOOTSTRAP', value: 's3cr3t' }];
    const marks = readMeshMarks({
      metadata: {
        labels: { 'istio.io/dataplane-mode': 's3cr3t', 'istio.io/use-waypoint': 'S3CR3T !' },
        annotations: { 'config.linkerd.io/opaque-ports': '25, 9000-9010,s3cr3t' },
      },
      spec: { containers: [{ env }] },
    });
    expect(marks).toEqual({
      dataplaneMode: null,
      redirected: false,
      useWaypoint: null,
      opaquePorts: [
        { from: 25, to: 25 },
        { from: 9000, to: 9010 },
      ],
      xds: 'bootstrap',
    });
  });

  it.each([
    ['a waypoint', { labels: { 'gateway.istio.io/managed': 'istio.io-mesh-controller' } }, 'app:1', 'waypoint'],
    ['a Gateway', { labels: { 'gateway.networking.k8s.io/gateway-name': 'x' } }, 'app:1', 'gateway'],
    ['an ingress controller', { labels: { 'app.kubernetes.io/name': 'ingress-nginx' } }, 'app:1', 'gateway'],
    ['a plain nginx', {}, 'registry:5000/lab/nginx:2@sha256:00', 'gateway'],
    ['an application', {}, 'shop/checkout:1', null],
  ])('tell %s', (_, metadata, image, role) => {
    expect(readRole({ metadata, spec: { containers: [{ name: 'main', image }] } })).toBe(role);
  });
});

describe('kube-proxy and the CNI', () => {
  it.each([
    ['mode: ipvs\n', 'ipvs'],
    ['a: 1\nmode: "iptables"\nb: 2', 'iptables'],
    ['mode: ""\n', 'iptables'],
    ['  mode: ipvs\n', null],
    ['mode: s3cr3t', null],
  ])('reads %j as %s', (config, mode) => {
    expect(readKubeProxyMode({ data: { 'config.conf': config } })).toBe(mode);
  });

  it('reads whether destinations are rewritten at connect()', () => {
    const cilium = (data: Record<string, string>) => readCiliumConfig({ data }).socketLoadBalancing;
    expect(cilium({ 'kube-proxy-replacement': 'true' })).toBe('all');
    expect(cilium({ 'kube-proxy-replacement': 'true', 'bpf-lb-sock-hostns-only': 'true' })).toBe('host-only');
    expect(cilium({ 'kube-proxy-replacement': 'false' })).toBe('off');
    expect(readFelix({ spec: { bpfEnabled: true } }).socketLoadBalancing).toBe('all');
    expect(readFelix({ spec: { bpfEnabled: true, bpfConnectTimeLoadBalancing: 'Disabled' } }).socketLoadBalancing).toBe(
      'off',
    );
    expect(readFelix({ spec: {} }).socketLoadBalancing).toBe('off');
  });
});

describe('routes and rules', () => {
  it('are those of the host, with weights and subsets', () => {
    const route = (host: string) => ({
      metadata: { name: 'vs' },
      spec: {
        http: [
          { route: [{ destination: { host: 'other' } }] },
          {
            route: [
              { destination: { host, subset: 'v1' }, weight: 90 },
              { destination: { host, subset: 'v2' }, weight: 10 },
            ],
          },
        ],
      },
    });
    const backends = [
      { service: 'echo', weight: 90, subset: 'v1' },
      { service: 'echo', weight: 10, subset: 'v2' },
    ];
    for (const host of ['echo', 'echo.shop', 'echo.shop.svc.cluster.local'])
      expect(readVirtualServices([route(host)], service)).toEqual([{ kind: 'VirtualService', name: 'vs', backends }]);
    expect(readVirtualServices([route('echo.bank.svc.cluster.local')], service)).toEqual([]);
  });

  it('name the pods of each subset, none where its labels match none', () => {
    const rule = {
      metadata: { name: 'dr' },
      spec: {
        host: 'echo',
        trafficPolicy: { loadBalancer: { consistentHash: { httpHeaderName: 's3cr3t' } } },
        subsets: [
          { name: 'v1', labels: { version: 'v1' } },
          { name: 'v3', labels: { version: 'v3' } },
        ],
      },
    };
    expect(readDestinationRules([rule], service, labels)).toEqual([
      {
        name: 'dr',
        consistentHash: true,
        subsets: [
          { name: 'v1', pods: ['echo-0'] },
          { name: 'v3', pods: [] },
        ],
      },
    ]);
  });

  it('of the Gateway API, Cilium and Ingress are read where they are about the Service', () => {
    const refs = [{ name: 'echo', weight: 3 }, { name: 'echo-canary' }];
    const route = { metadata: { name: 'r' }, spec: { rules: [{ backendRefs: refs }] } };
    expect(readRoutes([route, { metadata: { name: 'x' } }], 'GRPCRoute', service)).toEqual([
      {
        kind: 'GRPCRoute',
        name: 'r',
        backends: [
          { service: 'echo', weight: 3, subset: null },
          { service: 'echo-canary', weight: 1, subset: null },
        ],
      },
    ]);
    const policy = (app: string, rules: object) => ({
      metadata: { name: app },
      spec: { endpointSelector: { matchLabels: { 'k8s:app': app } }, ingress: [{ toPorts: [{ rules }] }] },
    });
    const http = { http: [{ path: 's3cr3t' }] };
    expect(readCiliumPolicies([policy('echo', http), policy('other', http)], labels)).toEqual(['echo']);
    expect(readCiliumPolicies([policy('echo', {})], labels)).toEqual([]);
    const paths = [{ backend: { service: { name: 'echo' } } }];
    const ingress = {
      metadata: { name: 'i', annotations: { 'nginx.ingress.kubernetes.io/backend-protocol': 'GRPC' } },
      spec: { rules: [{ http: { paths } }] },
    };
    const found = { name: 'i', controller: 'nginx', grpc: true, virtualAddress: false };
    expect(readIngresses([ingress], service, false)).toEqual([found]);
  });
});

describe('what is asked', () => {
  const serving = (kube: KubeClient, groups: readonly string[], refused: readonly string[] = []): KubeClient => ({
    ...kube,
    async getJson(path, options) {
      if (path !== '/apis') return kube.getJson(path, options);
      await kube.getJson(path, options);
      const list = groups.map((name) => ({ name, preferredVersion: { version: 'v1' } }));
      return { ok: true, serverDate: null, value: { groups: list } };
    },
    async list(path, options): Promise<KubeResult<{ items: readonly unknown[]; pages: number }>> {
      const answer = await kube.list(path, options);
      const resource = refused.find((name) => path.endsWith(`/${name}`));
      if (resource === undefined) return answer;
      const message = `${resource}.networking.istio.io is forbidden: User "x" cannot list resource "${resource}" in API group "networking.istio.io"`;
      return { ok: false, error: forbidden(message, options.request) };
    },
  });
  const pods = [{ name: 'echo-000', node: 'n0' }];

  it('is of optional APIs only what the cluster serves, and of a plain one nothing', async () => {
    const plain = fakeCluster(pods);
    await gather(serving(plain.kube, ['apps', 'networking.k8s.io']));
    expect(plain.asked.length).toBeLessThanOrEqual(12);
    const mesh = fakeCluster(pods);
    const { evidence } = await gather(serving(mesh.kube, ['networking.istio.io', 'networking.k8s.io']));
    expect(mesh.asked.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/apis/networking.istio.io/v1/namespaces/shop/virtualservices',
        '/apis/networking.istio.io/v1/namespaces/shop/destinationrules',
        '/api/v1/namespaces/shop',
      ]),
    );
    expect(mesh.asked.some(({ path }) => /cilium|gateway|ingresses/.test(path))).toBe(false);
    expect(evidence.signals.find(({ id }) => id === 'path')?.state).toBe('complete');
  });

  it('goes on without a right, and names it', async () => {
    const { kube } = fakeCluster(pods);
    const { evidence } = await gather(serving(kube, ['networking.istio.io'], ['destinationrules']));
    expect(evidence.signals.find(({ id }) => id === 'path')).toMatchObject({
      state: 'partial',
      needs: 'list destinationrules.networking.istio.io',
    });
    expect(evidence.path).toMatchObject({ destinationRules: null, routes: [] });
    expect(evidence.connections?.looks).toHaveLength(1);
  });

  it.each([
    ['the mode of kube-proxy', [], 'kube-proxy', 'get configmaps/kube-proxy in kube-system'],
    ['how Cilium deals connections', ['cilium.io'], 'cilium-config', 'get configmaps/cilium-config in kube-system'],
  ])('names just the rule that rbac prints for %s', async (_, groups, name, needs) => {
    const { kube } = fakeCluster(pods);
    const message = `configmaps "${name}" is forbidden: User "x" cannot get resource "configmaps" in API group "" in the namespace "kube-system"`;
    const refusing: KubeClient = {
      ...kube,
      async getJson(path, options) {
        const answer = await serving(kube, groups).getJson(path, options);
        if (!path.endsWith(`/configmaps/${name}`)) return answer;
        return { ok: false, error: forbidden(message, options.request) };
      },
    };
    const { evidence } = await gather(refusing);
    expect(evidence.signals.find(({ id }) => id === 'path')).toMatchObject({
      state: 'partial',
      reason: message,
      needs,
    });
    const printed = rulesFor(['path']).filter(({ names }) => names.includes(name));
    expect(printed).toMatchObject([{ resource: 'configmaps', namespace: 'kube-system', verbs: ['get'] }]);
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { openRecorded } from '../../src/kube/recorded.ts';
import type { KubeClient } from '../../src/kube/types.ts';
import { readPilot, readProxyStatus } from '../../src/signals/proxies/read.ts';
import { temporaryFolder } from '../cli/program.ts';
import { forbidden } from '../kube/forbidden.ts';
import { type Answer, fakeCluster, gather, missing } from './fake-cluster.ts';

describe('what a Cilium agent says of its proxy', () => {
  // Lines of the releases 1.7, 1.14 and 1.17, and of an agent without any redirect.
  it.each([
    ['Proxy Status:           OK, ip 10.15.225.211, 0 redirects active on ports 10000-20000', 'ok', 0],
    ['Proxy Status:            OK, ip 10.0.0.25, 6 redirects active on ports 10000-20000, Envoy: embedded', 'ok', 6],
    ['Proxy Status:            OK, ip 10.0.0.25, 1 redirects active on ports 10000-20000, Envoy: external', 'ok', 1],
    ['Proxy Status:            No managed proxy redirect', 'none', 0],
    [`Proxy Status:            OK, ip 10.0.0.25, ${'9'.repeat(30)} redirects active`, 'ok', null],
    ['Proxy Status:            Failure, Envoy does not answer', 'failing', null],
  ])('%s', (line, proxy, redirects) => {
    const status = `KVStore:                 Disabled\nController Status:       49/49 healthy\n${line}\nHubble:   Ok\n`;
    expect(readProxyStatus(status)).toEqual({ proxy, redirects });
  });

  it('is nothing in a status that does not speak of it', () => {
    expect(readProxyStatus('Error: daemon unreachable\nProxy\n')).toBeNull();
  });
});

const page = `# TYPE pilot_xds gauge
pilot_xds{version="1.29.1"} 5
pilot_xds{version="1.29.2"} 242
pilot_xds_pushes{type="cds"} 300
pilot_xds_pushes{type="eds"} 8100
pilot_xds_pushes{type="eds_senderr"} 3
pilot_xds_push_time_bucket{type="eds",le="0.1"} 8000
`;

describe('what istiod counts', () => {
  it('is proxies of all versions, and pushes that were sent by type', () => {
    expect(readPilot(page)).toEqual({
      proxies: 247,
      pushes: [
        { type: 'cds', count: 300 },
        { type: 'eds', count: 8100 },
      ],
    });
  });

  it('is no more than a record can hold', () => {
    const line = (version: number) => `pilot_xds{version="${version}"} 1e20\npilot_xds_pushes{type="eds"} 1e20\n`;
    expect(readPilot(line(1) + line(2))).toEqual({ proxies: 1e20, pushes: [{ type: 'eds', count: 1e20 }] });
  });

  it('is not known from a page without the gauge: that is not 0', () => {
    expect(readPilot('go_goroutines 12\n').proxies).toBeNull();
  });
});

/** A pod of another namespace, as the list of all pods has it. */
function pod(name: string, namespace: string, labels: object, more: object): unknown {
  const [container = ''] = Object.keys(more);
  return {
    metadata: { name, namespace, uid: `uid-${name}`, labels },
    spec: { nodeName: name.split('-').at(-1), containers: [{ name: container, image: 'x:1' }], ...more },
    status: {
      phase: 'Running',
      podIP: '10.99.0.1',
      containerStatuses: [{ name: container, state: { running: {} } }],
    },
  };
}

const agents = ['n0', 'n1', 'n2', 'n3'].map((node) =>
  pod(`cilium-${node}`, 'kube-system', { 'k8s-app': 'cilium' }, { 'cilium-agent': true }),
);
const istiod = pod('istiod-n0', 'istio-system', { app: 'istiod' }, { discovery: true });
/** The client behind the sockets of the fake cluster, with a bootstrap for xDS. */
const xdsClient = {
  metadata: { name: 'web-1', namespace: 'shop', uid: 'uid-web-1', labels: {} },
  spec: { containers: [{ name: 'main', image: 'web:1', env: [{ name: 'GRPC_XDS_BOOTSTRAP', value: '/etc/x.json' }] }] },
  status: { phase: 'Running', podIP: '10.250.0.10', containerStatuses: [{ name: 'main', state: { running: {} } }] },
};
const policy = {
  metadata: { name: 'only-say' },
  spec: { endpointSelector: { matchLabels: { app: 'echo' } }, ingress: [{ toPorts: [{ rules: { http: [{}] } }] }] },
};

interface Plan {
  readonly groups?: readonly string[];
  readonly policies?: readonly unknown[];
  readonly pods?: readonly unknown[];
  readonly answer?: (command: string) => Answer;
  readonly page?: string | null;
}

async function look(plan: Plan, more: Parameters<typeof gather>[1] = {}) {
  const status = 'Proxy Status:   OK, ip 10.0.0.25, 2 redirects active on ports 10000-20000, Envoy: external\n';
  const answer = plan.answer ?? (() => ({ stdout: status }));
  const cluster = fakeCluster(
    ['n0', 'n1', 'n1', 'n2', 'n2', 'n2', 'n3'].map((node, index) => ({ name: `echo-00${index}`, node })),
    (target) =>
      target.namespace === 'shop'
        ? { stdout: '0 0 10.244.0.10:50051 10.250.0.10:40000\n' }
        : answer(target.command.join(' ')),
  );
  const pages: string[] = [];
  const kube: KubeClient = {
    ...cluster.kube,
    async getJson(path, options) {
      if (path !== '/apis') return cluster.kube.getJson(path, options);
      const groups = (plan.groups ?? []).map((name) => ({ name, preferredVersion: { version: 'v2' } }));
      return { ok: true, serverDate: null, value: { groups } };
    },
    async list(path, options) {
      const found = await cluster.kube.list(path, options);
      if (!found.ok) return found;
      const items = path.endsWith('/ciliumnetworkpolicies')
        ? [...(plan.policies ?? [])]
        : path === '/api/v1/pods'
          ? [...found.value.items, ...(plan.pods ?? [])]
          : found.value.items;
      return { ...found, value: { ...found.value, items } };
    },
    async getText(path, options) {
      pages.push(path);
      if (plan.page == null) return cluster.kube.getText(path, options);
      return { ok: true, serverDate: null, value: { text: plan.page, receivedAt: '2026-03-01T12:00:00Z' } };
    },
  };
  const { evidence } = await gather(kube, more);
  const execs = cluster.runs.filter(({ target }) => target.namespace !== 'shop').map(({ target }) => target);
  return { evidence, execs, pages, state: evidence.signals.find(({ id }) => id === 'proxies') };
}

const cilium = { groups: ['cilium.io'], policies: [policy], pods: agents };

describe('Cilium agents are asked where their answer decides something', () => {
  it('on the nodes with most pods, three at most, one command each', async () => {
    const { evidence, execs, state } = await look(cilium);
    expect(
      execs.map(({ namespace, pod: name, container, command }) => [namespace, name, container, ...command]),
    ).toEqual([
      ['kube-system', 'cilium-n2', 'cilium-agent', 'cilium-dbg', 'status'],
      ['kube-system', 'cilium-n1', 'cilium-agent', 'cilium-dbg', 'status'],
      ['kube-system', 'cilium-n0', 'cilium-agent', 'cilium-dbg', 'status'],
    ]);
    expect(evidence.proxies?.ciliumAgents).toMatchObject([
      { node: 'n2', proxy: 'ok', redirects: 2 },
      { node: 'n1', redirects: 2 },
      { node: 'n0', redirects: 2 },
    ]);
    expect(evidence.connections?.execs).toBe(7 + 3);
    expect(evidence.connections?.elsewhere).toEqual([{ where: 'cilium-agents', execs: 3, pods: 3 }]);
    expect(state?.state).toBe('complete');
  });

  it('by the older name where the image has no other', async () => {
    const { execs, evidence } = await look({
      ...cilium,
      answer: (command) =>
        command === 'cilium status'
          ? { stdout: 'Proxy Status: OK, ip 10.0.0.1, 0 redirects active on ports 1-2\n' }
          : missing,
    });
    expect(execs.slice(0, 2).map(({ command }) => command[0])).toEqual(['cilium-dbg', 'cilium']);
    expect(evidence.proxies?.ciliumAgents.map(({ redirects }) => redirects)).toEqual([0, 0, 0]);
  });

  it('a refusal ends it, and names the right', async () => {
    const message =
      'pods "cilium-n2" is forbidden: User "x" cannot create resource "pods/exec" in API group "" in the namespace "kube-system"';
    const { execs, state } = await look({ ...cilium, answer: () => forbidden(message) });
    expect(execs).toHaveLength(1);
    expect(state).toMatchObject({ state: 'forbidden', needs: 'create pods/exec in kube-system' });
  });

  it.each<readonly [string, Plan, object]>([
    ['without a policy that wants layer 7', { ...cilium, policies: [] }, {}],
    ['with --no-exec', cilium, { exec: false }],
    ['in a cluster without Cilium', { pods: agents }, { inspectProxies: true }],
  ])('not %s', async (_, plan, more) => {
    expect((await look(plan, more)).execs).toEqual([]);
  });

  it('also without such a policy where that was asked for', async () => {
    expect((await look({ ...cilium, policies: [] }, { inspectProxies: true })).execs).toHaveLength(3);
  });
});

describe('istiod is asked where clients speak xDS', () => {
  it('for its own metrics, by one request', async () => {
    const { evidence, pages, execs } = await look({ pods: [istiod, xdsClient], page });
    expect(pages.filter((path) => path.includes('istiod'))).toEqual([
      '/api/v1/namespaces/istio-system/pods/istiod-n0:15014/proxy/metrics',
    ]);
    expect(evidence.proxies?.controlPlane).toMatchObject([{ pod: 'istiod-n0', proxies: 247 }]);
    expect(execs).toEqual([]);
  });

  it('says where there is none, and asks nothing for other clients', async () => {
    expect((await look({ pods: [xdsClient] })).state).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('no istiod'),
    });
    const plain: { evidence: SkewEvidence } = await look({ pods: [istiod], page });
    expect(plain.evidence.proxies).toBeUndefined();
  });
});

it('a folder may hold the answers, too', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const items = (...list: readonly unknown[]) => ({ items: list });
  const echo = pod('echo-n0', 'shop', { app: 'echo' }, { server: true });
  write('service.json', {
    kind: 'Service',
    metadata: { name: 'echo', namespace: 'shop' },
    spec: { selector: { app: 'echo' }, ports: [{ name: 'grpc', port: 50_051, protocol: 'TCP' }] },
  });
  write(
    'endpointslices.json',
    items({
      metadata: { name: 'echo-1' },
      addressType: 'IPv4',
      ports: [{ name: 'grpc', port: 50_051, protocol: 'TCP' }],
      endpoints: [
        {
          addresses: ['10.99.0.1'],
          targetRef: { kind: 'Pod', name: 'echo-n0', namespace: 'shop', uid: 'uid-echo-n0' },
        },
      ],
    }),
  );
  write('pods.json', items(echo));
  write('apis.json', { groups: [{ name: 'cilium.io', preferredVersion: { version: 'v2' } }] });
  write('ciliumnetworkpolicies.json', items(policy));
  write('pods-all.json', items(echo, ...agents));
  write('pod/echo-n0/ss-tni.txt', '');
  write('pod/cilium-n0/cilium-status.txt', 'Proxy Status:  OK, ip 10.0.0.1, 4 redirects active on ports 1-2\n');
  const recorded = await openRecorded(folder);
  if (!recorded.ok) throw new Error(recorded.error.message);
  const { evidence } = await gather(recorded.value);
  expect(evidence.proxies?.ciliumAgents).toMatchObject([{ node: 'n0', redirects: 4 }]);
});

import { describe, expect, it } from 'vitest';
import type { Path, ProxyLooks } from '../../src/evidence/path-schema.ts';
import { buildEvidence, meshed, type Plan, pods } from './build.ts';
import { reportOf, statusOf } from './report.ts';

/** What the warnings of a healthy mesh of four pods say about subsets. */
function said(path: Partial<Path>): readonly string[] {
  const plan: Plan = {
    pods: pods(4, { sidecar: 'istio-proxy' }),
    clients: [{ name: 'web-0', meshProxies: ['istio-proxy'] }],
    connections: meshed(1, 4),
    path,
  };
  const { warnings } = statusOf(plan);
  return warnings.flatMap(({ id, text }) => (/subset/.test(id) ? [`${id}: ${text}`] : []));
}

const all = ['echo-0', 'echo-1', 'echo-2', 'echo-3'];
const rule = (subsets: Readonly<Record<string, readonly string[]>>) => ({
  destinationRules: [
    {
      name: 'echo',
      consistentHash: false,
      subsets: Object.entries(subsets).map(([name, members]) => ({ name, pods: [...members] })),
    },
  ],
});
const routeTo = (weights: Readonly<Record<string, number>>) => ({
  routes: [
    {
      kind: 'VirtualService' as const,
      name: 'echo',
      backends: Object.entries(weights).map(([subset, weight]) => ({ service: 'echo', weight, subset })),
    },
  ],
});

describe('a DestinationRule whose subsets and the pods do not meet', () => {
  it('names a subset that no pod is in, and the route that leads there', () => {
    const path = { ...rule({ v1: all, v2: [] }), ...routeTo({ v1: 90, v2: 10 }) };
    expect(said(path)).toEqual([
      'subset-without-pods: DestinationRule echo: no pod of the Service is in subset v2; VirtualService echo sends calls there, which get 503 (no healthy upstream)',
    ]);
  });

  it.each([
    ['no route names it', routeTo({ v1: 100 })],
    ['its weight is 0', routeTo({ v1: 100, v2: 0 })],
    ['there is no route', {}],
  ])('does no harm yet where %s', (_, routes) => {
    const [only, ...others] = said({ ...rule({ v1: all, v2: [] }), ...routes });
    expect(others).toEqual([]);
    expect(only).toContain('subset v2; a route to it would answer 503');
  });

  it('names the pods that are in no subset, where a route leads to subsets only', () => {
    const path = rule({ v1: ['echo-0'] });
    expect(said({ ...path, ...routeTo({ v1: 100 }) })).toEqual([
      'pods-in-no-subset: DestinationRule echo: 3 of 4 pods in none of its subsets (echo-1, echo-2, echo-3): routes to subsets send nothing there',
    ]);
    // Without such a route calls go to all pods.
    expect(said(path)).toEqual([]);
  });

  it('is silent where every pod has its subset and every subset its pods', () => {
    expect(said({ ...rule({ v1: all.slice(2), v2: all.slice(0, 2) }), ...routeTo({ v1: 50, v2: 50 }) })).toEqual([]);
    expect(said({ destinationRules: null })).toEqual([]);
  });
});

describe('what the proxies say of themselves', () => {
  const agent = (node: string, redirects: number | null) => ({
    ...{ node, redirects, proxy: 'ok' as const },
    lookedAt: '2026-03-01T12:00:00.000Z',
  });
  const withProxies = (path: Partial<Path>, proxies: ProxyLooks, clients: Plan['clients'] = []) =>
    reportOf({ ...buildEvidence({ pods: pods(4), clients, connections: meshed(1, 4), path }), proxies }).status;
  const ids = (status: ReturnType<typeof withProxies>) => status.warnings.map(({ id }) => id);
  const policy = { ciliumPolicies: ['only-say'] };

  it('no redirects anywhere, although a policy wants calls to be looked at: a warning, and the figures in the path', () => {
    const status = withProxies(policy, { ciliumAgents: [agent('n1', 0), agent('n2', 0)], controlPlane: [] });
    expect(status.warnings.find(({ id }) => id === 'no-redirects')?.text).toBe(
      'CiliumNetworkPolicy only-say has HTTP rules, yet the Cilium agents of n1, n2 have 0 redirects active: calls do not seem to pass Envoy there',
    );
    expect(status.path.hops.find(({ kind }) => kind === 'cilium')?.text).toContain('0 redirects active on n1, 0 on n2');
    expect(status.path.ciliumAgents).toEqual([
      { node: 'n1', redirects: 0 },
      { node: 'n2', redirects: 0 },
    ]);
  });

  it.each([
    ['one node has some', policy, [agent('n1', 0), agent('n2', 3)]],
    ['it is not known how many', policy, [agent('n1', null)]],
    ['nothing wants layer 7', {}, [agent('n1', 0)]],
    ['nobody was asked', policy, []],
  ] as const)('no warning where %s', (_, path, ciliumAgents) => {
    const wanted = 'ciliumPolicies' in path ? { ciliumPolicies: [...path.ciliumPolicies] } : {};
    expect(ids(withProxies(wanted, { ciliumAgents: [...ciliumAgents], controlPlane: [] }))).not.toContain(
      'no-redirects',
    );
  });

  const plane = (proxies: number | null, eds: number) => ({
    pod: `istiod-${eds}`,
    lookedAt: '2026-03-01T12:00:00.000Z',
    proxies,
    pushes: [
      { type: 'cds', count: 100 },
      { type: 'eds', count: eds },
    ],
  });
  const xds = [{ name: 'web-0', mesh: { xds: 'bootstrap' as const } }];
  const served = (status: ReturnType<typeof withProxies>) =>
    status.recommendation.strategies
      .find(({ id }) => id === 'proxyless-xds')
      ?.preconditions.find(({ text }) => text.includes('control plane serves'))?.status;

  it('the pods of a control plane are taken together', () => {
    const status = withProxies({}, { ciliumAgents: [], controlPlane: [plane(40, 500), plane(2, 300)] }, xds);
    // 40 + 2 proxies; 800 of 1,000 pushes.
    expect(status.path.controlPlane).toMatchObject({ pods: 2, proxies: 42 });
    expect(status.path.hops.find(({ kind }) => kind === 'proxyless-xds')?.text).toContain(
      'istiod serves 42 proxies, 80 % of its pushes are endpoints',
    );
    expect([served(status), ids(status).includes('xds-unserved')]).toEqual(['met', false]);
  });

  it('a control plane that serves nobody serves these clients neither; one that tells nothing leaves it open', () => {
    const none = withProxies({}, { ciliumAgents: [], controlPlane: [plane(0, 0)] }, xds);
    expect([served(none), ids(none).includes('xds-unserved')]).toEqual(['failed', true]);
    const silent = withProxies({}, { ciliumAgents: [], controlPlane: [plane(null, 0)] }, xds);
    expect([served(silent), ids(silent).includes('xds-unserved')]).toEqual(['met', false]);
  });
});

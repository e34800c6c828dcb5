import { clampedToBounds } from '../../evidence/bounds.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { CiliumAgent, ControlPlane } from '../../evidence/path-schema.ts';
import { readExposition } from '../read/exposition.ts';
import { textAt } from '../read/json.ts';
import { readPods } from '../read/pods.ts';

/** The status of a Cilium agent: `cilium-dbg` since 1.15, `cilium` in images before. */
export const ciliumStatusCommands = [
  ['cilium-dbg', 'status'],
  ['cilium', 'status'],
] as const;

/** The container of the agent in its DaemonSet. */
export const ciliumContainer = 'cilium-agent';

/** The agents of Cilium among pods of all namespaces, by node. */
export function readCiliumAgents(items: readonly unknown[]): ReadonlyMap<string, Pod> {
  const agents = items.filter((item) => textAt(item, 'metadata', 'labels', 'k8s-app') === 'cilium');
  return new Map(
    readPods(agents, {}).flatMap((pod): [string, Pod][] =>
      pod.phase === 'Running' && pod.nodeName !== null ? [[pod.nodeName, pod]] : [],
    ),
  );
}

/**
 * `Proxy Status:   OK, ip 10.0.0.25, 6 redirects active on ports 10000-20000, Envoy: external`, or `No managed proxy
 * redirect`. Null where the status has no such line.
 */
export function readProxyStatus(stdout: string): Pick<CiliumAgent, 'proxy' | 'redirects'> | null {
  const line = /^Proxy Status:[ \t]*(.*)$/m.exec(stdout)?.[1];
  if (line === undefined) return null;
  if (/^no managed proxy/i.test(line)) return { proxy: 'none', redirects: 0 };
  const redirects = /\b(\d{1,9}) redirects?\b/.exec(line)?.[1];
  return {
    proxy: /^ok\b/i.test(line) ? 'ok' : 'failing',
    redirects: redirects === undefined ? null : Number(redirects),
  };
}

/** Where istiod serves its own metrics (Istio: 15014, http-monitoring). */
export const istiodEndpoint = { port: 15_014, path: '/metrics', https: false } as const;

/** The pods of Istio's control plane, of any revision. */
export function readIstiods(items: readonly unknown[]): readonly Pod[] {
  const istiods = items.filter((item) => textAt(item, 'metadata', 'labels', 'app') === 'istiod');
  return readPods(istiods, {})
    .filter((pod) => pod.phase === 'Running')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * `pilot_xds{version="1.29.2"} 247`: proxies connected to this istiod, one series a version;
 * `pilot_xds_pushes{type="eds"}`: what it has sent since it began. Pushes that failed are of types of their own (`eds_senderr`).
 */
export function readPilot(page: string): Pick<ControlPlane, 'proxies' | 'pushes'> {
  const samples = readExposition(page, (name) => name === 'pilot_xds' || name === 'pilot_xds_pushes');
  const connected = samples.filter(({ name }) => name === 'pilot_xds');
  const pushes = new Map<string, number>();
  for (const { name, labels, value } of samples) {
    const type = labels.get('type') ?? '';
    if (name === 'pilot_xds_pushes' && /^[a-z]{2,8}$/.test(type))
      pushes.set(type, clampedToBounds((pushes.get(type) ?? 0) + value));
  }
  return {
    proxies: connected.length === 0 ? null : connected.reduce((sum, { value }) => clampedToBounds(sum + value), 0),
    pushes: [...pushes].map(([type, count]) => ({ type, count })).sort((a, b) => (a.type < b.type ? -1 : 1)),
  };
}

import { meshProxyOf } from '../evidence/mesh-proxies.ts';
import { readControlPlane } from '../facts/control-plane.ts';
import type { Facts } from '../facts/facts.ts';
import type { PathFacts } from '../facts/path.ts';
import type { PathAnswer, PathHop } from '../report/schema.ts';
import { countOf, percent, plural } from '../report/words.ts';

/** The path of the report: what stands in it from the client to the pod, and what it makes of the port. */
export function answerPath(facts: Facts): PathAnswer {
  const { path: known } = facts;
  const { path, declared } = known;
  return {
    hops: [...clientSide(known), ...rules(known), ...serverSide(known)],
    protocol: { reading: declared.reading, from: declared.from, text: known.plain ?? protocolText(declared) },
    ...(known.proxies !== null && {
      ciliumAgents: known.proxies.ciliumAgents.map(({ node, redirects }) => ({ node, redirects })),
      controlPlane: readControlPlane(known.proxies),
    }),
    kubeProxyMode: path?.kubeProxyMode ?? null,
    socketLoadBalancing: path?.socketLoadBalancing ?? null,
  };
}

/** `; 6 redirects active on n1, 0 on n2`: what the agents of the nodes say, where they were asked. */
function redirectsText({ proxies }: PathFacts): string {
  const agents = (proxies?.ciliumAgents ?? []).flatMap(({ node, redirects }) =>
    redirects === null ? [] : [{ node, redirects }],
  );
  const [first, ...others] = agents;
  if (first === undefined) return '';
  const rest = others.map(({ node, redirects }) => `, ${redirects} on ${node}`).join('');
  return `; ${plural(first.redirects, 'redirect')} active on ${first.node}${rest}`;
}

/** `; istiod serves 247 proxies, 81 % of its pushes are endpoints`. */
function controlPlaneText({ proxies }: PathFacts): string {
  const plane = proxies === null ? null : readControlPlane(proxies);
  if (plane?.proxies == null) return '';
  const total = plane.pushes.reduce((sum, { count }) => sum + count, 0);
  const endpoints = plane.pushes.find(({ type }) => type === 'eds')?.count ?? 0;
  const share = total === 0 ? '' : `, ${percent(endpoints / total)} of its pushes are endpoints`;
  return `; istiod serves ${countOf(plane.proxies, 'proxy', 'proxies')}${share}`;
}

function protocolText({ reading, from }: PathFacts['declared']): string {
  const by = from === null ? '' : declarers[from];
  switch (reading) {
    case 'http2':
      return `declared as HTTP/2${by}: proxies see calls`;
    case 'http1':
      return `declared as HTTP/1.1${by}: gateways would not speak HTTP/2 to it`;
    case 'tcp':
      return `declared as TCP${by}: proxies see connections, not calls`;
    case 'detected':
      return 'no protocol declared: sidecars look at the bytes, gateways speak HTTP/1.1';
  }
}

const declarers = { appProtocol: ' by appProtocol', name: ' by its name', port: ' by its number' } as const;

function clientSide(known: PathFacts): PathHop[] {
  const { clientShares, clientProxies, gateways, hops } = known;
  const layer = known.plain === null ? 7 : 4;
  return [
    ...clientProxies.map(
      (name): PathHop => ({
        kind: 'client-sidecar',
        name,
        layer,
        text: `${meshOf(name)} beside clients with ${percent(clientShares.meshed)} of the load${layer === 4 ? ': plain TCP' : ''}`,
      }),
    ),
    ...(clientShares.xds > 0
      ? [
          hop(
            'proxyless-xds',
            'xDS',
            7,
            `gRPC itself, in clients with ${percent(clientShares.xds)} of the load${controlPlaneText(known)}`,
          ),
        ]
      : []),
    ...gateways.map((name) =>
      hop('gateway', name, 7, `${percent(clientShares.gateway)} of the load comes through gateways`),
    ),
    ...(clientShares.waypoint > 0
      ? hops
          .filter((name) => name.includes('/') && !gateways.includes(name))
          .map((name) => hop('waypoint', name, 7, `${percent(clientShares.waypoint)} of the load`))
      : []),
  ];
}

function rules({ path, routes }: PathFacts): PathHop[] {
  return [
    ...routes.map((route) =>
      hop(
        'route',
        `${route.kind} ${route.name}`,
        7,
        route.backends.map(({ service, subset, weight }) => `${subset ?? service} ${weight}`).join(', '),
      ),
    ),
    ...(path?.destinationRules ?? []).map((rule) => {
      const empty = rule.subsets.filter((subset) => subset.pods.length === 0).map((subset) => subset.name);
      const words = [
        ...(rule.consistentHash ? ['consistentHash'] : []),
        ...rule.subsets.map((subset) => `${subset.name}: ${subset.pods.length} pods`),
        ...(empty.length > 0 ? [`no pod is in ${empty.join(', ')}`] : []),
      ];
      return hop('destination-rule', rule.name, 7, words.join(', ') || 'no subsets, no hash');
    }),
    ...(path?.ingresses ?? []).map((ingress) =>
      hop(
        'ingress',
        ingress.name,
        7,
        `${ingress.controller}, ${ingress.grpc ? 'told that the backend speaks gRPC' : 'not told that the backend speaks gRPC'}${ingress.virtualAddress ? ', dials the virtual address' : ''}`,
      ),
    ),
  ];
}

function serverSide(known: PathFacts): PathHop[] {
  const { path, ambient, serverProxies, hops } = known;
  const redirects = redirectsText(known);
  const waypoint = ambient?.waypoint ?? null;
  return [
    ...(path?.kubeProxyMode == null ? [] : [hop('kube-proxy', path.kubeProxyMode, 4, 'a pod for each connection')]),
    ...(path?.kubeProxyReplacement === true ? [hop('kube-proxy', 'eBPF', 4, 'in the place of kube-proxy')] : []),
    ...(ambient === null
      ? []
      : [hop('ambient', 'ztunnel', 4, waypoint === null ? 'without a waypoint' : `with waypoint ${waypoint}`)]),
    ...(hops.includes('Cilium Envoy')
      ? [hop('cilium', 'Envoy', 7, `service.cilium.io/lb-l7 is enabled${redirects}`)]
      : []),
    ...(path?.ciliumPolicies ?? []).map((name) =>
      hop(
        'cilium',
        name,
        null,
        `HTTP rules: calls are checked by Envoy on the way in, and stay with their pod${redirects}`,
      ),
    ),
    ...serverProxies.map((name) =>
      hop('server-sidecar', name, null, `${meshOf(name)} beside every pod: takes what the client’s side chose`),
    ),
  ];
}

function hop(kind: PathHop['kind'], name: string, layer: PathHop['layer'], text: string): PathHop {
  return { kind, name, layer, text };
}

function meshOf(container: string): string {
  return meshProxyOf(container)?.mesh ?? 'a proxy';
}

import { readControlPlane } from '../facts/control-plane.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import type { PathFacts } from '../facts/path.ts';
import { listed, plural } from '../report/words.ts';
import type { FoundWarning } from './warning.ts';

/** What in the objects of a mesh cannot work as it is written. */
export function findPathWarnings(facts: PathFacts, replicas: readonly MeasuredPod[]): FoundWarning[] {
  return [...findSubsetWarnings(facts, replicas), ...findIdleProxies(facts)];
}

/** Layer 7 is configured, and those who should carry it out say that nothing passes there. */
function findIdleProxies({ path, proxies, clientShares }: PathFacts): FoundWarning[] {
  const agents = proxies?.ciliumAgents ?? [];
  const wants = [
    ...(path?.ciliumL7 === true ? ['service.cilium.io/lb-l7 is enabled'] : []),
    ...(path?.ciliumPolicies ?? []).map((name) => `CiliumNetworkPolicy ${name} has HTTP rules`),
  ];
  const plane = proxies === null ? null : readControlPlane(proxies);
  return [
    ...(wants.length > 0 && agents.length > 0 && agents.every(({ redirects }) => redirects === 0)
      ? [
          {
            id: 'no-redirects' as const,
            text: `${listed(wants)}, yet the Cilium ${agents.length === 1 ? 'agent' : 'agents'} of ${listed(agents.map(({ node }) => node))} ${agents.length === 1 ? 'has' : 'have'} 0 redirects active: calls do not seem to pass Envoy there`,
          },
        ]
      : []),
    ...(clientShares.xds > 0 && plane?.proxies === 0
      ? [{ id: 'xds-unserved' as const, text: 'clients have a bootstrap for xDS, yet no proxy is connected to istiod' }]
      : []),
  ];
}

function findSubsetWarnings({ path, routes }: PathFacts, replicas: readonly MeasuredPod[]): FoundWarning[] {
  const wanted = new Map(
    routes.flatMap((route) =>
      route.backends.flatMap(({ subset, weight }): [string, string][] =>
        subset === null || weight === 0 ? [] : [[subset, `${route.kind} ${route.name}`]],
      ),
    ),
  );
  return (path?.destinationRules ?? []).flatMap(({ name, subsets }) => {
    const empty = subsets.filter((subset) => subset.pods.length === 0).map((subset) => subset.name);
    const members = new Set(subsets.flatMap((subset) => subset.pods));
    const left = replicas.filter((pod) => !members.has(pod.name)).map((pod) => pod.name);
    const isRouted = subsets.some((subset) => wanted.has(subset.name));
    return [
      ...(empty.length === 0 ? [] : [emptySubsets(name, empty, wanted)]),
      // Without a route that names subsets they lead nobody anywhere.
      ...(left.length > 0 && isRouted ? [outsideSubsets(name, left, replicas.length)] : []),
    ];
  });
}

/** What `istioctl analyze` calls IST0173. */
function emptySubsets(rule: string, empty: readonly string[], wanted: ReadonlyMap<string, string>): FoundWarning {
  const routes = [...new Set(empty.flatMap((subset) => wanted.get(subset) ?? []))];
  const what =
    routes.length === 0
      ? 'a route to it would answer 503'
      : `${listed(routes)} sends calls there, which get 503 (no healthy upstream)`;
  const subsets = `${empty.length === 1 ? 'subset' : 'subsets'} ${listed(empty)}`;
  return {
    id: 'subset-without-pods',
    text: `DestinationRule ${rule}: no pod of the Service is in ${subsets}; ${what}`,
  };
}

/** What `istioctl x describe` says of a pod that matches no subset. */
function outsideSubsets(rule: string, left: readonly string[], pods: number): FoundWarning {
  const text = `DestinationRule ${rule}: ${left.length} of ${plural(pods, 'pod')} in none of its subsets (${listed(left)}): routes to subsets send nothing there`;
  return { id: 'pods-in-no-subset', text };
}

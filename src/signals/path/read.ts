import type { Service } from '../../evidence/objects.ts';
import type { DestinationRule, Ingress, Path, Route } from '../../evidence/path-schema.ts';
import { at, flagAt, integerAt, listAt, textAt, textMapAt } from '../read/json.ts';
import { nameOrNull } from '../read/mesh-marks.ts';
import { pathGroups } from './ask.ts';

/** Version that the server prefers, by group: of those groups that matter here. */
export function readGroups(body: unknown): ReadonlyMap<string, string> {
  const wanted: readonly string[] = Object.values(pathGroups);
  return new Map(
    listAt(body, 'groups').flatMap((group): [string, string][] => {
      const name = textAt(group, 'name');
      const version = textAt(group, 'preferredVersion', 'version') ?? textAt(listAt(group, 'versions')[0], 'version');
      return name !== null && version !== null && wanted.includes(name) && /^v\w+$/.test(version)
        ? [[name, version]]
        : [];
    }),
  );
}

/** The mode of kube-proxy, and nothing else of its configuration. An empty mode is iptables on Linux. */
export function readKubeProxyMode(body: unknown): Path['kubeProxyMode'] {
  const config = textAt(body, 'data', 'config.conf');
  const mode = config === null ? null : (/^mode:[ \t]*"?(\w*)"?[ \t]*$/m.exec(config)?.[1] ?? null);
  if (mode === '') return 'iptables';
  return mode === 'iptables' || mode === 'ipvs' || mode === 'nftables' || mode === 'userspace' ? mode : null;
}

/** What Cilium's configuration says of kube-proxy and of sockets: keys kube-proxy-replacement and bpf-lb-sock*. */
export function readCiliumConfig(body: unknown): Pick<Path, 'kubeProxyReplacement' | 'socketLoadBalancing'> {
  const data = textMapAt(body, 'data');
  const replacement = data['kube-proxy-replacement'];
  const replaces = replacement === undefined ? null : ['true', 'strict', 'probe', 'partial'].includes(replacement);
  // Replacing kube-proxy turns the socket load balancer on where nothing else is said.
  const sockets = data['bpf-lb-sock'] === 'true' || (replaces === true && data['bpf-lb-sock'] !== 'false');
  const hostOnly = data['bpf-lb-sock-hostns-only'] === 'true';
  if (Object.keys(data).length === 0) return { kubeProxyReplacement: null, socketLoadBalancing: null };
  return { kubeProxyReplacement: replaces, socketLoadBalancing: sockets ? (hostOnly ? 'host-only' : 'all') : 'off' };
}

/** With eBPF Calico replaces kube-proxy, and rewrites at connect() unless it is told not to. */
export function readFelix(body: unknown): Pick<Path, 'kubeProxyReplacement' | 'socketLoadBalancing'> {
  if (flagAt(body, 'spec', 'bpfEnabled') !== true) return { kubeProxyReplacement: false, socketLoadBalancing: 'off' };
  const isOff =
    textAt(body, 'spec', 'bpfConnectTimeLoadBalancing') === 'Disabled' ||
    flagAt(body, 'spec', 'bpfConnectTimeLoadBalancingEnabled') === false;
  return { kubeProxyReplacement: true, socketLoadBalancing: isOff ? 'off' : 'all' };
}

/** Names of Gateways that are waypoints of Istio ambient. */
export function readWaypoints(items: readonly unknown[]): string[] {
  return items.flatMap((item) =>
    textAt(item, 'spec', 'gatewayClassName') === 'istio-waypoint'
      ? (nameOrNull(textAt(item, 'metadata', 'name')) ?? [])
      : [],
  );
}

/** Routes of the Gateway API with a rule that leads to the Service, with all backends of that rule. */
export function readRoutes(items: readonly unknown[], kind: 'GRPCRoute' | 'HTTPRoute', service: Service): Route[] {
  return items.flatMap((item) => {
    const name = nameOrNull(textAt(item, 'metadata', 'name'));
    const backends = listAt(item, 'spec', 'rules')
      .map((rule) =>
        listAt(rule, 'backendRefs').flatMap((ref) => {
          const to = nameOrNull(textAt(ref, 'name'));
          const isService = (textAt(ref, 'kind') ?? 'Service') === 'Service';
          return to === null || !isService ? [] : [{ service: to, weight: weightOf(ref) ?? 1, subset: null }];
        }),
      )
      .find((refs) => refs.some((ref) => ref.service === service.name));
    return name === null || backends === undefined ? [] : [{ kind, name, backends }];
  });
}

/** VirtualServices for the host of the Service, with the destinations of the first route that leads there. */
export function readVirtualServices(items: readonly unknown[], service: Service): Route[] {
  return items.flatMap((item) => {
    const name = nameOrNull(textAt(item, 'metadata', 'name'));
    const destinations = [...listAt(item, 'spec', 'http'), ...listAt(item, 'spec', 'tcp')]
      .map((route) =>
        listAt(route, 'route').flatMap((entry) => {
          const host = textAt(entry, 'destination', 'host');
          const to = host === null ? null : nameOrNull(host.split('.')[0] ?? '');
          if (to === null) return [];
          const isHere = host !== null && isHostOf(host, service);
          const subset = nameOrNull(textAt(entry, 'destination', 'subset'));
          // Without a weight a single destination gets everything.
          return [{ service: isHere ? service.name : to, weight: weightOf(entry) ?? 100, subset, isHere }];
        }),
      )
      .find((refs) => refs.some((ref) => ref.isHere));
    if (name === null || destinations === undefined) return [];
    return [{ kind: 'VirtualService', name, backends: destinations.map(({ isHere: _, ...backend }) => backend) }];
  });
}

function weightOf(entry: unknown): number | null {
  const weight = integerAt(entry, 'weight');
  return weight !== null && weight >= 0 ? weight : null;
}

/** DestinationRules for the host of the Service; of a subset the pods that its labels match. */
export function readDestinationRules(
  items: readonly unknown[],
  service: Service,
  podLabels: ReadonlyMap<string, Readonly<Record<string, string>>>,
): DestinationRule[] {
  return items.flatMap((item) => {
    const name = nameOrNull(textAt(item, 'metadata', 'name'));
    if (name === null || !isHostOf(textAt(item, 'spec', 'host') ?? '', service)) return [];
    const policies = [at(item, 'spec', 'trafficPolicy'), ...listAt(item, 'spec', 'trafficPolicy', 'portLevelSettings')];
    return [
      {
        name,
        consistentHash: policies.some((policy) => at(policy, 'loadBalancer', 'consistentHash') !== undefined),
        subsets: listAt(item, 'spec', 'subsets').flatMap((subset) => {
          const subsetName = nameOrNull(textAt(subset, 'name'));
          const labels = Object.entries(textMapAt(subset, 'labels'));
          if (subsetName === null) return [];
          const pods = [...podLabels].flatMap(([pod, own]) =>
            labels.every(([key, value]) => own[key] === value) ? [pod] : [],
          );
          return [{ name: subsetName, pods: pods.sort() }];
        }),
      },
    ];
  });
}

/** `echo`, `echo.shop`, `echo.shop.svc`, `echo.shop.svc.cluster.local`: a short name is of the rule's own namespace. */
function isHostOf(host: string, service: Service): boolean {
  const [name, namespace, ...rest] = host.split('.');
  return (
    name === service.name &&
    (namespace === undefined || namespace === service.namespace) &&
    (rest.length === 0 || rest[0] === 'svc')
  );
}

/** CiliumNetworkPolicies with HTTP rules for ingress that select the pods: their calls pass through Envoy. */
export function readCiliumPolicies(
  items: readonly unknown[],
  podLabels: ReadonlyMap<string, Readonly<Record<string, string>>>,
): string[] {
  return items.flatMap((item) => {
    const name = nameOrNull(textAt(item, 'metadata', 'name'));
    const specs = [at(item, 'spec'), ...listAt(item, 'specs')];
    const isL7 = specs.some((spec) => {
      const selector = Object.entries(textMapAt(spec, 'endpointSelector', 'matchLabels'));
      const selects = [...podLabels.values()].some((labels) =>
        // Keys may say where a label is from: `k8s:app`, `any:app`.
        selector.every(([key, value]) => labels[key.replace(/^(k8s|any)[:.]/, '')] === value),
      );
      return selects && listAt(spec, 'ingress').some((rule) => listAt(rule, 'toPorts').some(hasHttpRules));
    });
    return name !== null && isL7 ? [name] : [];
  });
}

function hasHttpRules(toPort: unknown): boolean {
  return listAt(toPort, 'rules', 'http').length > 0;
}

/** Ingresses with a path to the Service, and whether an annotation says that the backend speaks gRPC. */
export function readIngresses(items: readonly unknown[], service: Service, traefikH2c: boolean): Ingress[] {
  return items.flatMap((item) => {
    const name = nameOrNull(textAt(item, 'metadata', 'name'));
    const backends = [
      at(item, 'spec', 'defaultBackend'),
      ...listAt(item, 'spec', 'rules').flatMap((rule) =>
        listAt(rule, 'http', 'paths').map((path) => at(path, 'backend')),
      ),
    ];
    if (name === null || !backends.some((backend) => textAt(backend, 'service', 'name') === service.name)) return [];
    const annotation = (key: string) => textAt(item, 'metadata', 'annotations', key);
    const nginx = annotation('nginx.ingress.kubernetes.io/backend-protocol');
    const alb = annotation('alb.ingress.kubernetes.io/backend-protocol-version');
    const className = textAt(item, 'spec', 'ingressClassName') ?? annotation('kubernetes.io/ingress.class') ?? '';
    const controller = controllerOf({ className, isAlb: alb !== null, isNginx: nginx !== null });
    const spoken = [nginx, alb].map((protocol) => protocol?.toUpperCase() ?? '');
    return [
      {
        name,
        controller,
        grpc:
          spoken.some((protocol) => ['GRPC', 'GRPCS', 'HTTP2'].includes(protocol)) ||
          (controller === 'traefik' && traefikH2c),
        virtualAddress: annotation('nginx.ingress.kubernetes.io/service-upstream') === 'true',
      },
    ];
  });
}

function controllerOf(signs: {
  readonly className: string;
  readonly isAlb: boolean;
  readonly isNginx: boolean;
}): Ingress['controller'] {
  if (signs.isAlb || signs.className === 'alb') return 'alb';
  if (signs.isNginx || signs.className.includes('nginx')) return 'nginx';
  return signs.className.includes('traefik') ? 'traefik' : 'other';
}

/** What the Service's own annotations say of Cilium and Traefik. */
export function readServiceAnnotations(service: unknown): { readonly ciliumL7: boolean; readonly traefikH2c: boolean } {
  const annotation = (key: string) => textAt(service, 'metadata', 'annotations', key);
  return {
    ciliumL7: annotation('service.cilium.io/lb-l7') === 'enabled',
    traefikH2c: annotation('traefik.ingress.kubernetes.io/service.serversscheme') === 'h2c',
  };
}

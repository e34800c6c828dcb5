/** Proxies that stand beside an application in its pod, by the name of their container. */
export interface MeshProxy {
  readonly container: string;
  /** Whose it is, as people say it. */
  readonly mesh: string;
  /** Port at which it takes what was meant for the application; null where that differs or is not known. */
  readonly inboundPort: number | null;
}

/**
 * Sources: the injection templates of each project (Istio's sidecar injector, linkerd-proxy-injector, consul-k8s, Kuma,
 * Open Service Mesh, NGINX Service Mesh, AWS App Mesh, Cloud Service Mesh uses Istio's name).
 */
const meshProxies: readonly MeshProxy[] = [
  { container: 'istio-proxy', mesh: 'Istio', inboundPort: 15_006 },
  { container: 'linkerd-proxy', mesh: 'Linkerd', inboundPort: 4143 },
  { container: 'consul-dataplane', mesh: 'Consul', inboundPort: null },
  { container: 'envoy-sidecar', mesh: 'Envoy', inboundPort: null },
  { container: 'kuma-sidecar', mesh: 'Kuma', inboundPort: 15_006 },
  { container: 'nginx-mesh-sidecar', mesh: 'NGINX Service Mesh', inboundPort: null },
  { container: 'envoy', mesh: 'Envoy', inboundPort: null },
];

export function meshProxyOf(container: string): MeshProxy | null {
  return meshProxies.find((entry) => entry.container === container) ?? null;
}

/** Names of the containers that are known mesh proxies. */
export function meshProxiesIn(containers: readonly { readonly name: string }[]): readonly string[] {
  return containers.flatMap(({ name }) => (meshProxyOf(name) === null ? [] : [name]));
}

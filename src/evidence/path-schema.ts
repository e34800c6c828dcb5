/**
 * What stands between clients and pods at layer 7, as far as API objects say it: names, ports, weights and choices from
 * a list. No other text of a policy, a route or an environment enters Evidence.
 */
import { type Static, Type } from 'typebox';
import { nullable, text } from './kinds.ts';

/** Ranges of ports, both ends included. */
export const PortRange = Type.Object({ from: Type.Integer(), to: Type.Integer() });
export type PortRange = Static<typeof PortRange>;

/** What labels and annotations of a pod, a namespace or a Service say of the mesh. */
export const MeshMarks = Type.Object({
  dataplaneMode: nullable(
    Type.Union([Type.Literal('ambient'), Type.Literal('none')], { description: 'Label istio.io/dataplane-mode' }),
  ),
  redirected: Type.Boolean({ description: 'Annotation ambient.istio.io/redirection: the pod is in ambient indeed' }),
  useWaypoint: nullable(text('Label istio.io/use-waypoint: the name of a Gateway, or none')),
  opaquePorts: nullable(Type.Array(PortRange, { description: 'Annotation config.linkerd.io/opaque-ports' })),
  xds: nullable(
    Type.Union([Type.Literal('bootstrap'), Type.Literal('grpc-agent')], {
      description: 'GRPC_XDS_BOOTSTRAP is set in a container (never its value), or the grpc-agent template is injected',
    }),
  ),
});
export type MeshMarks = Static<typeof MeshMarks>;

const Backend = Type.Object({
  service: Type.String(),
  weight: Type.Integer({ minimum: 0 }),
  subset: nullable(Type.String()),
});

/** A rule that leads calls to the Service: of the Gateway API or of Istio. */
export const Route = Type.Object({
  kind: Type.Union([Type.Literal('GRPCRoute'), Type.Literal('HTTPRoute'), Type.Literal('VirtualService')]),
  name: Type.String(),
  backends: Type.Array(Backend, { description: 'Of the rule that names this Service' }),
});
export type Route = Static<typeof Route>;

export const DestinationRule = Type.Object({
  name: Type.String(),
  consistentHash: Type.Boolean(),
  subsets: Type.Array(
    Type.Object({
      name: Type.String(),
      pods: Type.Array(Type.String(), { description: 'Pods that its labels match' }),
    }),
  ),
});
export type DestinationRule = Static<typeof DestinationRule>;

export const Ingress = Type.Object({
  name: Type.String(),
  controller: Type.Union([Type.Literal('nginx'), Type.Literal('traefik'), Type.Literal('alb'), Type.Literal('other')]),
  grpc: Type.Boolean({ description: 'It is told that the backend speaks gRPC or HTTP/2' }),
  virtualAddress: Type.Boolean({ description: 'It is told to dial the virtual address (service-upstream)' }),
});
export type Ingress = Static<typeof Ingress>;

export const Path = Type.Object({
  groups: nullable(Type.Array(Type.String(), { description: 'Optional API groups that the cluster serves' })),
  service: MeshMarks,
  ciliumL7: Type.Boolean({ description: 'Annotation service.cilium.io/lb-l7 is enabled on the Service' }),
  traefikH2c: Type.Boolean({ description: 'Annotation of Traefik: it speaks h2c to the Service' }),
  namespace: nullable(MeshMarks),
  waypoints: nullable(Type.Array(Type.String(), { description: 'Gateways of the class istio-waypoint' })),
  routes: nullable(Type.Array(Route)),
  destinationRules: nullable(Type.Array(DestinationRule)),
  ciliumPolicies: nullable(
    Type.Array(Type.String(), { description: 'CiliumNetworkPolicies with HTTP rules that select the pods' }),
  ),
  ingresses: nullable(Type.Array(Ingress)),
  kubeProxyMode: nullable(
    Type.Union([Type.Literal('iptables'), Type.Literal('ipvs'), Type.Literal('nftables'), Type.Literal('userspace')]),
  ),
  kubeProxyReplacement: nullable(Type.Boolean({ description: 'eBPF of Cilium or Calico in the place of kube-proxy' })),
  socketLoadBalancing: nullable(
    Type.Union([Type.Literal('all'), Type.Literal('host-only'), Type.Literal('off')], {
      description: 'Destinations are rewritten at connect(): then pod addresses of a client’s sockets prove nothing',
    }),
  ),
});
export type Path = Static<typeof Path>;

/** What a Cilium agent says of the proxy on its node: redirects are the ports that it leads through Envoy. */
export const CiliumAgent = Type.Object({
  node: Type.String(),
  lookedAt: Type.String(),
  proxy: Type.Union([Type.Literal('ok'), Type.Literal('failing'), Type.Literal('none')]),
  redirects: nullable(Type.Integer({ minimum: 0 })),
});
export type CiliumAgent = Static<typeof CiliumAgent>;

/** What one pod of istiod counts: proxies connected to it, pushes by type since it began. */
export const ControlPlane = Type.Object({
  pod: Type.String(),
  lookedAt: Type.String(),
  proxies: nullable(Type.Number({ description: 'Proxies, and gRPC libraries, that are connected' })),
  pushes: Type.Array(Type.Object({ type: Type.String(), count: Type.Number() })),
});
export type ControlPlane = Static<typeof ControlPlane>;

/** What the proxies themselves and those who tell them what to do say. */
export const ProxyLooks = Type.Object({
  ciliumAgents: Type.Array(CiliumAgent),
  controlPlane: Type.Array(ControlPlane),
});
export type ProxyLooks = Static<typeof ProxyLooks>;

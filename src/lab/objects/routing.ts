import { type Cluster, subsetWeights } from '../cluster.ts';
import { type KubeObject, timestamp } from './meta.ts';

/** Objects of the APIs that only some clusters serve, by resource; a resource that is not in it is not served. */
export type OptionalObjects = Readonly<
  Record<string, { readonly kind: string; readonly objects: readonly KubeObject[] }>
>;

/** What Istio knows of the Service: a rule with two subsets and a route by weight, or nothing. */
export function istioObjects(cluster: Cluster): OptionalObjects {
  const { scenario, service } = cluster;
  const isRouted = scenario.gateway === 'subsets';
  const spec = { host: service.name };
  const subsets = Object.keys(subsetWeights).map((name) => ({ name, labels: { version: name } }));
  const route = Object.entries(subsetWeights).map(([subset, weight]) => ({ destination: { ...spec, subset }, weight }));
  const one = (name: string, content: object) => (isRouted ? [object(cluster, name, content)] : []);
  return {
    virtualservices: {
      kind: 'VirtualService',
      objects: one('echo', { hosts: [service.name], gateways: ['public'], http: [{ route }] }),
    },
    destinationrules: { kind: 'DestinationRule', objects: one('echo', { ...spec, subsets }) },
  };
}

/** The Gateway, and the route that leads from it to two Services. */
export function gatewayObjects(cluster: Cluster): OptionalObjects {
  const backendRefs = [
    { name: cluster.service.name, port: 50051, weight: 90 },
    { name: `${cluster.service.name}-canary`, port: 50051, weight: 10 },
  ];
  return {
    gateways: { kind: 'Gateway', objects: [object(cluster, 'public', { gatewayClassName: 'istio', listeners: [] })] },
    grpcroutes: {
      kind: 'GRPCRoute',
      objects: [object(cluster, 'echo', { parentRefs: [{ name: 'public' }], rules: [{ backendRefs }] })],
    },
    httproutes: { kind: 'HTTPRoute', objects: [] },
  };
}

/** A policy that lets one method through. */
export function ciliumObjects(cluster: Cluster): OptionalObjects {
  const http = [{ method: 'POST', path: '/lab.Echo/Whoami' }];
  const spec = {
    endpointSelector: { matchLabels: { app: cluster.server.name } },
    ingress: [{ toPorts: [{ ports: [{ port: '50051', protocol: 'TCP' }], rules: { http } }] }],
  };
  return {
    ciliumnetworkpolicies: { kind: 'CiliumNetworkPolicy', objects: [object(cluster, 'whoami-only', spec)] },
  };
}

function object({ namespace, service }: Cluster, name: string, spec: object): KubeObject {
  return {
    metadata: {
      name,
      namespace,
      uid: service.uid.replace(/^.{8}/, 'b0b0b0b0'),
      resourceVersion: String(service.resourceVersion),
      creationTimestamp: timestamp(service.createdAt),
    },
    spec,
  };
}

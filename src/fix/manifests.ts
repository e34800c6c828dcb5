import type { ServiceAnswer } from '../report/schema.ts';
import { type FixSubject, type FixWorkload, hostOf, suffixed } from './subject.ts';

/** An object for the API server. Those of things that exist hold only the fields that change: for server-side apply. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Labels that say who manages an object: untrue of one that somebody else applies. */
const ofOthers = ['app.kubernetes.io/managed-by', 'helm.sh/chart', 'pod-template-hash', 'controller-revision-hash'];
/** Labels by which meshes, the cluster and deployers act on an object that bears them, as istio.io/use-waypoint. */
const acting = /^([^/]*\.)?(istio|linkerd|cilium|consul\.hashicorp|argoproj|fluxcd|kubernetes|k8s)\.(io|com)\//;

function isDescribing(key: string): boolean {
  return !ofOthers.includes(key) && (key.startsWith('app.kubernetes.io/') || !acting.test(key));
}

/**
 * A second Service without a virtual address over the same pods: clusterIP is immutable. Its DNS name answers with the
 * pods' addresses, so its clients dial the target port; the port is that one, lest anybody read the other off it. Its name
 * is not that of the first one: DNS publishes it (SRV), and clients of gRPC take what is called `grpclb` for a balancer to
 * ask (gRFC A5), as others look for names of theirs.
 */
export function headlessService(subject: FixSubject, service: ServiceAnswer, name: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace: subject.namespace,
      labels: Object.fromEntries(Object.entries(service.labels).filter(([key]) => isDescribing(key))),
    },
    spec: {
      clusterIP: 'None',
      selector: { ...service.selector },
      ports: [
        {
          name: 'grpc',
          port: subject.targetPort,
          targetPort: subject.declaredTargetPort,
          protocol: 'TCP',
          appProtocol: 'grpc',
        },
      ],
    },
  };
}

/**
 * The port declares its protocol, unless it declares HTTP/2 already, and the Service gets labels. Ports merge by number
 * and protocol: the others stay as they are.
 */
export function declaredPort(
  subject: FixSubject,
  service: ServiceAnswer,
  labels: Readonly<Record<string, string>> | null = null,
): Manifest[] {
  const port = portOf(subject, service);
  const known = ['grpc', 'grpc-web', 'http2', 'h2c', 'kubernetes.io/h2c'];
  const isDeclared = known.includes(port?.appProtocol?.toLowerCase() ?? '');
  if (isDeclared && labels === null) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: subject.name, namespace: subject.namespace, ...(labels !== null && { labels }) },
      ...(!isDeclared && { spec: { ports: [{ port: subject.servicePort, protocol: 'TCP', appProtocol: 'grpc' }] } }),
    },
  ];
}

/** The declaration of the port as it was, for a strategic merge: ports merge by number. */
export function portAsItWas(subject: FixSubject, service: ServiceAnswer): Readonly<Record<string, unknown>> {
  const before = portOf(subject, service)?.appProtocol ?? null;
  const appProtocol = before !== null && protocolName.test(before) ? before : null;
  return { spec: { ports: [{ port: subject.servicePort, appProtocol }] } };
}

/** A name of IANA or with a prefix, as the API server takes it: anything else stays out of commands. */
const protocolName = /^([a-z0-9.-]+\/)?[A-Za-z0-9._-]+$/;

function portOf(subject: FixSubject, { ports }: ServiceAnswer): ServiceAnswer['ports'][number] | undefined {
  return ports.find((entry) => entry.port === subject.servicePort && entry.protocol === 'TCP');
}

export function annotatedService(subject: FixSubject, annotations: Readonly<Record<string, string>>): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: subject.name, namespace: subject.namespace, annotations },
  };
}

/** What the pods of a workload are to bear. */
export interface PodMarks {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Labels or annotations of the pods of a workload: its pods are replaced. */
export function changedPods(workload: FixWorkload, marks: PodMarks): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: workload.kind,
    metadata: { name: workload.name, namespace: workload.namespace },
    spec: { template: { metadata: marks } },
  };
}

/** Istio 1.22 and newer serve v1. LEAST_REQUEST is what a sidecar does anyway; gRPC's own xDS knows ROUND_ROBIN alone. */
export function destinationRule(subject: FixSubject, simple: 'LEAST_REQUEST' | 'ROUND_ROBIN'): Manifest {
  return {
    apiVersion: 'networking.istio.io/v1',
    kind: 'DestinationRule',
    metadata: { name: subject.name, namespace: subject.namespace },
    spec: { host: hostOf(subject.name, subject.namespace), trafficPolicy: { loadBalancer: { simple } } },
  };
}

/** A Gateway that speaks HTTP/2 without TLS (h2c) at port 80, and the route from it to the Service. */
export function gatewayAndRoute(subject: FixSubject): Manifest[] {
  const gateway = gatewayName(subject);
  return [
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: gateway, namespace: subject.namespace },
      spec: {
        gatewayClassName: gatewayClassPlaceholder,
        listeners: [{ name: 'grpc', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Same' } } }],
      },
    },
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GRPCRoute',
      metadata: { name: subject.name, namespace: subject.namespace },
      spec: {
        parentRefs: [{ name: gateway }],
        rules: [{ backendRefs: [{ name: subject.name, port: subject.servicePort }] }],
      },
    },
  ];
}

/** The Gateway that is made beside a Service. */
export function gatewayName({ name }: FixSubject): string {
  return suffixed(name, '-grpc');
}

/** To be replaced by a class of the cluster: `kubectl get gatewayclasses` lists them. */
export const gatewayClassPlaceholder = 'your-gateway-class';

/** What looks into HTTP/2 in ambient mode, as `istioctl waypoint generate` writes it. */
export function waypoint(subject: FixSubject): Manifest {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: waypointName, namespace: subject.namespace, labels: { 'istio.io/waypoint-for': 'service' } },
    spec: { gatewayClassName: 'istio-waypoint', listeners: [{ name: 'mesh', port: 15008, protocol: 'HBONE' }] },
  };
}

/** The name that istioctl gives it, too. */
export const waypointName = 'waypoint';

import { kubectl } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import {
  annotatedService,
  changedPods,
  declaredPort,
  gatewayAndRoute,
  gatewayClassPlaceholder,
  gatewayName,
  waypoint,
  waypointName,
} from './manifests.ts';
import type { Mesh } from './meshes.ts';
import {
  applyCommand,
  type FixContext,
  type FixParts,
  isAmbient,
  patchCommand,
  restartClients,
  type Step,
  step,
  stepAbsent,
} from './parts.ts';
import type { Place, Workload } from './place.ts';
import { policyOf, undeclaredPort } from './policy.ts';

/** A proxy that chooses a pod for each call: the change differs from mesh to mesh. */
export function l7Proxy(context: FixContext): FixParts {
  return byMesh[context.mesh](context);
}

const byMesh: Readonly<Record<Mesh, (context: FixContext) => FixParts>> = {
  istio: (context) => (isAmbient(context.report) ? ambient(context) : sidecars(context)),

  /** Sources: linkerd.io/2/features/protocol-detection, …/features/proxy-injection, …/features/load-balancing. */
  linkerd: (context) => {
    const { report, place } = context;
    const isThere = reachesAll(report, 'linkerd-proxy');
    return {
      ...nothing,
      notes: [
        'the proxy of the CLIENT chooses the pod; Linkerd finds HTTP/2 by itself, as long as the clients do no TLS of their own',
        `port ${place.servicePort} must not be opaque: not in config.linkerd.io/opaque-ports of the Service, its pods or its namespace, and no appProtocol linkerd.io/opaque`,
        ...(place.clients.length === 0 && !isThere
          ? ['no client workload is known: annotate the pods of the clients with linkerd.io/inject: enabled']
          : []),
      ],
      manifests: isThere
        ? []
        : place.clients.map((client) => changedPods(client, { annotations: { 'linkerd.io/inject': 'enabled' } })),
      steps: isThere
        ? [step('see that the port is not opaque'), ...restartClients(place, throughProxy)]
        : injectLinkerd(context),
      undo: isThere
        ? []
        : place.clients.map((client) =>
            step(
              `take the annotation off ${client.resource} ${client.name}: its pods are replaced by ones without a proxy`,
              patchCommand(place, client, 'merge', {
                spec: { template: { metadata: { annotations: { 'linkerd.io/inject': null } } } },
              }),
            ),
          ),
    };
  },

  /** Source: docs.cilium.io/en/stable/network/servicemesh/envoy-load-balancing (beta), the Helm reference. */
  cilium: (context) => ({
    ...nothing,
    notes: [
      'needs the Helm value loadBalancer.l7.backend=envoy and the kube-proxy replacement; Cilium calls it beta',
      'new connections go through the node’s Envoy; those that are open now stay where they are until the clients reconnect',
    ],
    manifests: [annotatedService(context.place, { 'service.cilium.io/lb-l7': 'enabled' })],
    steps: [
      step('annotate the Service: its new connections go through Envoy', applyCommand(context, 'l7-proxy')),
      ...restartClients(context.place, throughProxy),
    ],
    undo: [
      step(
        'take the annotation off',
        kubectl(context.place.at, ['annotate', 'service', context.place.name], ['service.cilium.io/lb-l7-']),
      ),
      ...restartClients(context.place, 'connections that are open go on through Envoy until then'),
    ],
  }),

  /** Source: gateway-api.sigs.k8s.io, GRPCRoute v1: an HTTP listener takes HTTP/2 without TLS, by prior knowledge. */
  gateway: (context) => {
    const { report, place } = context;
    const gateway = `gateway.gateway.networking.k8s.io/${gatewayName(place)}`;
    const route = `grpcroute.gateway.networking.k8s.io/${place.name}`;
    return {
      ...nothing,
      notes: [
        `replace ${gatewayClassPlaceholder} by a class of your cluster; a Gateway that is there already will do, named in parentRefs`,
        'the gateway must send to the pods, not to the virtual address: ask its documentation',
        'the port declares grpc, since gateways detect nothing by themselves; your clients dial the address of the gateway',
      ],
      manifests: [...declaredPort(place, report.status.service), ...gatewayAndRoute(place)],
      steps: [
        step(
          'see which classes of gateways there are',
          kubectl({ ...place.at, namespace: null }, ['get', 'gatewayclasses']),
        ),
        stepAbsent(place, [gateway, route]),
        step(
          'create the Gateway and its route',
          applyCommand(context, 'l7-proxy', ['sed', `s/${gatewayClassPlaceholder}/CLASS/`]),
        ),
        step('wait for its address', kubectl(place.at, ['wait', gateway], ['--for=condition=Programmed'])),
        step('one client first to that address, port 80, then the others'),
      ],
      undo: [
        step('clients: the old target again'),
        step('when no client uses it any more', kubectl(place.at, ['delete', gateway, route])),
        ...undeclaredPort(place, report),
      ],
    };
  },
};

/**
 * Sources: istio.io/latest/docs/ops/configuration/traffic-management/protocol-selection, …/reference/config/networking,
 * …/setup/additional-setup/sidecar-injection: the label of a pod counts in a namespace that has none.
 */
function sidecars(context: FixContext): FixParts {
  const { report, place } = context;
  const isThere = reachesAll(report, 'istio-proxy');
  const labelled = isThere ? [] : withoutSidecar(context);
  const isUnknown = !isThere && place.clients.length === 0;
  const policy = policyOf(report, place, 'LEAST_REQUEST');
  const manifests = [
    ...declaredPort(place, report.status.service),
    ...labelled.map((workload) => changedPods(workload, { labels: { [injection]: 'true' } })),
    ...policy.manifests,
  ];
  return {
    ...nothing,
    notes: [
      'the proxy of the CLIENT chooses the pod: clients without a sidecar are not balanced',
      ...(isThere
        ? []
        : [
            `the label ${injection} is for the pods of these workloads alone, not for the others of their namespaces; it does nothing in a namespace labelled istio-injection=disabled; installations by revision take istio.io/rev=REVISION`,
          ]),
      ...(isUnknown ? [`no client workload is known: label the pods of the clients ${injection}=true`] : []),
    ],
    manifests,
    steps: [
      ...policy.before,
      ...(manifests.length === 0
        ? []
        : [step(declaring(report, labelled.length > 0), applyCommand(context, 'l7-proxy'))]),
      ...policy.steps,
      ...(isThere ? restartClients(place, throughProxy) : []),
      ...(isUnknown ? [step('label the pods of the clients by hand: they are replaced by ones with a sidecar')] : []),
    ],
    undo: [
      ...policy.undo,
      ...undeclaredPort(place, report),
      ...labelled.map((workload) =>
        step(
          `take the label off ${workload.resource} ${workload.name}, unless it was there before: its pods are replaced by ones without a sidecar`,
          patchCommand(place, workload, 'merge', {
            spec: { template: { metadata: { labels: { [injection]: null } } } },
          }),
        ),
      ),
    ],
  };
}

const injection = 'sidecar.istio.io/inject';

/** The clients, and the pods of the Service unless they have a sidecar; each workload once. */
function withoutSidecar({ report, place }: FixContext): readonly Workload[] {
  const servers = report.status.service.proxies.includes('istio-proxy') ? [] : place.servers;
  const key = ({ namespace, resource, name }: Workload) => `${namespace}/${resource}/${name}`;
  return [...new Map([...place.clients, ...servers].map((workload) => [key(workload), workload])).values()];
}

/** Source: istio.io/latest/docs/ambient/usage/waypoint. */
function ambient(context: FixContext): FixParts {
  const { report, place } = context;
  const isThere = report.status.path.hops.some((hop) => hop.kind === 'waypoint');
  const policy = policyOf(report, place, 'LEAST_REQUEST');
  const manifests = [
    ...(isThere ? [] : [waypoint(place)]),
    ...declaredPort(place, report.status.service, isThere ? null : { 'istio.io/use-waypoint': waypointName }),
    ...policy.manifests,
  ];
  return {
    ...nothing,
    notes: [
      'ztunnel is layer 4: in ambient mode a waypoint chooses the pod for each call, for clients that are in the mesh',
      ...(isThere ? [] : ['a waypoint of this namespace may be there already: then name that one in the label']),
    ],
    manifests,
    steps: [
      ...(isThere ? [] : [stepAbsent(place, [waypointResource])]),
      ...policy.before,
      ...(manifests.length === 0
        ? []
        : [
            step(
              isThere ? 'declare the protocol and the policy' : 'create the waypoint and lead the Service through it',
              applyCommand(context, 'l7-proxy'),
            ),
          ]),
      ...policy.steps,
      ...restartClients(place, 'only new connections go through the waypoint'),
    ],
    undo: [...(isThere ? [] : pastWaypoint(place)), ...policy.undo, ...undeclaredPort(place, report)],
  };
}

function declaring({ status }: SkewReport, isLabelled: boolean): string {
  const change = 'declare the protocol and the policy';
  if (isLabelled)
    return `${change}, and label the pods of clients and servers: all of them are replaced by ones with a sidecar; calls that a pod has not finished when it is stopped are lost`;
  return status.service.proxies.includes('istio-proxy')
    ? `${change}; sidecars that run may close the connections that they have open to this port`
    : change;
}

const waypointResource = `gateway.gateway.networking.k8s.io/${waypointName}`;

function pastWaypoint(place: Place): Step[] {
  return [
    step(
      'the Service past the waypoint again',
      kubectl(place.at, ['label', 'service', place.name], ['istio.io/use-waypoint-']),
    ),
    ...restartClients(place, 'connections that are open go on through the waypoint until then'),
    step('when no other Service uses it', kubectl(place.at, ['delete', waypointResource])),
  ];
}

const throughProxy = 'only new connections go through the proxy';

function injectLinkerd(context: FixContext): Step[] {
  const apply = applyCommand(context, 'l7-proxy');
  return context.place.clients.length === 0
    ? [step('annotate the pods of the clients by hand: they are replaced by ones with a proxy')]
    : [step('annotate the clients: all their pods are replaced by ones with a proxy', apply)];
}

/** Every client that was seen has the proxy. */
function reachesAll({ status }: SkewReport, proxy: string): boolean {
  return status.service.proxies.includes(proxy) && !status.causes.some((cause) => cause.id === 'client-outside-mesh');
}

const nothing = { code: [], options: [] } as const;

import type { SkewReport } from '../report/schema.ts';
import {
  annotatedPods,
  annotatedService,
  declaredPort,
  gatewayAndRoute,
  gatewayClassPlaceholder,
  gatewayName,
  labelledNamespace,
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
import type { Place } from './place.ts';
import { policyOf, undeclaredPort } from './policy.ts';

/** A proxy that chooses a pod for each call: the change differs from mesh to mesh. */
export function l7Proxy(context: FixContext): FixParts {
  return byMesh[context.mesh](context);
}

const byMesh: Readonly<Record<Mesh, (context: FixContext) => FixParts>> = {
  istio: (context) => (isAmbient(context.report) ? ambient(context) : sidecars(context)),

  /** Sources: linkerd.io/2/features/protocol-detection, …/features/proxy-injection, …/features/load-balancing. */
  linkerd: ({ report, place }) => {
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
        : place.clients.map((client) => annotatedPods(client, { 'linkerd.io/inject': 'enabled' })),
      steps: isThere
        ? [step('see that the port is not opaque'), ...restartClients(place, throughProxy)]
        : injectLinkerd(place),
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
  cilium: ({ place }) => ({
    ...nothing,
    notes: [
      'needs the Helm value loadBalancer.l7.backend=envoy and the kube-proxy replacement; Cilium calls it beta',
      'new connections go through the node’s Envoy; those that are open now stay where they are until the clients reconnect',
    ],
    manifests: [annotatedService(place, { 'service.cilium.io/lb-l7': 'enabled' })],
    steps: [
      step(
        'annotate the Service: its new connections go through Envoy',
        applyCommand(place, 'l7-proxy', ' --mesh cilium'),
      ),
      ...restartClients(place, throughProxy),
    ],
    undo: [
      step(
        'take the annotation off',
        `kubectl annotate service ${place.name} -n ${place.namespace}${place.context} service.cilium.io/lb-l7-`,
      ),
      ...restartClients(place, 'connections that are open go on through Envoy until then'),
    ],
  }),

  /** Source: gateway-api.sigs.k8s.io, GRPCRoute v1: an HTTP listener takes HTTP/2 without TLS, by prior knowledge. */
  gateway: ({ report, place }) => {
    const gateway = `gateway.gateway.networking.k8s.io/${gatewayName(place)}`;
    const route = `grpcroute.gateway.networking.k8s.io/${place.name}`;
    return {
      ...nothing,
      notes: [
        `replace ${gatewayClassPlaceholder} by a class of your cluster (kubectl get gatewayclasses${place.context}); a Gateway that is there already will do, named in parentRefs`,
        'the gateway must send to the pods, not to the virtual address: ask its documentation',
        'the port declares grpc, since gateways detect nothing by themselves; your clients dial the address of the gateway',
      ],
      manifests: [...declaredPort(place, report.status.service), ...gatewayAndRoute(place)],
      steps: [
        stepAbsent(place, [gateway, route]),
        step(
          'create the Gateway and its route',
          applyCommand(place, 'l7-proxy', ' --mesh gateway').replace(
            ' | ',
            ` | sed s/${gatewayClassPlaceholder}/CLASS/ | `,
          ),
        ),
        step(
          'wait for its address',
          `kubectl wait ${gateway} -n ${place.namespace}${place.context} --for=condition=Programmed`,
        ),
        step('one client first to that address, port 80, then the others'),
      ],
      undo: [
        step('clients: the old target again'),
        step(
          'when no client uses it any more',
          `kubectl delete ${gateway} ${route} -n ${place.namespace}${place.context}`,
        ),
        ...undeclaredPort(place, report),
      ],
    };
  },
};

/** Sources: istio.io/latest/docs/ops/configuration/traffic-management/protocol-selection, …/reference/config/networking. */
function sidecars({ report, place }: FixContext): FixParts {
  const isThere = reachesAll(report, 'istio-proxy');
  const namespaces = [...new Set([place.namespace, ...place.clients.map((client) => client.namespace)])].sort();
  const policy = policyOf(report, place, 'LEAST_REQUEST');
  const manifests = [
    ...declaredPort(place, report.status.service),
    ...(isThere ? [] : namespaces.map((name) => labelledNamespace(name, { 'istio-injection': 'enabled' }))),
    ...policy.manifests,
  ];
  return {
    ...nothing,
    notes: [
      'the proxy of the CLIENT chooses the pod: clients without a sidecar are not balanced',
      ...(isThere
        ? []
        : [
            'the label gives every pod of the namespace a sidecar at its next start; to take only some, label their pod templates sidecar.istio.io/inject=true instead; installations by revision take istio.io/rev=REVISION',
          ]),
    ],
    manifests,
    steps: [
      ...policy.before,
      ...(manifests.length === 0
        ? []
        : [step(declaring(report, isThere), applyCommand(place, 'l7-proxy', ' --mesh istio'))]),
      ...policy.steps,
      ...restartClients(place, throughProxy),
    ],
    undo: [
      ...policy.undo,
      ...undeclaredPort(place, report),
      ...(isThere
        ? []
        : [
            step(
              'no sidecars for new pods any more; leave out a namespace that had the label before',
              `kubectl label namespace ${namespaces.join(' ')} istio-injection-${place.context}`,
            ),
            ...restartClients(place, 'they keep their sidecars until then, as all pods do that were started since'),
          ]),
    ],
  };
}

/** Source: istio.io/latest/docs/ambient/usage/waypoint. */
function ambient({ report, place }: FixContext): FixParts {
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
              applyCommand(place, 'l7-proxy', ' --mesh istio'),
            ),
          ]),
      ...policy.steps,
      ...restartClients(place, 'only new connections go through the waypoint'),
    ],
    undo: [...(isThere ? [] : pastWaypoint(place)), ...policy.undo, ...undeclaredPort(place, report)],
  };
}

function declaring({ status }: SkewReport, isThere: boolean): string {
  const change = `declare the protocol and the policy${isThere ? '' : ', and label for sidecars: no pod is restarted yet'}`;
  return status.service.proxies.includes('istio-proxy')
    ? `${change}; sidecars that run may close the connections that they have open to this port`
    : change;
}

const waypointResource = `gateway.gateway.networking.k8s.io/${waypointName}`;

function pastWaypoint(place: Place): Step[] {
  return [
    step(
      'the Service past the waypoint again',
      `kubectl label service ${place.name} -n ${place.namespace}${place.context} istio.io/use-waypoint-`,
    ),
    ...restartClients(place, 'connections that are open go on through the waypoint until then'),
    step('when no other Service uses it', `kubectl delete ${waypointResource} -n ${place.namespace}${place.context}`),
  ];
}

const throughProxy = 'only new connections go through the proxy';

function injectLinkerd(place: Place): Step[] {
  const apply = applyCommand(place, 'l7-proxy', ' --mesh linkerd');
  return place.clients.length === 0
    ? [step('annotate the pods of the clients by hand: they are replaced by ones with a proxy')]
    : [step('annotate the clients: all their pods are replaced by ones with a proxy', apply)];
}

/** Every client that was seen has the proxy. */
function reachesAll({ status }: SkewReport, proxy: string): boolean {
  return status.service.proxies.includes(proxy) && !status.causes.some((cause) => cause.id === 'client-outside-mesh');
}

const nothing = { code: [], options: [] } as const;

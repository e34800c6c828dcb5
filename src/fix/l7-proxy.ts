import {
  annotatedPods,
  annotatedService,
  declaredPort,
  destinationRule,
  gatewayAndRoute,
  gatewayClassPlaceholder,
  labelledNamespace,
} from './manifests.ts';
import type { Mesh } from './meshes.ts';
import { applyCommand, type FixContext, type FixParts, step } from './parts.ts';
import { suffixed } from './place.ts';

/** A proxy that chooses a pod for each call: the change differs from mesh to mesh. */
export function l7Proxy(context: FixContext): FixParts {
  return byMesh[context.mesh](context);
}

const byMesh: Readonly<Record<Mesh, (context: FixContext) => FixParts>> = {
  /** Sources: istio.io/latest/docs/ops/configuration/traffic-management/protocol-selection, …/reference/config/networking. */
  istio: ({ report, place }) => {
    const isThere = report.status.service.proxies.includes('istio-proxy');
    const namespaces = [...new Set([place.namespace, ...place.clients.map((client) => client.namespace)])].sort();
    return {
      ...nothing,
      notes: [
        'the proxy of the CLIENT chooses the pod: clients without a sidecar are not balanced',
        ...(isThere
          ? []
          : [
              'the label gives every pod of the namespace a sidecar at its next start; to take only some, label their pod templates sidecar.istio.io/inject=true instead; installations by revision take istio.io/rev=REVISION',
            ]),
        'in ambient mode ztunnel is layer 4: a waypoint is needed instead of sidecars: istioctl waypoint apply -n NAMESPACE --enroll-namespace',
        'a DestinationRule for this host may be there already: keep one, and put the policy into it',
      ],
      manifests: [
        ...declaredPort(place, report.status.service),
        ...(isThere ? [] : namespaces.map((name) => labelledNamespace(name, { 'istio-injection': 'enabled' }))),
        destinationRule(place, 'LEAST_REQUEST'),
      ],
      steps: [
        step('declare the protocol and the policy', applyCommand(place, 'l7-proxy', ' --mesh istio')),
        ...restartClients(place, isThere ? 'they open new connections, each call is balanced' : undefined),
      ],
      undo: [
        step(
          'the policy away',
          `kubectl delete destinationrule.networking.istio.io ${place.name} -n ${place.namespace}${place.context}`,
        ),
        ...(isThere
          ? []
          : [
              step(
                'no sidecars for new pods any more',
                `kubectl label namespace ${namespaces.join(' ')} istio-injection-${place.context}`,
              ),
            ]),
      ],
    };
  },

  /** Sources: linkerd.io/2/features/protocol-detection, …/features/proxy-injection, …/features/load-balancing. */
  linkerd: ({ report, place }) => {
    const isThere = report.status.service.proxies.includes('linkerd-proxy');
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
        ? [step('see that the port is not opaque, then restart the clients'), ...restartClients(place)]
        : [
            step(
              'annotate the clients: their new pods have a proxy',
              applyCommand(place, 'l7-proxy', ' --mesh linkerd'),
            ),
          ],
      undo: isThere
        ? []
        : place.clients.map((client) =>
            step(
              `take the annotation off ${client.resource} ${client.name}`,
              `kubectl patch ${client.resource} ${client.name} -n ${client.namespace}${place.context} --type=merge -p '{"spec":{"template":{"metadata":{"annotations":{"linkerd.io/inject":null}}}}}'`,
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
    steps: [step('annotate the Service', applyCommand(place, 'l7-proxy', ' --mesh cilium')), ...restartClients(place)],
    undo: [
      step(
        'take the annotation off',
        `kubectl annotate service ${place.name} -n ${place.namespace}${place.context} service.cilium.io/lb-l7-`,
      ),
    ],
  }),

  /** Source: gateway-api.sigs.k8s.io, GRPCRoute v1: an HTTP listener takes HTTP/2 without TLS, by prior knowledge. */
  gateway: ({ report, place }) => {
    const gateway = suffixed(place.name, '-grpc');
    return {
      ...nothing,
      notes: [
        `replace ${gatewayClassPlaceholder} by a class of your cluster (kubectl get gatewayclasses${place.context}); a Gateway that is there already will do, named in parentRefs`,
        'the gateway must send to the pods, not to the virtual address: ask its documentation',
        'the port declares grpc, since gateways detect nothing by themselves; your clients dial the address of the gateway',
      ],
      manifests: [...declaredPort(place, report.status.service), ...gatewayAndRoute(place)],
      steps: [
        step(
          'create the Gateway and its route',
          applyCommand(place, 'l7-proxy', ' --mesh gateway').replace(
            ' | ',
            ` | sed s/${gatewayClassPlaceholder}/CLASS/ | `,
          ),
        ),
        step(
          'wait for its address',
          `kubectl wait gateway ${gateway} -n ${place.namespace}${place.context} --for=condition=Programmed`,
        ),
        step('one client first to that address, port 80, then the others'),
      ],
      undo: [
        step('clients: the old target again'),
        step(
          'when no client uses it any more',
          `kubectl delete gateway/${gateway} grpcroute/${place.name} -n ${place.namespace}${place.context}`,
        ),
      ],
    };
  },
};

const nothing = { code: [], options: [] } as const;

/** Connections that are open now stay as they are: only new ones go through the proxy. */
function restartClients(place: FixContext['place'], why = 'only new connections go through the proxy') {
  return place.clients.map((client) =>
    step(
      `restart the clients: ${why}`,
      `kubectl rollout restart ${client.resource}/${client.name} -n ${client.namespace}${place.context}`,
    ),
  );
}

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
  isAmbient,
  patchCommand,
  restartClients,
  type Step,
  type StrategyFix,
  step,
  stepAbsent,
} from './parts.ts';
import { policyOf, undeclaredPort } from './policy.ts';
import type { FixSubject, FixWorkload } from './subject.ts';

/** A proxy that chooses a pod for each call: the change differs from mesh to mesh. */
export function l7ProxyFix(context: FixContext): StrategyFix {
  return byMesh[context.mesh](context);
}

const byMesh: Readonly<Record<Mesh, (context: FixContext) => StrategyFix>> = {
  istio: (context) => (isAmbient(context.report) ? ambient(context) : sidecars(context)),

  /** Sources: linkerd.io/2/features/protocol-detection, …/features/proxy-injection, …/features/load-balancing. */
  linkerd: (context) => {
    const { report, subject } = context;
    const isThere = reachesAll(report, 'linkerd-proxy');
    return {
      ...nothing,
      notes: [
        'the proxy of the CLIENT chooses the pod; Linkerd finds HTTP/2 by itself, as long as the clients do no TLS of their own',
        `port ${subject.servicePort} must not be opaque: not in config.linkerd.io/opaque-ports of the Service, its pods or its namespace, and no appProtocol linkerd.io/opaque`,
        ...(subject.clients.length === 0 && !isThere
          ? ['no client workload is known: annotate the pods of the clients with linkerd.io/inject: enabled']
          : []),
      ],
      manifests: isThere
        ? []
        : subject.clients.map((client) => changedPods(client, { annotations: { 'linkerd.io/inject': 'enabled' } })),
      steps: isThere
        ? [step('see that the port is not opaque'), ...restartClients(subject, throughProxy)]
        : injectLinkerd(context),
      undo: isThere
        ? []
        : subject.clients.map((client) =>
            step(
              `take the annotation off ${client.resource} ${client.name}: its pods are replaced by ones without a proxy`,
              patchCommand(subject, client, 'merge', {
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
    manifests: [annotatedService(context.subject, { 'service.cilium.io/lb-l7': 'enabled' })],
    steps: [
      step('annotate the Service: its new connections go through Envoy', applyCommand(context, 'l7-proxy')),
      ...restartClients(context.subject, throughProxy),
    ],
    undo: [
      step(
        'take the annotation off',
        kubectl(context.subject.at, ['annotate', 'service', context.subject.name], ['service.cilium.io/lb-l7-']),
      ),
      ...restartClients(context.subject, 'connections that are open go on through Envoy until then'),
    ],
  }),

  /** Source: gateway-api.sigs.k8s.io, GRPCRoute v1: an HTTP listener takes HTTP/2 without TLS, by prior knowledge. */
  gateway: (context) => {
    const { report, subject } = context;
    const gateway = `gateway.gateway.networking.k8s.io/${gatewayName(subject)}`;
    const route = `grpcroute.gateway.networking.k8s.io/${subject.name}`;
    return {
      ...nothing,
      notes: [
        `replace ${gatewayClassPlaceholder} by a class of your cluster; a Gateway that is there already will do, named in parentRefs`,
        'the gateway must send to the pods, not to the virtual address: ask its documentation',
        'the port declares grpc, since gateways detect nothing by themselves; your clients dial the address of the gateway',
      ],
      manifests: [...declaredPort(subject, report.status.service), ...gatewayAndRoute(subject)],
      steps: [
        step(
          'see which classes of gateways there are',
          kubectl({ ...subject.at, namespace: null }, ['get', 'gatewayclasses']),
        ),
        stepAbsent(subject, [gateway, route]),
        step(
          'create the Gateway and its route',
          applyCommand(context, 'l7-proxy', ['sed', `s/${gatewayClassPlaceholder}/CLASS/`]),
        ),
        step('wait for its address', kubectl(subject.at, ['wait', gateway], ['--for=condition=Programmed'])),
        step('one client first to that address, port 80, then the others'),
      ],
      undo: [
        step('clients: the old target again'),
        step('when no client uses it any more', kubectl(subject.at, ['delete', gateway, route])),
        ...undeclaredPort(subject, report),
      ],
    };
  },
};

/**
 * Sources: istio.io/latest/docs/ops/configuration/traffic-management/protocol-selection, …/reference/config/networking,
 * …/setup/additional-setup/sidecar-injection: the label of a pod counts in a namespace that has none.
 */
function sidecars(context: FixContext): StrategyFix {
  const { report, subject } = context;
  const isThere = reachesAll(report, 'istio-proxy');
  const labelled = isThere ? [] : withoutSidecar(context);
  const isUnknown = !isThere && subject.clients.length === 0;
  const policy = policyOf(report, subject, 'LEAST_REQUEST');
  const manifests = [
    ...declaredPort(subject, report.status.service),
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
      ...(isThere ? restartClients(subject, throughProxy) : []),
      ...(isUnknown ? [step('label the pods of the clients by hand: they are replaced by ones with a sidecar')] : []),
    ],
    undo: [
      ...policy.undo,
      ...undeclaredPort(subject, report),
      ...labelled.map((workload) =>
        step(
          `take the label off ${workload.resource} ${workload.name}, unless it was there before: its pods are replaced by ones without a sidecar`,
          patchCommand(subject, workload, 'merge', {
            spec: { template: { metadata: { labels: { [injection]: null } } } },
          }),
        ),
      ),
    ],
  };
}

const injection = 'sidecar.istio.io/inject';

/** The clients, and the pods of the Service unless they have a sidecar; each workload once. */
function withoutSidecar({ report, subject }: FixContext): readonly FixWorkload[] {
  const servers = report.status.service.proxies.includes('istio-proxy') ? [] : subject.servers;
  const key = ({ namespace, resource, name }: FixWorkload) => `${namespace}/${resource}/${name}`;
  return [...new Map([...subject.clients, ...servers].map((workload) => [key(workload), workload])).values()];
}

/** Source: istio.io/latest/docs/ambient/usage/waypoint. */
function ambient(context: FixContext): StrategyFix {
  const { report, subject } = context;
  const isThere = report.status.path.hops.some((hop) => hop.kind === 'waypoint');
  const policy = policyOf(report, subject, 'LEAST_REQUEST');
  const manifests = [
    ...(isThere ? [] : [waypoint(subject)]),
    ...declaredPort(subject, report.status.service, isThere ? null : { 'istio.io/use-waypoint': waypointName }),
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
      ...(isThere ? [] : [stepAbsent(subject, [waypointResource])]),
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
      ...restartClients(subject, 'only new connections go through the waypoint'),
    ],
    undo: [...(isThere ? [] : pastWaypoint(subject)), ...policy.undo, ...undeclaredPort(subject, report)],
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

function pastWaypoint(subject: FixSubject): Step[] {
  return [
    step(
      'the Service past the waypoint again',
      kubectl(subject.at, ['label', 'service', subject.name], ['istio.io/use-waypoint-']),
    ),
    ...restartClients(subject, 'connections that are open go on through the waypoint until then'),
    step('when no other Service uses it', kubectl(subject.at, ['delete', waypointResource])),
  ];
}

const throughProxy = 'only new connections go through the proxy';

function injectLinkerd(context: FixContext): Step[] {
  const apply = applyCommand(context, 'l7-proxy');
  return context.subject.clients.length === 0
    ? [step('annotate the pods of the clients by hand: they are replaced by ones with a proxy')]
    : [step('annotate the clients: all their pods are replaced by ones with a proxy', apply)];
}

/** Every client that was seen has the proxy. */
function reachesAll({ status }: SkewReport, proxy: string): boolean {
  return status.service.proxies.includes(proxy) && !status.causes.some((cause) => cause.id === 'client-outside-mesh');
}

const nothing = { code: [], options: [] } as const;

import { grpcPort, metricsPort } from '../addresses.ts';
import type { Cluster, LabPod, LabWorkload } from '../cluster.ts';
import { podsOf, portsOf } from '../cluster.ts';
import type { Scenario } from '../scenarios.ts';
import type { ProbePlan, Readiness } from '../traffic/kubelet.ts';
import { type KubeObject, ownerReference, timestamp } from './meta.ts';

/** What kubelet makes of a pod. */
export type ReadinessOf = (pod: LabPod) => Readiness;

/** The pods of a workload as the API shows them. */
export function podObjects(cluster: Cluster, workload: LabWorkload, readinessOf: ReadinessOf): readonly KubeObject[] {
  return podsOf(workload).map((pod) => podObject(cluster, workload, pod, readinessOf(pod)));
}

function podObject(cluster: Cluster, workload: LabWorkload, pod: LabPod, readiness: Readiness): KubeObject {
  const template = podTemplate(cluster, workload);
  return {
    metadata: {
      name: pod.name,
      generateName: `${workload.name}-${workload.hash}-`,
      namespace: cluster.namespace,
      uid: pod.uid,
      resourceVersion: String(pod.resourceVersion),
      generation: 1,
      creationTimestamp: timestamp(pod.createdAt),
      labels: podLabels(workload, pod),
      ...(template.annotations ? { annotations: template.annotations } : {}),
      // A ReplicaSet lets a pod go whose labels its selector does not match.
      ...(pod.hasLeft
        ? {}
        : {
            ownerReferences: ownerReference(
              'apps/v1',
              'ReplicaSet',
              `${workload.name}-${workload.hash}`,
              workload.replicaSetUid,
            ),
          }),
    },
    spec: {
      ...template.spec,
      serviceAccountName: 'default',
      serviceAccount: 'default',
      nodeName: pod.node.name,
      tolerations: ['not-ready', 'unreachable'].map((condition) => ({
        key: `node.kubernetes.io/${condition}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: podStatus(workload, pod, readiness, template.spec.initContainers !== undefined),
  };
}

/** What a pod is labelled with, the zone of its node included (as the API server adds it since 1.35). */
export function podLabels(workload: LabWorkload, pod: LabPod): Readonly<Record<string, string>> {
  return {
    ...(pod.hasLeft ? { app: `${workload.name}-debug` } : selectorLabels(workload)),
    ...workload.labels,
    ...(pod.version === undefined ? {} : { version: pod.version }),
    'pod-template-hash': workload.hash,
    'topology.kubernetes.io/zone': pod.node.zone,
  };
}

export function selectorLabels(workload: LabWorkload): Readonly<Record<string, string>> {
  return workload.role === 'server' ? { app: workload.name, variant: workload.name } : { app: workload.name };
}

const resources = { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '10m', memory: '48Mi' } };

/** The pod template of a workload, as its Deployment and ReplicaSet hold it. */
export function podTemplate({ scenario }: Cluster, workload: LabWorkload) {
  const isServer = workload.role === 'server';
  const hasSidecar = scenario.sidecars === 'both' || (scenario.sidecars === 'servers' && isServer);
  const annotations = {
    ...(isServer && {
      'prometheus.io/path': '/metrics',
      'prometheus.io/port': String(metricsPort),
      'prometheus.io/scrape': 'true',
    }),
    ...(hasSidecar && { 'sidecar.istio.io/interceptionMode': 'TPROXY' }),
  };
  return {
    annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
    spec: {
      ...(hasSidecar && { initContainers: [istioProxy] }),
      containers: [
        {
          name: workload.role,
          image: workload.image,
          ...(isServer ? { ports: containerPorts(scenario) } : { command: ['node', 'client.js'] }),
          env: [...(isServer ? [podNameVariable] : []), ...environment(workload)],
          resources,
          ...(isServer ? probesOf(scenario) : {}),
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'Never',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: isServer ? 5 : 2,
      dnsPolicy: 'ClusterFirst',
      automountServiceAccountToken: false,
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
  };
}

/** The proxy as Istio injects it since it knows native sidecars. */
const istioProxy = {
  name: 'istio-proxy',
  image: 'lab.local/istio/proxyv2:1.29.2',
  args: ['proxy', 'sidecar'],
  restartPolicy: 'Always',
  ports: [{ name: 'http-envoy-prom', containerPort: 15090, protocol: 'TCP' }],
  resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
};

function containerPorts(scenario: Scenario) {
  return [
    ...portsOf(scenario).map(({ name, port }) => ({ name, containerPort: port, protocol: 'TCP' })),
    { name: 'metrics', containerPort: metricsPort, protocol: 'TCP' },
  ];
}

/** What kubelet asks. Where it would fail for good there is no liveness probe: that would restart the pods. */
function probesOf(scenario: Scenario) {
  const plan = probePlan(scenario);
  return {
    ...(plan.liveness && { livenessProbe: probe(10, 10) }),
    readinessProbe: { ...probe(2, 5), grpc: { port: grpcPort, service: plan.service } },
  };
}

/** The readiness probe of a scenario, and whether there is one of liveness beside it. */
export function probePlan({ probes, firstPod }: Scenario): ProbePlan {
  const failsForGood = probes === 'tls-only' || probes === 'flapping' || firstPod === 'not-ready';
  return {
    service: probes === 'unknown-service' ? 'shop.Checkout' : '',
    liveness: !failsForGood,
    hasPast: probes !== undefined || firstPod === 'not-ready',
  };
}

const podNameVariable = { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } };

function environment(workload: LabWorkload) {
  return Object.entries(workload.env).map(([name, value]) => ({ name, value }));
}

function probe(initialDelaySeconds: number, periodSeconds: number) {
  return {
    grpc: { port: grpcPort, service: '' },
    initialDelaySeconds,
    timeoutSeconds: 1,
    periodSeconds,
    successThreshold: 1,
    failureThreshold: 3,
  };
}

function podStatus(workload: LabWorkload, pod: LabPod, { ready, since }: Readiness, hasSidecar: boolean) {
  const condition = (type: string, at: number, holds = true) => ({
    type,
    observedGeneration: 1,
    status: holds ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: timestamp(at),
    ...(holds ? {} : { reason: 'ContainersNotReady', message: `containers with unready status: [${pod.container}]` }),
  });
  const status = (name: string, image: string, isReady: boolean) => ({
    name,
    state: { running: { startedAt: timestamp(pod.startedAt) } },
    lastState: {},
    ready: isReady,
    restartCount: 0,
    image,
    imageID: `sha256:${workload.uid.replaceAll('-', '').repeat(2)}`,
    containerID: pod.containerId,
    started: true,
    allocatedResources: resources.requests,
    resources,
    user: { linux: { uid: 0, gid: 0, supplementalGroups: [0] } },
  });
  return {
    observedGeneration: 1,
    phase: 'Running',
    conditions: [
      condition('PodReadyToStartContainers', pod.startedAt),
      condition('Initialized', pod.createdAt),
      condition('Ready', since, ready),
      condition('ContainersReady', since, ready),
      condition('PodScheduled', pod.createdAt),
    ],
    hostIP: pod.node.internalIp,
    hostIPs: [{ ip: pod.node.internalIp }],
    podIP: pod.ip,
    podIPs: [{ ip: pod.ip }],
    startTime: timestamp(pod.createdAt),
    ...(hasSidecar && { initContainerStatuses: [status(istioProxy.name, istioProxy.image, true)] }),
    containerStatuses: [status(pod.container, workload.image, ready)],
    qosClass: 'Burstable',
    allocatedResources: resources.requests,
    resources,
  };
}

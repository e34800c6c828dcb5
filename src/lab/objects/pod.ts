import { grpcPort, metricsPort } from '../addresses.ts';
import type { Cluster, LabPod, Workload } from '../cluster.ts';
import { podsOf } from '../cluster.ts';
import { type KubeObject, ownerReference, time } from './meta.ts';

/** The pods of a workload as the API shows them. */
export function podObjects(cluster: Cluster, workload: Workload): readonly KubeObject[] {
  return podsOf(workload).map((pod) => podObject(cluster, workload, pod));
}

function podObject(cluster: Cluster, workload: Workload, pod: LabPod): KubeObject {
  const template = podTemplate(workload);
  return {
    metadata: {
      name: pod.name,
      generateName: `${workload.name}-${workload.hash}-`,
      namespace: cluster.namespace,
      uid: pod.uid,
      resourceVersion: String(pod.resourceVersion),
      generation: 1,
      creationTimestamp: time(pod.createdAt),
      labels: podLabels(workload, pod),
      ...(template.annotations ? { annotations: template.annotations } : {}),
      ownerReferences: ownerReference(
        'apps/v1',
        'ReplicaSet',
        `${workload.name}-${workload.hash}`,
        workload.replicaSetUid,
      ),
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
    status: podStatus(workload, pod),
  };
}

/** What a pod is labelled with, the zone of its node included (as the API server adds it since 1.35). */
export function podLabels(workload: Workload, pod: LabPod): Readonly<Record<string, string>> {
  return {
    ...selectorLabels(workload),
    'pod-template-hash': workload.hash,
    'topology.kubernetes.io/zone': pod.node.zone,
  };
}

export function selectorLabels(workload: Workload): Readonly<Record<string, string>> {
  return workload.role === 'server' ? { app: workload.name, variant: workload.name } : { app: workload.name };
}

const resources = { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '10m', memory: '48Mi' } };

/** The pod template of a workload, as its Deployment and ReplicaSet hold it. */
export function podTemplate(workload: Workload) {
  const isServer = workload.role === 'server';
  return {
    annotations: isServer
      ? {
          'prometheus.io/path': '/metrics',
          'prometheus.io/port': String(metricsPort),
          'prometheus.io/scrape': 'true',
        }
      : undefined,
    spec: {
      containers: [
        {
          name: workload.role,
          image: workload.image,
          ...(isServer ? { ports: containerPorts } : { command: ['node', 'client.js'] }),
          env: [...(isServer ? [podNameVariable] : []), ...environment(workload)],
          resources,
          ...(isServer ? { livenessProbe: probe(10, 10), readinessProbe: probe(2, 5) } : {}),
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

const containerPorts = [
  { name: 'grpc', containerPort: grpcPort, protocol: 'TCP' },
  { name: 'metrics', containerPort: metricsPort, protocol: 'TCP' },
];

const podNameVariable = { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } };

function environment(workload: Workload) {
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

function podStatus(workload: Workload, pod: LabPod) {
  const condition = (type: string, at: number) => ({
    type,
    observedGeneration: 1,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: time(at),
  });
  return {
    observedGeneration: 1,
    phase: 'Running',
    conditions: [
      condition('PodReadyToStartContainers', pod.startedAt),
      condition('Initialized', pod.createdAt),
      condition('Ready', pod.readyAt),
      condition('ContainersReady', pod.readyAt),
      condition('PodScheduled', pod.createdAt),
    ],
    hostIP: pod.node.internalIp,
    hostIPs: [{ ip: pod.node.internalIp }],
    podIP: pod.ip,
    podIPs: [{ ip: pod.ip }],
    startTime: time(pod.createdAt),
    containerStatuses: [
      {
        name: pod.container,
        state: { running: { startedAt: time(pod.startedAt) } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: workload.image,
        imageID: `sha256:${workload.uid.replaceAll('-', '').repeat(2)}`,
        containerID: pod.containerId,
        started: true,
        allocatedResources: resources.requests,
        resources,
        user: { linux: { uid: 0, gid: 0, supplementalGroups: [0] } },
      },
    ],
    qosClass: 'Burstable',
    allocatedResources: resources.requests,
    resources,
  };
}

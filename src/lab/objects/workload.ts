import { type Cluster, type LabPod, type LabWorkload, lastReadyAt, podsOf } from '../cluster.ts';
import { type KubeObject, ownerReference, timestamp } from './meta.ts';
import { podTemplate, type ReadinessOf, selectorLabels } from './pod.ts';

export function deploymentObject(cluster: Cluster, workload: LabWorkload, readinessOf: ReadinessOf): KubeObject {
  const pods = ownPods(workload);
  const replicas = pods.length;
  const readyReplicas = pods.filter((pod) => readinessOf(pod).ready).length;
  const [first] = workload.generations;
  const firstReadyAt = (first?.pods ?? []).reduce((last, pod) => Math.max(last, pod.readyAt), Number.NEGATIVE_INFINITY);
  const createdAt = first?.createdAt ?? 0;
  const { annotations, spec } = podTemplate(cluster, workload);
  const labels = { ...selectorLabels(workload), ...workload.labels };
  const observedGeneration = workload.generations.length;
  return {
    metadata: {
      name: workload.name,
      namespace: cluster.namespace,
      uid: workload.uid,
      resourceVersion: String(workload.resourceVersion),
      generation: observedGeneration,
      creationTimestamp: timestamp(createdAt),
      labels,
      annotations: { 'deployment.kubernetes.io/revision': '1' },
    },
    spec: {
      replicas,
      selector: { matchLabels: selectorLabels(workload) },
      template: { metadata: { labels, ...(annotations ? { annotations } : {}) }, spec },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
    status: {
      observedGeneration,
      replicas,
      updatedReplicas: replicas,
      readyReplicas,
      availableReplicas: readyReplicas,
      terminatingReplicas: 0,
      conditions: [
        {
          type: 'Progressing',
          status: 'True',
          lastUpdateTime: timestamp(firstReadyAt),
          lastTransitionTime: timestamp(createdAt),
          reason: 'NewReplicaSetAvailable',
          message: `ReplicaSet "${workload.name}-${workload.hash}" has successfully progressed.`,
        },
        {
          type: 'Available',
          status: 'True',
          lastUpdateTime: timestamp(lastReadyAt(workload)),
          lastTransitionTime: timestamp(lastReadyAt(workload)),
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        },
      ],
    },
  };
}

export function replicaSetObject(cluster: Cluster, workload: LabWorkload, readinessOf: ReadinessOf): KubeObject {
  const pods = ownPods(workload);
  const replicas = pods.length;
  const readyReplicas = pods.filter((pod) => readinessOf(pod).ready).length;
  const { annotations, spec } = podTemplate(cluster, workload);
  const labels = { ...selectorLabels(workload), ...workload.labels, 'pod-template-hash': workload.hash };
  return {
    metadata: {
      name: `${workload.name}-${workload.hash}`,
      namespace: cluster.namespace,
      uid: workload.replicaSetUid,
      resourceVersion: String(workload.resourceVersion - 1),
      generation: workload.generations.length,
      creationTimestamp: timestamp(workload.generations[0]?.createdAt ?? 0),
      labels,
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(replicas),
        'deployment.kubernetes.io/max-replicas': String(replicas + Math.ceil(replicas / 4)),
        'deployment.kubernetes.io/revision': '1',
      },
      ownerReferences: ownerReference('apps/v1', 'Deployment', workload.name, workload.uid),
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...(annotations ? { annotations } : {}) }, spec },
    },
    status: {
      replicas,
      fullyLabeledReplicas: replicas,
      readyReplicas,
      availableReplicas: readyReplicas,
      terminatingReplicas: 0,
      observedGeneration: workload.generations.length,
    },
  };
}

/** The pods that its selector matches. */
function ownPods(workload: LabWorkload): readonly LabPod[] {
  return podsOf(workload).filter((pod) => !pod.hasLeft);
}

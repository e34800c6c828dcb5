import { type Cluster, type LabService, lastReadyAt, podsOf, portsOf } from '../cluster.ts';
import { type KubeObject, ownerReference, timestamp } from './meta.ts';
import type { ReadinessOf } from './pod.ts';

export function serviceObject(cluster: Cluster, service: LabService): KubeObject {
  const { server, scenario } = cluster;
  const clusterIP = service.clusterIp ?? 'None';
  return {
    metadata: {
      name: service.name,
      namespace: cluster.namespace,
      uid: service.uid,
      resourceVersion: String(service.resourceVersion),
      creationTimestamp: timestamp(service.createdAt),
      labels: { app: server.name },
    },
    spec: {
      ports: portsOf(scenario).map(({ name, port }) => ({ name, protocol: 'TCP', port, targetPort: port })),
      selector: { app: server.name },
      clusterIP,
      clusterIPs: [clusterIP],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

/** A Service's one slice: the lab has fewer pods than the hundred that a slice holds. */
export function endpointSliceObject(cluster: Cluster, service: LabService, readinessOf: ReadinessOf): KubeObject {
  const { server, scenario } = cluster;
  const pods = podsOf(server).filter((pod) => !pod.hasLeft);
  return {
    metadata: {
      name: service.sliceName,
      generateName: `${service.name}-`,
      namespace: cluster.namespace,
      uid: service.sliceUid,
      resourceVersion: String(server.resourceVersion),
      generation: podsOf(server).length + 1,
      creationTimestamp: timestamp(service.createdAt),
      labels: {
        app: server.name,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': service.name,
        ...(service.clusterIp === null ? { 'service.kubernetes.io/headless': '' } : {}),
      },
      annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': timestamp(lastReadyAt(server)) },
      ownerReferences: ownerReference('v1', 'Service', service.name, service.uid),
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => {
      const { ready } = readinessOf(pod);
      return {
        addresses: [pod.ip],
        conditions: { ready, serving: ready, terminating: false },
        targetRef: { kind: 'Pod', namespace: cluster.namespace, name: pod.name, uid: pod.uid },
        nodeName: pod.node.name,
        zone: pod.node.zone,
      };
    }),
    ports: portsOf(scenario).map(({ name, port }) => ({ name, protocol: 'TCP', port })),
  };
}

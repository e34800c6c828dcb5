import { grpcPort } from '../addresses.ts';
import { type Cluster, lastReadyAt, podsOf } from '../cluster.ts';
import { type KubeObject, ownerReference, time } from './meta.ts';

export function serviceObject(cluster: Cluster): KubeObject {
  const { service, server } = cluster;
  const clusterIP = service.clusterIp ?? 'None';
  return {
    metadata: {
      name: service.name,
      namespace: cluster.namespace,
      uid: service.uid,
      resourceVersion: String(service.resourceVersion),
      creationTimestamp: time(service.createdAt),
      labels: { app: server.name },
    },
    spec: {
      ports: [{ name: 'grpc', protocol: 'TCP', port: grpcPort, targetPort: grpcPort }],
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

/** The Service's one slice: the lab has fewer pods than the hundred that a slice holds. */
export function endpointSliceObject(cluster: Cluster): KubeObject {
  const { service, server } = cluster;
  return {
    metadata: {
      name: service.sliceName,
      generateName: `${service.name}-`,
      namespace: cluster.namespace,
      uid: service.sliceUid,
      resourceVersion: String(server.resourceVersion),
      generation: podsOf(server).length + 1,
      creationTimestamp: time(service.createdAt),
      labels: {
        app: server.name,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': service.name,
        ...(service.clusterIp === null ? { 'service.kubernetes.io/headless': '' } : {}),
      },
      annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': time(lastReadyAt(server)) },
      ownerReferences: ownerReference('v1', 'Service', service.name, service.uid),
    },
    addressType: 'IPv4',
    endpoints: podsOf(server).map((pod) => ({
      addresses: [pod.ip],
      conditions: { ready: true, serving: true, terminating: false },
      targetRef: { kind: 'Pod', namespace: cluster.namespace, name: pod.name, uid: pod.uid },
      nodeName: pod.node.name,
      zone: pod.node.zone,
    })),
    ports: [{ name: 'grpc', protocol: 'TCP', port: grpcPort }],
  };
}

import type { Cluster } from '../cluster.ts';
import { type KubeObject, timestamp } from './meta.ts';
import { runningStatus } from './system-pods.ts';

/** Where the lab's Prometheus is, as prometheus-operator would have made it. */
export const prometheusNamespace = 'monitoring';
export const prometheusService = 'prometheus-operated';
export const prometheusPort = 9090;

const selector = { 'app.kubernetes.io/name': 'prometheus', 'operator.prometheus.io/name': 'k8s', prometheus: 'k8s' };

/** The headless Service that the operator makes for every Prometheus. */
export function prometheusServiceObject({ nodes: [node] }: Cluster): KubeObject {
  return {
    metadata: {
      name: prometheusService,
      namespace: prometheusNamespace,
      uid: `${node.uid.slice(0, -2)}a1`,
      resourceVersion: String(node.resourceVersion),
      creationTimestamp: timestamp(node.createdAt),
      labels: { 'managed-by': 'prometheus-operator', 'operated-prometheus': 'true' },
    },
    spec: {
      ports: [{ name: 'web', protocol: 'TCP', port: prometheusPort, targetPort: 'web' }],
      selector,
      clusterIP: 'None',
      clusterIPs: ['None'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

/** Its one pod: there to be found, it runs in the process of the lab. */
export function prometheusPodObject({ nodes: [node] }: Cluster): KubeObject {
  const ip = node.bridgeIp.replace(/\.1$/, '.3');
  const since = timestamp(node.createdAt);
  return {
    metadata: {
      name: 'prometheus-k8s-0',
      namespace: prometheusNamespace,
      uid: `${node.uid.slice(0, -2)}a2`,
      resourceVersion: String(node.resourceVersion),
      creationTimestamp: since,
      labels: selector,
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'prometheus-k8s', uid: node.uid, controller: true },
      ],
    },
    spec: {
      nodeName: node.name,
      containers: [
        { name: 'prometheus', image: 'lab.local/prometheus', ports: [{ name: 'web', containerPort: prometheusPort }] },
      ],
    },
    status: runningStatus(node, ip, { name: 'prometheus', image: 'lab.local/prometheus' }),
  };
}

import type { Cluster, LabNode } from '../cluster.ts';
import { type KubeObject, timestamp } from './meta.ts';

export const ciliumNamespace = 'kube-system';
export const istioNamespace = 'istio-system';

/** The pods of Cilium's DaemonSet and of istiod, where the scenario has them. They run in the process of the lab. */
export function systemPods({ nodes, scenario }: Cluster): readonly KubeObject[] {
  return [
    ...(scenario.cilium === true ? nodes.map((node) => ciliumPod(node)) : []),
    ...(scenario.xds === true ? [istiodPod(nodes[0])] : []),
  ];
}

export function ciliumPodName(node: LabNode): string {
  return `cilium-${node.uid.slice(0, 5)}`;
}

function ciliumPod(node: LabNode): KubeObject {
  return systemPod(node, {
    name: ciliumPodName(node),
    namespace: ciliumNamespace,
    labels: { 'k8s-app': 'cilium', 'app.kubernetes.io/name': 'cilium-agent' },
    container: 'cilium-agent',
    hostNetwork: true,
  });
}

export const istiodName = 'istiod-6f9d8c7b5-x2lkq';

function istiodPod(node: LabNode): KubeObject {
  return systemPod(node, {
    name: istiodName,
    namespace: istioNamespace,
    labels: { app: 'istiod', 'istio.io/rev': 'default' },
    container: 'discovery',
    hostNetwork: false,
  });
}

interface Plan {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly container: string;
  readonly hostNetwork: boolean;
}

function systemPod(node: LabNode, { name, namespace, labels, container, hostNetwork }: Plan): KubeObject {
  const ip = hostNetwork ? node.internalIp : node.bridgeIp.replace(/\.1$/, '.4');
  const since = timestamp(node.createdAt);
  return {
    metadata: {
      name,
      namespace,
      uid: `${node.uid.slice(0, -4)}${hostNetwork ? 'c111' : '1571'}`,
      resourceVersion: String(node.resourceVersion),
      creationTimestamp: since,
      labels,
    },
    spec: {
      nodeName: node.name,
      ...(hostNetwork && { hostNetwork }),
      containers: [{ name: container, image: `lab.local/${container}:1` }],
    },
    status: runningStatus(node, ip, { name: container }),
  };
}

/** The status of a pod that was there from the start of its node, and runs in the process of the lab. */
export function runningStatus(
  node: LabNode,
  ip: string,
  container: { readonly name: string; readonly image?: string },
): Readonly<Record<string, unknown>> {
  const since = timestamp(node.createdAt);
  return {
    phase: 'Running',
    hostIP: node.internalIp,
    podIP: ip,
    podIPs: [{ ip }],
    startTime: since,
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }],
    containerStatuses: [{ ...container, ready: true, restartCount: 0, state: { running: { startedAt: since } } }],
  };
}

/** `cilium-dbg status` of an agent that leads nothing through Envoy, as Cilium 1.19 prints it. */
export function ciliumStatus(node: LabNode): string {
  const rows: readonly (readonly [string, string])[] = [
    ['KVStore:', 'Disabled'],
    ['Kubernetes:', 'Ok         1.36 (v1.36.2) [linux/amd64]'],
    ['KubeProxyReplacement:', 'False'],
    ['Cilium:', 'Ok   1.19.5 (v1.19.5)'],
    ['NodeMonitor:', 'Listening for events on 2 CPUs with 64x4096 of shared memory'],
    ['Controller Status:', '26/26 healthy'],
    ['Proxy Status:', `OK, ip ${node.bridgeIp}, 0 redirects active on ports 10000-20000, Envoy: external`],
    ['Hubble:', 'Disabled'],
  ];
  return rows.map(([name, text]) => `${name.padEnd(25)}${text}\n`).join('');
}

/** The part of istiod's metrics page that is about its proxies. */
export function istiodMetrics(proxies: number): string {
  return [
    '# HELP pilot_xds Number of endpoints connected to this pilot using XDS.',
    '# TYPE pilot_xds gauge',
    `pilot_xds{version="1.29.2"} ${proxies}`,
    '# HELP pilot_xds_pushes Pilot build and send errors for lds, rds, cds and eds.',
    '# TYPE pilot_xds_pushes counter',
    'pilot_xds_pushes{type="cds"} 12',
    'pilot_xds_pushes{type="eds"} 164',
    'pilot_xds_pushes{type="lds"} 12',
    'pilot_xds_pushes{type="rds"} 12',
    '',
  ].join('\n');
}

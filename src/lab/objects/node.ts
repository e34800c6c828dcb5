import type { LabNode } from '../cluster.ts';
import { type KubeObject, timestamp } from './meta.ts';

export const kubernetesVersion = 'v1.36.2';

const image = (name: string, sizeBytes: number) => ({ names: [name], sizeBytes });

/** A node as the API shows it; `now` moves the heartbeats. */
export function nodeObject(node: LabNode, now: number): KubeObject {
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastHeartbeatTime: timestamp(now - 20_000),
    lastTransitionTime: timestamp(node.createdAt),
    reason,
    message,
  });
  const size = { cpu: '2', 'ephemeral-storage': '264212084Ki', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' };
  return {
    metadata: {
      name: node.name,
      uid: node.uid,
      resourceVersion: String(node.resourceVersion),
      creationTimestamp: timestamp(node.createdAt),
      labels: { ...nodeLabels(node), 'topology.kubernetes.io/zone': node.zone },
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: {},
    status: {
      capacity: { ...size, memory: '24683656Ki', pods: '200' },
      allocatable: { ...size, 'ephemeral-storage': '265142110657', memory: '24478856Ki', pods: '200' },
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      addresses: [
        { type: 'InternalIP', address: node.internalIp },
        { type: 'Hostname', address: node.name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: node.uid.replaceAll('-', ''),
        systemUUID: node.uid.replaceAll('-', ''),
        bootID: node.uid,
        kernelVersion: '6.18.44',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        containerRuntimeVersion: 'containerd://2.1.9',
        kubeletVersion: kubernetesVersion,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
      images: [image('lab.local/lab/node-ss:1', 79269052), image('lab.local/lab/node-noss:1', 76156431)],
      runtimeHandlers: ['', 'runc'].map((name) => ({
        name,
        features: { recursiveReadOnlyMounts: true, userNamespaces: false },
      })),
      features: { supplementalGroupsPolicy: true },
      declaredFeatures: ['ExtendWebSocketsToKubelet'],
    },
  };
}

export function nodeLabels(node: LabNode): Readonly<Record<string, string>> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': 'linux',
  };
}

export function namespaceObject(name: string, createdAt: number, uid: string, resourceVersion: number): KubeObject {
  return {
    metadata: {
      name,
      uid,
      resourceVersion: String(resourceVersion),
      creationTimestamp: timestamp(createdAt),
      labels: { 'kubernetes.io/metadata.name': name },
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

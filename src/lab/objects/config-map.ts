import { type KubeObject, timestamp } from './meta.ts';

/** The configuration of kube-proxy, as kubeadm keeps it: mode iptables, a pod at random for each connection. */
export function kubeProxyConfig(node: { readonly createdAt: number; readonly resourceVersion: number }): KubeObject {
  const config = ['apiVersion: kubeproxy.config.k8s.io/v1alpha1', 'kind: KubeProxyConfiguration', 'mode: iptables', ''];
  return {
    metadata: {
      name: 'kube-proxy',
      namespace: 'kube-system',
      resourceVersion: String(node.resourceVersion),
      creationTimestamp: timestamp(node.createdAt),
      labels: { app: 'kube-proxy' },
    },
    data: { 'config.conf': config.join('\n') },
  };
}

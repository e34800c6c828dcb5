/**
 * A cloud load balancer with the nodes as its targets: it keeps few connections to each node, kube-proxy pins each of them
 * to a pod, and all clients share them. The peers at the pods are addresses of nodes. Targets by IP let the balancer see
 * the pods themselves.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A load balancer whose targets are nodes',
  source: 'https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/1418',
  mark: 'E',
  plan: {
    service: { type: 'NodePort', externalTrafficPolicy: 'Cluster' },
    pods: pods(4),
    path: { ingresses: [{ name: 'echo', controller: 'alb', grpc: true, virtualAddress: false }] },
    connections: [
      { from: '192.168.0.1', to: 'echo-0', bytesPerSecond: 40_000 },
      { from: '192.168.0.2', to: 'echo-0', bytesPerSecond: 30_000 },
      { from: '192.168.0.2', to: 'echo-2', bytesPerSecond: 8000 },
    ],
  },
  expected: {
    state: 'skewed',
    named: ['lb-source'],
    beside: ['few-connections', 'chance'],
    not: ['hot-client'],
    strategy: ['l7-proxy', 'cluster-ip'],
    warnings: ['clients-behind-nodes'],
    says: [/IP target|target.*\bip\b/i],
  },
};

/**
 * Pods in the network of their node: every one of them shows the sockets of the whole node. What counts is the local port
 * of each endpoint; clients in the host network come from an address of a node, and one that lives and carries bytes is a
 * client and no probe.
 */
import type { PodPlan } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const hostPod = (index: number, node: string, address: string): PodPlan => ({
  name: `echo-${index}`,
  node,
  address,
  port: 50_061 + index,
  pod: { hostNetwork: true },
});
const plans = [hostPod(0, 'n1', '192.168.0.1'), hostPod(1, 'n1', '192.168.0.1'), hostPod(2, 'n2', '192.168.0.2')];
const others = [10_250, 50_061, 50_062, 50_063];

export const publicCase: PublicCase = {
  title: 'Pods in the host network show the whole node',
  source: 'https://github.com/kinvolk/lokomotive/issues/1050',
  mark: 'E',
  plan: {
    pods: plans,
    clients: webClients(4),
    connections: plans.flatMap((pod) => [
      ...[0, 1, 2, 3].map((client) => ({ from: `web-${client}`, to: pod.name })),
      { from: '192.168.0.2', to: pod.name },
      // Sockets of the node that belong to its kubelet and to the other pod there.
      ...others
        .filter((port) => port !== pod.port)
        .map((localPort) => ({ from: '10.9.9.9', to: pod.name, localPort, bytesPerSecond: 400_000 })),
    ]),
  },
  expected: { state: 'balanced', first: null, strategy: 'cluster-ip', action: 'keep', replicas: 3 },
};

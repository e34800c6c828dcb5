/**
 * The same queries a second on every pod, and CPU differs by 15 %: the nodes are of two kinds, of which one is faster.
 * Connections, calls and bytes are even, and 1.07 times the mean is even by the limits: no skew, nothing to balance.
 */
import { healthyNodes, meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The same calls a second, unequal CPU',
  source: 'https://github.com/AliyunContainerService/kubernetes-ops-handbook/issues/8',
  mark: 'E',
  plan: {
    nodes: healthyNodes.map((node) => ({
      ...node,
      instanceType: node.name === 'n1' ? 'ecs.c5.xlarge' : 'ecs.c6.xlarge',
    })),
    pods: [...pods(2, { node: 'n1', cpuMillicores: 460 }), ...pods(2, { node: 'n2', cpuMillicores: 400 }, 2)],
    clients: webClients(4),
    connections: meshed(4, 4),
    calls: [0, 1, 2, 3].map((pod) => ({ pod: `echo-${pod}`, perSecond: 100 })),
  },
  expected: {
    state: ['balanced', 'not-load-balancing'],
    beside: ['unequal-pods'],
    not: ['uneven-work', 'few-connections'],
    strategy: 'cluster-ip',
    action: 'keep',
  },
};

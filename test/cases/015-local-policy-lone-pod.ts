/**
 * A load balancer with externalTrafficPolicy Local, two nodes, three pods: two on one node, one on the other. The balancer
 * gives each node half, so the lone pod gets half and the others a quarter each. That is what the setting promises: each
 * pod has exactly the share to expect, and nothing about gRPC would change it.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

const outside = (count: number, pod: number, first: number) =>
  Array.from({ length: count }, (_, index) => ({ from: `203.0.113.${first + index}`, to: `echo-${pod}` }));

export const publicCase: PublicCase = {
  title: 'externalTrafficPolicy Local: the lone pod of its node gets half',
  source: 'https://github.com/kubernetes/kubernetes/issues/97147',
  mark: 'E',
  plan: {
    service: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    pods: [...pods(1, { node: 'n1' }), ...pods(2, { node: 'n2' }, 1)],
    connections: [...outside(40, 0, 1), ...outside(20, 1, 41), ...outside(20, 2, 61)],
  },
  expected: {
    state: ['balanced', 'not-load-balancing'],
    beside: ['external-traffic-policy-local'],
    not: ['few-connections', 'chance', 'hot-client'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/externalTrafficPolicy/],
  },
};

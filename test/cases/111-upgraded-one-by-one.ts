/**
 * Five members of etcd behind a network load balancer, upgraded one after the other: connections formed anew in that order,
 * so the member that was back first has most, the last one least. (That a leader works more than the others is no matter of
 * balancing.) With 40 connections on five pods an age of connections evens out what the order left.
 */
import { pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

const perMember = [16, 11, 8, 4, 1];
const ages = [3000, 2800, 2600, 2400, 2200];

export const publicCase: PublicCase = {
  title: 'Members upgraded one by one, connections in the order of the upgrade',
  source: 'https://github.com/etcd-io/etcd/issues/18069',
  mark: 'E',
  plan: {
    service: { type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' },
    pods: ages.flatMap((ageSeconds, index) => pods(1, { ageSeconds }, index)),
    connections: perMember.flatMap((count, pod) =>
      Array.from({ length: count }, (_, index) => ({
        from: `172.16.${pod}.${10 + index}`,
        to: `echo-${pod}`,
        ageSeconds: 2100,
      })),
    ),
  },
  expected: {
    state: 'skewed',
    first: 'rolling-restart-order',
    not: ['chance', 'few-connections', 'hot-client'],
    strategy: 'max-connection-age',
    action: 'adopt',
  },
};

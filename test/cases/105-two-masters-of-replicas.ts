/**
 * The manifest says two replicas, the autoscaler at least four. Each sync takes two pods away, each time the autoscaler
 * brings two new ones: pods are young again and again, and new ones idle because the connections are older. The mechanism
 * is that of a scale-up; that the number goes up and down is what has to be told, or the advice mends a symptom.
 */
import { dealt, deploymentOf, pods } from '../diagnose/build.ts';
import { ago } from '../diagnose/build-looks.ts';
import { autoscalerOf, type PublicCase, webClients } from './case.ts';

const scaled = (from: number, to: number, secondsAgo: number) => ({
  kind: 'scaled' as const,
  workload: { kind: 'Deployment', name: 'echo' },
  replicaSet: 'echo-aaa',
  from,
  to,
  times: 3,
  at: ago(secondsAgo),
});

export const publicCase: PublicCase = {
  title: 'The manifest and the autoscaler both set the replicas',
  source: 'https://github.com/uberswe/createmod.com/pull/1097',
  mark: 'E',
  plan: {
    pods: [...pods(2), ...pods(2, { ageSeconds: 400 }, 2)],
    clients: webClients(14),
    connections: dealt([7, 7, 0, 0]),
    deployments: [deploymentOf(4)],
    // The API keeps Events of one text as one, with a count.
    happenings: [scaled(4, 2, 420), scaled(2, 4, 400)],
    also: {
      autoscalers: [autoscalerOf({ minReplicas: 4, targetUtilization: 80, utilization: 40, currentReplicas: 4 })],
    },
  },
  expected: {
    state: 'skewed',
    first: 'new-pods-idle',
    not: ['chance', 'hot-client'],
    strategy: 'max-connection-age',
    warnings: ['scaling-flaps'],
  },
};

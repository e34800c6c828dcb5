/**
 * One pod at 100 %, one at 0 %: the mean of 50 % is below the target, so the autoscaler does nothing. One long-lived
 * connection carries all. More pods would get none of it, and ending that connection now and then would only move the hot
 * spot: the calls themselves have to be spread.
 */
import { pods } from '../diagnose/build.ts';
import { autoscalerOf, type PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The HPA never scales, because the mean is low',
  source: 'https://github.com/cilium/cilium/issues/12551',
  mark: 'R',
  plan: {
    // 100 % and nearly 0 % of the request of 100 millicores.
    pods: [...pods(1, { cpuMillicores: 100, cpuLimitMillicores: 100 }), ...pods(1, { cpuMillicores: 1 }, 1)],
    connections: [{ from: 'web-0', to: 'echo-0', bytesPerSecond: 50_000 }],
    also: { autoscalers: [autoscalerOf({ minReplicas: 2, targetUtilization: 70, utilization: 50 })] },
  },
  expected: {
    state: 'skewed',
    first: 'few-connections',
    beside: ['chance', 'hot-connection', 'long-streams'],
    strategy: ['headless-round-robin', 'l7-proxy'],
    action: 'adopt',
    warnings: ['hpa-blind'],
    says: [/do not scale/, /50 %/, /100 %/],
  },
};

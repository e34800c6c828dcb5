/**
 * Metrics of 69 of 70 pods: the autoscaler stands still because of the one. A pod without metrics is not one that uses
 * nothing: it is left out of the CPU figures, and is not called idle.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'One pod of seventy has no metrics',
  source: 'https://github.com/kubernetes/kubernetes/issues/30471',
  mark: 'E',
  plan: {
    pods: [...pods(69), ...pods(1, { cpuMillicores: null }, 69)],
    clients: webClients(280),
    connections: dealt(Array(70).fill(4)),
  },
  expected: { state: 'balanced', first: null, strategy: 'cluster-ip', action: 'keep', replicas: 70 },
};

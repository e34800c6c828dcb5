/**
 * Five replicas; the rules of kube-proxy read 0.20, 0.25, 0.33, 0.50 and no probability. They are tried in turn, so each
 * is conditional on those before, and every pod gets a fifth. Not a fault: rules are no weights, and nothing of them is said.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The probabilities of the iptables rules look unequal',
  source: 'https://github.com/kubernetes/kubernetes/issues/34321',
  mark: 'E',
  plan: {
    pods: pods(5),
    path: { kubeProxyMode: 'iptables' },
    clients: webClients(50),
    connections: dealt([11, 9, 10, 10, 10]),
  },
  expected: { state: 'balanced', first: null, strategy: 'cluster-ip', action: 'keep' },
};

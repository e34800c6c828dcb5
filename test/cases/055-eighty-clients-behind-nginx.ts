/**
 * Eighty clients outside hold streams of up to an hour through an ingress; one of five pods has 80 % of the connections
 * for hours. Every peer of the pods is a pod of the ingress, so no single client can be told apart: a heavy one is a worker
 * of nginx, each of which balances for itself. Which streams hang on which worker was not shown.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const perPod = [64, 4, 4, 4, 4];

export const publicCase: PublicCase = {
  title: 'Eighty clients behind an ingress, one pod with 80 % of the connections',
  source: 'https://github.com/kubernetes/ingress-nginx/issues/4054',
  mark: 'I',
  plan: {
    pods: pods(5),
    path: {},
    clients: webClients(3, { workload: 'ingress-nginx-controller', namespace: 'ingress-nginx', role: 'gateway' }),
    connections: perPod.flatMap((count, pod) =>
      Array.from({ length: count }, (_, index) => ({ from: `web-${index % 3}`, to: `echo-${pod}` })),
    ),
  },
  expected: {
    state: 'skewed',
    not: ['hot-client', 'few-connections', 'chance'],
    strategy: 'l7-proxy',
    action: ['repair', 'keep'],
    says: [/ingress-nginx-controller/],
    lacks: 'the streams of each worker of nginx',
  },
};

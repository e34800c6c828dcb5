/**
 * A router counted a Terminating pod as ready, because it asked for readiness only. In the slices it is terminating and
 * still serving: no replica to balance over, and not broken either. It may finish what it has.
 */
import { meshed, pods } from '../diagnose/build.ts';
import { ago } from '../diagnose/build-looks.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A Terminating pod is taken for a ready one',
  source: 'https://github.com/vllm-project/production-stack/issues/601',
  mark: 'E',
  plan: {
    pods: [
      ...pods(3),
      ...pods(1, { pod: { deletedAt: ago(-20) }, endpoint: { ready: false, serving: true, terminating: true } }, 3),
    ],
    clients: webClients(4),
    connections: meshed(4, 4),
  },
  expected: {
    state: 'balanced',
    beside: ['unready-but-connected', 'draining'],
    not: ['pods-not-ready', 'few-connections'],
    strategy: 'cluster-ip',
    action: 'keep',
    replicas: 3,
  },
};

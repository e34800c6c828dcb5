/**
 * A headless Service for clients has publishNotReadyAddresses, which the pods need to find each other at the start. Clients
 * then get addresses of pods that refuse them. The slices call those pods ready; the pods themselves do not.
 */
import { headless, meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'publishNotReadyAddresses on a Service for clients',
  source: 'https://github.com/cadence-workflow/cadence-charts/issues/90',
  mark: 'E',
  plan: {
    service: { ...headless, publishNotReadyAddresses: true },
    pods: [
      ...pods(3),
      ...pods(1, { pod: { ready: false }, container: { ready: false }, endpoint: { ready: true, serving: true } }, 3),
    ],
    clients: webClients(3),
    connections: meshed(3, 3),
  },
  expected: {
    state: 'not-load-balancing',
    first: 'pods-not-ready',
    strategy: 'headless-round-robin',
    action: 'keep',
    warnings: ['publishes-not-ready'],
    replicas: 3,
  },
};

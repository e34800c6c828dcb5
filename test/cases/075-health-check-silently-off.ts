/**
 * A pod answers NOT_SERVING and clients go on calling it: client-side health checking was asked for, but the package that
 * does it was not linked in, and newer versions say nothing. The pod is out of DNS; its connections stay. What helps has a
 * requirement that has to be told with it.
 */
import { headless, meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Client health checking is silently off',
  source: 'https://github.com/grpc/grpc-go/issues/8590',
  mark: 'E',
  plan: {
    service: headless,
    pods: [...pods(3), ...pods(1, { pod: { ready: false }, container: { ready: false } }, 3)],
    clients: webClients(3),
    connections: meshed(3, 4),
  },
  expected: {
    state: 'not-load-balancing',
    first: 'unready-but-connected',
    beside: ['pods-not-ready'],
    strategy: 'headless-round-robin',
    action: 'keep',
    says: [/healthCheckConfig/],
    replicas: 3,
  },
};

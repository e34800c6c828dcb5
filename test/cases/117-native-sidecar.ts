/**
 * The proxy stands among the init containers and keeps running (a native sidecar). Who looks at `containers` alone sees no
 * mesh and recommends one that is there. Here it is there at both ends, and works.
 */
import { meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The sidecar is an init container',
  source: 'https://github.com/linkerd/linkerd2-proxy-init/pull/362',
  mark: 'E',
  plan: {
    pods: pods(3, { sidecar: 'linkerd-proxy' }),
    path: {},
    clients: webClients(2, { meshProxies: ['linkerd-proxy'] }),
    connections: meshed(2, 3),
  },
  expected: { state: 'balanced', first: null, strategy: 'l7-proxy', action: 'keep' },
};

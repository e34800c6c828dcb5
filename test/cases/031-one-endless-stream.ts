/**
 * A client in a mesh holds one bidirectional stream. A stream is one request, so one pod has it to its end, and the proxy
 * is right not to move it. No way of balancing helps: the application must end its stream and open another.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A mesh does not balance a bidirectional stream',
  source: 'https://github.com/linkerd/linkerd2/issues/2120',
  mark: 'E',
  plan: {
    pods: pods(3, { sidecar: 'linkerd-proxy' }),
    path: { socketLoadBalancing: 'off' },
    clients: webClients(1, { meshProxies: ['linkerd-proxy'] }),
    connections: [0, 1, 2].map((pod) => ({
      from: 'web-0',
      to: `echo-${pod}`,
      bytesPerSecond: pod === 0 ? 40_000 : 10,
    })),
    calls: [0, 1, 2].map((pod) => ({
      pod: `echo-${pod}`,
      perSecond: 0,
      inFlight: pod === 0 ? 1 : 0,
      messagesPerSecond: pod === 0 ? 100 : 0,
    })),
  },
  expected: {
    state: 'skewed',
    first: 'long-streams',
    beside: ['hot-connection'],
    strategy: 'l7-proxy',
    action: 'keep',
    says: [/stream/],
  },
};

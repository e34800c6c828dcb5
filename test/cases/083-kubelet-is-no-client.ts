/**
 * A server's log shows a "client" from 10.42.4.1 every ten seconds: the bridge of the node, from where kubelet probes. Such
 * a socket lives for a moment and carries next to nothing; it is left out, and how many were is said.
 */
import { headless, meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'The client that connects every ten seconds is the kubelet',
  source: 'https://github.com/grpc/grpc-node/issues/2745',
  mark: 'I',
  plan: {
    service: headless,
    pods: pods(2),
    clients: webClients(3),
    connections: [
      ...meshed(3, 2),
      { from: '10.244.0.1', to: 'echo-0', ageSeconds: 4, bytesPerSecond: 60 },
      { from: '10.244.0.1', to: 'echo-0', ageSeconds: 2, bytesPerSecond: 60, peerPort: 51_000 },
    ],
  },
  expected: { state: 'balanced', first: null, strategy: 'headless-round-robin', action: 'keep' },
};

/**
 * A client in a mesh holds 2,000 connections where some dozens are usual, and the number grows until its proxy dies. Why
 * was not settled. The load of the pods is even: no skew, but so many connections of one client are a finding of their own.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'One client holds thousands of connections',
  source: 'https://github.com/linkerd/linkerd2/issues/13426',
  mark: 'I',
  plan: {
    pods: pods(3, { sidecar: 'linkerd-proxy' }),
    path: {},
    clients: webClients(3, { meshProxies: ['linkerd-proxy'] }),
    connections: [
      ...Array.from({ length: 2000 }, (_, index) => ({
        from: 'web-0',
        to: `echo-${index % 3}`,
        bytesPerSecond: 2,
        segmentsPerSecond: 0.02,
      })),
      ...[1, 2].flatMap((client) => [0, 1, 2].map((pod) => ({ from: `web-${client}`, to: `echo-${pod}` }))),
    ],
  },
  expected: {
    state: ['balanced', 'not-load-balancing'],
    named: ['connection-leak'],
    strategy: 'l7-proxy',
    action: 'keep',
  },
};

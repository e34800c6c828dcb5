/**
 * Four clients with a connection each, two pods, kube-proxy in mode ipvs with least-connection: all four on one pod. The
 * scheduler counts on each node for itself, so with one connection a node "least" says nothing. What each node's table
 * held was not shown for all nodes. Luck of random placement it is not called, since the mode does not place at random.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'IPVS with least-connection still sends four connections to one of two pods',
  source: 'https://github.com/kubernetes/kubernetes/issues/79213',
  mark: 'I',
  plan: {
    pods: pods(2),
    path: { kubeProxyMode: 'ipvs' },
    way: 'netstat',
    clients: webClients(4),
    connections: dealt([4, 0]),
    usage: false,
  },
  expected: {
    state: 'skewed',
    not: ['chance'],
    strategy: ['max-connection-age', 'headless-round-robin', 'l7-proxy'],
    lacks: 'which nodes the clients are on, and what each of their tables held',
  },
};

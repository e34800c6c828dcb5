/**
 * Three API servers, about 250 nodes; one stays hot until it is restarted, since clients keep their connections. What came
 * of it: the server closes one connection in a thousand by GOAWAY. With 250 connections on three pods, ending them now and
 * then is enough, whoever owns the clients.
 */
import { healthyNodes, pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

const count = 250;
const address = (index: number) => `192.168.${1 + Math.floor(index / 200)}.${10 + (index % 200)}`;
const nodes = Array.from({ length: count }, (_, index) => ({
  name: `node-${index}`,
  addresses: [address(index)],
  podCIDRs: [],
  zone: null,
  instanceType: null,
  ready: true,
}));

export const publicCase: PublicCase = {
  title: 'An overloaded API server keeps its clients',
  source: 'https://github.com/kubernetes/kubernetes/issues/48610',
  mark: 'R',
  plan: {
    pods: [...pods(1, { cpuMillicores: 900 }), ...pods(2, { cpuMillicores: 200 }, 1)],
    nodes: [...healthyNodes, ...nodes],
    connections: Array.from({ length: count }, (_, index) => ({
      from: address(index),
      to: `echo-${index < 180 ? 0 : 1 + (index % 2)}`,
    })),
  },
  expected: {
    state: 'skewed',
    beside: ['restarted-pod', 'rolling-restart-order'],
    not: ['chance', 'few-connections', 'hot-client'],
    strategy: 'max-connection-age',
    action: 'adopt',
    warnings: ['clients-behind-nodes'],
  },
};

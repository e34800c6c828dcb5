/**
 * Three replicas got 0, about 250 and about 238 requests although the Envoy before them said ROUND_ROBIN. It resolved the
 * name of a ClusterIP Service: one address, so one upstream host, and a connection for each of its threads. A proxy is
 * there, but it has nothing to choose from until it dials the pods, by a headless name for instance.
 */
import { pods } from '../diagnose/build.ts';
import { ago } from '../diagnose/build-looks.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'An Envoy with ROUND_ROBIN sends one of three replicas nothing',
  source: 'https://github.com/Kuadrant/authorino-operator/issues/362',
  mark: 'E',
  plan: {
    pods: pods(3),
    path: {},
    clients: [{ name: 'envoy-0', workload: 'gateway', role: 'gateway' }],
    connections: [
      { from: 'envoy-0', to: 'echo-1', bytesPerSecond: 25_000 },
      { from: 'envoy-0', to: 'echo-2', bytesPerSecond: 23_800 },
    ],
    calls: [
      { pod: 'echo-0', counted: false },
      { pod: 'echo-1', perSecond: 25, total: 250 },
      { pod: 'echo-2', perSecond: 23.8, total: 238 },
    ],
    also: {
      clientLooks: {
        looks: [
          {
            pod: 'envoy-0',
            namespace: 'shop',
            container: 'envoy',
            lookedAt: ago(0),
            dialled: [{ what: 'virtual-address', service: 'echo', connections: 2 }],
            runtime: 'other',
          },
        ],
        failures: [],
      },
    },
  },
  expected: {
    state: 'skewed',
    first: 'proxy-to-cluster-ip',
    beside: ['few-connections'],
    strategy: 'l7-proxy',
    action: 'repair',
    says: [/headless name/],
  },
};

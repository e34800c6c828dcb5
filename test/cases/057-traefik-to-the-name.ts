/**
 * Calls straight to the Service are even, through Traefik all arrive at one pod. It was given the name of the Service as
 * its backend, so it holds one connection to the virtual address. Its own sockets show that address.
 */
import { pods } from '../diagnose/build.ts';
import { ago } from '../diagnose/build-looks.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Through Traefik all calls arrive at one pod',
  source: 'https://github.com/traefik/traefik/issues/6069',
  mark: 'R',
  plan: {
    pods: pods(3),
    path: {},
    clients: [{ name: 'traefik-0', workload: 'traefik', namespace: 'traefik', role: 'gateway' }],
    connections: [{ from: 'traefik-0', to: 'echo-2', bytesPerSecond: 30_000 }],
    also: {
      clientLooks: {
        looks: [
          {
            pod: 'traefik-0',
            namespace: 'traefik',
            container: 'traefik',
            lookedAt: ago(0),
            dialled: [{ what: 'virtual-address', service: 'echo', connections: 1 }],
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
    says: [/let the proxy dial the pods/],
  },
};

/**
 * Two collectors: one at capacity and dropping spans, one idle. Agents each kept one connection to a ClusterIP, and did
 * failover, no balancing. The remedy was a second, headless Service over the same pods with round_robin in the agents; both
 * Services then stand before the same pods, and which of them the agents dial is what matters. Here they still dial the
 * ClusterIP: three agents are too few for the luck of the draw to spread them.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import { ago } from '../diagnose/build-looks.ts';
import { type PublicCase, webClients } from './case.ts';
import { siblingOf } from './sibling.ts';

export const publicCase: PublicCase = {
  title: 'The second collector idles, the first drops spans',
  source: 'https://github.com/jaegertracing/jaeger/issues/1678',
  mark: 'E',
  plan: {
    pods: [...pods(1, { cpuMillicores: 980 }), ...pods(1, { cpuMillicores: 5 }, 1)],
    clients: webClients(3, { workload: 'agent' }),
    connections: dealt([3, 0]),
    also: {
      siblings: [siblingOf({ ...headless, name: 'echo-headless' })],
      clientLooks: {
        looks: [
          {
            pod: 'web-0',
            namespace: 'shop',
            container: 'agent',
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
    first: 'few-connections',
    beside: ['chance'],
    strategy: 'headless-round-robin',
    action: 'adopt',
    warnings: ['sibling-services'],
    says: [/echo-headless \(headless\)/, /dials echo/],
  },
};

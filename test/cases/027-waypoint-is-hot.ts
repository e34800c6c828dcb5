/**
 * Istio in ambient mode with a waypoint of three pods. Between ztunnel and the waypoint connections are balanced, no calls:
 * after its pods were recycled, long connections stay on one of them. The waypoint itself chooses a pod for each call, so
 * the server is even, and the skew is one hop before it. "Balanced, all well" would be the wrong comfort.
 */
import { marks, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const rates = [9000, 300, 0];

export const publicCase: PublicCase = {
  title: 'Ambient: the load piles up on one pod of the waypoint',
  source: 'https://github.com/istio/istio/issues/56864',
  mark: 'E',
  plan: {
    pods: pods(4, { pod: { mesh: marks({ redirected: true }) } }),
    path: { namespace: marks({ dataplaneMode: 'ambient', useWaypoint: 'waypoint' }), waypoints: ['waypoint'] },
    clients: webClients(3, { workload: 'waypoint', role: 'waypoint' }),
    // The third pod of the waypoint is new: nothing has come to it, so it has dialled no pod.
    connections: rates.flatMap((bytesPerSecond, client) =>
      bytesPerSecond === 0 ? [] : pods(4).map(({ name }) => ({ from: `web-${client}`, to: name, bytesPerSecond })),
    ),
  },
  expected: {
    state: 'balanced',
    first: null,
    not: ['hot-client', 'few-connections'],
    strategy: 'l7-proxy',
    action: 'keep',
    warnings: ['uneven-proxies'],
  },
};

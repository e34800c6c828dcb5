/**
 * A pod was relabelled out of its Service and went on serving the connections that it had: they are not cut while the pod
 * runs, or no pod could ever drain. Looking only into endpoints misses the pod that does half of the work.
 */
import { meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A pod left the Service and keeps its connections',
  source: 'https://github.com/kubernetes/kubernetes/issues/100698',
  mark: 'E',
  plan: {
    pods: pods(3),
    former: [{ name: 'echo-3', pod: { labels: { app: 'quarantine', 'pod-template-hash': 'aaa' } } }],
    clients: webClients(4),
    connections: meshed(4, 4),
  },
  expected: {
    state: 'not-load-balancing',
    first: 'unready-but-connected',
    strategy: 'cluster-ip',
    action: 'keep',
    replicas: 3,
  },
};

/**
 * Liveness asks the database. It stood still for a moment, and kubelet restarted every pod within seconds; the connections
 * then piled up on the first ones back. The ends of all containers lie together, and liveness is known to have failed.
 */
import { dealt, grpcReadiness, pods } from '../diagnose/build.ts';
import { ago, uidOf } from '../diagnose/build-looks.ts';
import { type PublicCase, webClients } from './case.ts';

const backAfter = [0, 4, 9, 12];
/** Both probes ask one endpoint, which asks the database. */
const asksDatabase = (type: 'liveness' | 'readiness') => ({
  ...grpcReadiness(),
  type,
  kind: 'httpGet' as const,
  port: 8080,
  service: null,
});

export const publicCase: PublicCase = {
  title: 'Liveness asks the database, and all pods restart',
  source: 'https://github.com/vectorize-io/hindsight/issues/3329',
  mark: 'E',
  plan: {
    pods: backAfter.flatMap((later, index) =>
      pods(
        1,
        {
          restarts: 1,
          runningSeconds: 1200 - later,
          container: { probes: [asksDatabase('liveness'), asksDatabase('readiness')] },
          lastTermination: { reason: 'Error', exitCode: 137, finishedAt: ago(1205 - later) },
        },
        index,
      ),
    ),
    clients: webClients(16),
    connections: dealt([11, 4, 1, 0], { ageSeconds: 1190 }),
    happenings: backAfter.map((later, pod) => ({
      kind: 'unhealthy' as const,
      pod: `echo-${pod}`,
      podUid: uidOf(`echo-${pod}`),
      container: 'server',
      probe: 'liveness' as const,
      failure: 'status' as const,
      times: 3,
      firstAt: ago(1260 - later),
      at: ago(1235 - later),
    })),
  },
  expected: {
    state: 'skewed',
    first: 'probe-failing',
    beside: ['restarted-pod', 'rolling-restart-order'],
    not: ['few-connections', 'chance'],
    strategy: 'max-connection-age',
    says: [/they share/],
  },
};

/**
 * Liveness asks the database. It stood still for a moment, and kubelet restarted every pod within seconds; the connections
 * then piled up on the first ones back. The ends of all containers lie together, and liveness is known to have failed.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { ago, uidOf } from '../diagnose/build-looks.ts';
import { type PublicCase, webClients } from './case.ts';

const backAfter = [0, 4, 9, 12];

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
          lastTermination: { reason: 'Error', exitCode: 137, finishedAt: ago(1205 - later) },
        },
        index,
      ),
    ),
    clients: webClients(16),
    connections: dealt([11, 4, 1, 0], { ageSeconds: 1190 }),
    happenings: backAfter.map((later, pod) => ({
      kind: 'killed' as const,
      pod: `echo-${pod}`,
      podUid: uidOf(`echo-${pod}`),
      times: 1,
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

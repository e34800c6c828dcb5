/**
 * The Service was made headless and the clients were given GRPC_LB_POLICY=round_robin. That variable is read by no client
 * on Node, so each still has one connection, and the rollout only changed which pod is hot: one at 17 to 20 millicores, the
 * others at a tenth. Half of the fix is in place; the half in the code of the client is missing.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import { ago } from '../diagnose/build-looks.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A fix for another language only pins the load to another pod',
  source: 'https://github.com/SREGym/SREGym/issues/830',
  mark: 'E',
  plan: {
    service: headless,
    pods: [...pods(1, { cpuMillicores: 2 }), ...pods(1, { cpuMillicores: 18 }, 1), ...pods(2, { cpuMillicores: 2 }, 2)],
    clients: webClients(2, { workload: 'frontend', startedSeconds: 900 }),
    connections: dealt([0, 2], { ageSeconds: 890 }),
    also: {
      clientLooks: {
        looks: [
          {
            pod: 'web-0',
            namespace: 'shop',
            container: 'frontend',
            lookedAt: ago(0),
            dialled: [{ what: 'pod', service: null, connections: 1 }],
            runtime: 'node',
          },
        ],
        failures: [],
      },
    },
  },
  expected: {
    state: 'skewed',
    first: 'pick-first',
    not: ['no-re-resolution', 'new-pods-idle', 'chance'],
    strategy: 'headless-round-robin',
    action: 'complete',
    says: [/service config/],
  },
};

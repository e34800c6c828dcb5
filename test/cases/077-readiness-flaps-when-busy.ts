/**
 * The readiness probe gives the server a second, and the busy pod misses it: Unhealthy 83 times, "did not complete within
 * 1s". Each failure sends its new connections to the others. Later it no longer happened, so latency against the timeout is
 * an explanation and not a finding. The failures of the probe belong beside the CPU.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { ago, uidOf } from '../diagnose/build-looks.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Readiness comes and goes on the busy pod',
  source: 'https://github.com/GoogleCloudPlatform/microservices-demo/issues/62',
  mark: 'R',
  plan: {
    pods: [...pods(1, { cpuMillicores: 990, readySeconds: 300 }), ...pods(2, { cpuMillicores: 150 }, 1)],
    clients: webClients(12),
    connections: dealt([9, 2, 1]),
    happenings: [
      {
        kind: 'unhealthy',
        pod: 'echo-0',
        podUid: uidOf('echo-0'),
        container: 'server',
        probe: 'readiness',
        failure: 'timeout',
        times: 83,
        firstAt: ago(4000),
        at: ago(310),
      },
    ],
  },
  expected: {
    state: 'skewed',
    named: ['probe-failing'],
    beside: ['chance', 'few-connections', 'timeout-too-short', 'probe-misconfigured'],
    strategy: ['max-connection-age', 'cluster-ip'],
    says: [/83 times/, /in time/],
  },
};

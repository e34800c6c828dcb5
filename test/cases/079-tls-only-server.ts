/**
 * A server that speaks TLS only, with kubelet's gRPC probe, which is plaintext: no pod is ever Ready. The pod's Events say
 * that the probe could not connect in time; only the server's own log tells that it saw no TLS handshake. So the pods that
 * are not Ready are certain, and TLS is what to think of first.
 */
import { pods } from '../diagnose/build.ts';
import { ago, uidOf } from '../diagnose/build-looks.ts';
import type { PublicCase } from './case.ts';

const unready = { pod: { ready: false }, container: { ready: false } } as const;

export const publicCase: PublicCase = {
  title: 'A server with TLS only and a gRPC probe',
  source: 'https://github.com/kubernetes/kubernetes/issues/128365',
  mark: 'E',
  plan: {
    pods: pods(2, { ...unready, ageSeconds: 3600 }),
    happenings: [0, 1].map((pod) => ({
      kind: 'unhealthy' as const,
      pod: `echo-${pod}`,
      podUid: uidOf(`echo-${pod}`),
      container: 'server',
      probe: 'readiness' as const,
      failure: 'connect-timeout' as const,
      times: 350,
      firstAt: ago(3590),
      at: ago(5),
    })),
  },
  expected: {
    state: 'not-load-balancing',
    first: 'pods-not-ready',
    beside: ['probe-misconfigured'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/TLS/],
    lacks: 'what the server speaks: its log',
  },
};

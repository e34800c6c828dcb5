/**
 * A client goes on dialling addresses of etcd pods that are gone. At the pods nothing is to be seen, for nothing arrives;
 * the attempts hang in SYN_SENT at the client. No skew: all that can be said from here is that no client is connected.
 */
import { headless, pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A client dials addresses of pods that are gone',
  source: 'https://github.com/grpc/grpc-java/issues/8574',
  mark: 'R',
  plan: { service: headless, pods: pods(3, { ageSeconds: 1200 }) },
  expected: {
    state: ['no-traffic', 'unknown'],
    first: null,
    strategy: 'headless-round-robin',
    action: 'keep',
    says: [/no client/],
  },
};

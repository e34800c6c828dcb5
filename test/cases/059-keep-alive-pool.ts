/**
 * An inference server, and a Python client that keeps its HTTP/1.1 connection alive: it sticks just as gRPC would, but the
 * options of gRPC do not exist there. The declaration of the port says HTTP. A MaxConnectionAge must not be the advice; a
 * limit of keep-alive is what such a server has.
 */
import { grpcReadiness, pods } from '../diagnose/build.ts';
import type { PublicCase } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Sticky, but the client speaks HTTP/1.1',
  source: 'https://github.com/triton-inference-server/server/issues/6177',
  mark: 'I',
  plan: {
    service: { ports: [{ name: 'http', port: 8000, targetPort: 50_051, protocol: 'TCP', appProtocol: 'http' }] },
    // Such a server is asked for its health over HTTP, too.
    pods: pods(3, { container: { probes: [{ ...grpcReadiness(), kind: 'httpGet', service: null }] } }),
    connections: [{ from: 'web-0', to: 'echo-0', bytesPerSecond: 80_000 }],
  },
  expected: {
    state: ['skewed', 'not-load-balancing'],
    named: ['not-grpc'],
    beside: ['few-connections'],
    strategy: ['cluster-ip', 'l7-proxy', 'headless-round-robin'],
    says: [/HTTP\/1\.1|keep-alive/],
  },
};

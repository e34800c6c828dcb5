/**
 * Sidecars at both ends, and the port is called `otlp-grpc`. Istio reads the part before the first dash, and otlp is no
 * protocol, so the name declares nothing: `appProtocol: grpc` does. Each client stays on the pod of its connection. A name
 * that contains grpc must not pass for a declaration, and a missing one is not yet proof.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'In a mesh, with a port called otlp-grpc',
  source: 'https://github.com/open-telemetry/opentelemetry-operator/issues/696',
  mark: 'E',
  plan: {
    service: {
      ports: [{ name: 'otlp-grpc', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null }],
    },
    pods: pods(3, { sidecar: 'istio-proxy' }),
    path: {},
    clients: webClients(4, { meshProxies: ['istio-proxy'] }),
    connections: dealt([3, 1, 0]),
  },
  expected: {
    state: 'skewed',
    first: 'mesh-sees-tcp',
    not: ['few-connections', 'chance'],
    strategy: 'l7-proxy',
    action: 'repair',
    says: [/appProtocol: grpc/, /otlp-grpc/],
  },
};

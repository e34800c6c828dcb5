/**
 * A headless Service with `dns:///` was made for client-side round_robin. Under a sidecar the clients dial pods, and the
 * proxy keeps to what was dialled: the chart now uses the ClusterIP name where Istio is on. The two ways exclude each
 * other, so exactly one is recommended, and it is the one that the sidecars are there for.
 */
import { dealt, headless, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'round_robin in the clients breaks when Istio is switched on',
  source: 'https://github.com/harness/helm-charts/pull/952',
  mark: 'E',
  plan: {
    service: headless,
    pods: pods(4, { sidecar: 'istio-proxy' }),
    path: {},
    clients: webClients(3, { meshProxies: ['istio-proxy'] }),
    connections: dealt([3, 0, 0, 0]),
  },
  expected: {
    state: 'skewed',
    first: 'headless-with-mesh',
    strategy: 'l7-proxy',
    action: 'repair',
    says: [/ClusterIP Service/],
  },
};

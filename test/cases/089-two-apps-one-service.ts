/**
 * One Service stands before two unrelated applications: its two ports name target ports that only one of them has each. The
 * controller makes a slice for each combination. For either port only its own pods are replicas; the others are not idle,
 * not missing, and no fault.
 */
import { buildEvidence, dealt, type Plan, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const port = (name: string, number: number) => ({
  name,
  port: number,
  targetPort: name,
  protocol: 'TCP',
  appProtocol: null,
});
const webPorts = [{ name: 'web', port: 8080, protocol: 'TCP' }];
const plan: Plan = {
  service: { ports: [port('grpc', 50_051), port('web', 80)] },
  pods: [...pods(3), ...pods(3, { port: 8080, container: { ports: webPorts, probes: [] } }, 3)],
  clients: webClients(12),
  connections: dealt([4, 4, 4]),
};

export const publicCase: PublicCase = {
  title: 'One Service, two unrelated applications by named port',
  source: 'https://github.com/kubernetes/website/issues/52500',
  mark: 'E',
  plan: {
    ...plan,
    also: {
      spec: { port: 'grpc', windowSeconds: 10 },
      endpointSlices: (buildEvidence(plan).endpointSlices ?? []).map((slice) =>
        slice.name === 'echo-8080'
          ? { ...slice, ports: [{ name: 'web', port: 8080, protocol: 'TCP', appProtocol: null }] }
          : slice,
      ),
    },
  },
  expected: { state: 'balanced', first: null, strategy: 'cluster-ip', action: 'keep', replicas: 3 },
};

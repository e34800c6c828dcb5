/**
 * A client of grpc-go dialled wrong ports and saw addresses twice: its resolver also asks for SRV records of
 * `_grpclb._tcp`, and a headless Service with a port of that name answers. Some do that on purpose, so it is a warning.
 * Which version the clients have is not seen.
 */
import { headless, meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'A headless Service with a port named grpclb',
  source: 'https://github.com/grpc/grpc-go/issues/2619',
  mark: 'I',
  plan: {
    service: {
      ...headless,
      ports: [{ name: 'grpclb', port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null }],
    },
    pods: pods(3),
    clients: webClients(3),
    connections: meshed(3, 3),
  },
  expected: {
    state: 'balanced',
    first: null,
    strategy: 'headless-round-robin',
    action: 'keep',
    warnings: ['grpclb-port'],
  },
};

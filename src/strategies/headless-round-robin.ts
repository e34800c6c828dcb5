import type { Precondition } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import type { Facts } from '../verdict/facts.ts';
import { clientProcesses } from './rules.ts';
import { perCallPrediction, type StrategyUnit } from './unit.ts';

function meshSize(clients: number, pods: number): string {
  if (clients === 0) return 'a connection from each client to each pod';
  return `${plural(clients, 'client')} × ${plural(pods, 'pod')} = ${plural(clients * pods, 'connection')}`;
}

export const headlessRoundRobin: StrategyUnit = {
  id: 'headless-round-robin',
  title: 'Headless Service with round_robin in the clients',
  assess({ facts, ownership }) {
    const { headless, replicas, hops } = facts;
    const clients = clientProcesses(facts);
    const several = headless && facts.clients.some((client) => client.connections > client.addresses.length);
    const preconditions: Precondition[] = [
      {
        text: 'a headless Service over the same pods (clusterIP cannot be changed: a second Service)',
        status: headless ? 'met' : 'failed',
      },
      {
        text: 'the target starts with dns:/// and the service config names round_robin',
        status: several ? 'met' : 'unknown',
      },
      {
        text: 'the clients dial the target port of the pods, not the Service port',
        status: facts.port.targetPort === facts.port.port ? 'met' : 'unknown',
      },
      { text: 'a MaxConnectionAge on the server, so that clients resolve again and find new pods', status: 'unknown' },
      { text: 'no sidecar proxy on the clients', status: sidecarFree(facts) },
    ];
    return {
      fits: [
        ...(ownership.whose === 'owned' ? ['the clients are yours to change'] : []),
        ...(headless ? ['the Service is headless already'] : []),
        'each call goes to the next pod, so few clients are enough',
      ],
      against: [
        ...(ownership.obstacle === null ? [] : [ownership.obstacle]),
        ...(hops.length > 0 ? ['a mesh sidecar balances already: the two exclude each other'] : []),
      ],
      preconditions,
      prediction: perCallPrediction(facts, 'when a client resolves again: at the end of a connection', [
        meshSize(clients, replicas.length),
        'DNS queries of each client',
      ]),
    };
  },
};

function sidecarFree({ path: { clientProxies, parts } }: Facts): Precondition['status'] {
  if (clientProxies.length > 0) return 'failed';
  return parts.bare + parts.xds > 0.99 ? 'met' : 'unknown';
}

import type { Facts } from '../facts/facts.ts';
import type { Precondition } from '../report/advice.ts';
import { concerns, librarySupports } from './languages.ts';
import { proposedAge } from './max-connection-age.ts';
import { byCall, callsUnderWay, fullMesh, rate } from './predict.ts';
import { balancesAlready, clientProcesses, mostClientConnections } from './rules.ts';
import { isHeadlessTwin } from './siblings.ts';
import type { StrategyUnit } from './unit.ts';

/** A resolver asks DNS again at most so often, in seconds (grpc-go, C-core: 30 s). */
const leastBetweenQueries = 30;

export const headlessRoundRobin: StrategyUnit = {
  id: 'headless-round-robin',
  title: 'Headless Service with round_robin in the clients',
  what: 'DNS answers with the addresses of all Ready pods; each client connects to all of them and sends each call to the next one.',
  fitsWhen: 'Clients and server are both yours to change, and clients × pods stay under 50,000 connections.',
  requirements: [
    {
      text: 'a headless Service over the same pods (clusterIP cannot be changed: a second Service)',
      status: ({ facts }) => (facts.headless || facts.siblings.some(isHeadlessTwin(facts)) ? 'met' : 'failed'),
    },
    {
      text: 'the target of the clients starts with dns:///, or is a name that their library resolves by DNS',
      status: ({ facts }) => (balancesAlready(facts) ? 'met' : 'unknown'),
    },
    {
      text: 'the service config of the clients names round_robin: the default, pick_first, uses one address',
      status: ({ facts, ownership, language }) => {
        if (librarySupports(language, 'round-robin') === false) return 'failed';
        if (balancesAlready(facts)) return 'met';
        return ownership.whose === 'third-party' ? 'failed' : 'unknown';
      },
    },
    {
      text: 'the clients dial the target port of the pods, not the Service port',
      status: ({ facts }) => {
        const isSame = facts.port.targetPort === facts.port.port;
        // Whoever is connected to a pod of a headless Service has dialled its port.
        return isSame || (facts.headless && facts.allConnections.length > 0) ? 'met' : 'unknown';
      },
    },
    {
      text: 'a MaxConnectionAge on the server: at the end of a connection clients ask DNS again and find new pods',
      status: () => 'unknown',
    },
    {
      text: 'client-side health checking (healthCheckConfig), for pods that stop serving without closing connections: the server serves Health/Watch, the library checks',
      status: ({ facts, language }) => {
        if (facts.probeFaults.some(({ id }) => id === 'no-health-service')) return 'failed';
        return librarySupports(language, 'health') === false ? 'failed' : 'unknown';
      },
    },
    {
      text: 'no sidecar proxy on the clients: it would choose the pod itself',
      status: ({ facts }) => sidecarFree(facts),
    },
    {
      text: 'Java: the JVM keeps DNS answers for 30 s at most (networkaddress.cache.ttl), not for ever',
      status: ({ language }) => (concerns(language, 'java') ? 'unknown' : null),
    },
    {
      text: '.NET: DnsResolverFactory has a refresh interval; without one the name is asked once',
      status: ({ language }) => (concerns(language, 'csharp') ? 'unknown' : null),
    },
    {
      text: 'clients × pods are at most 50,000 connections',
      status: ({ facts }) => {
        const clients = clientProcesses(facts);
        if (clients === 0) return 'unknown';
        return clients * facts.replicas.length <= mostClientConnections ? 'met' : 'failed';
      },
    },
  ],
  newPods: 'when a client resolves again: at the end of a connection',
  costs: ['a connection from each client to each pod', 'DNS queries of each client, at the end of its connections'],
  assess({ facts, ownership }) {
    const { headless, replicas, hops } = facts;
    const clients = clientProcesses(facts);
    const pods = replicas.length;
    const age = proposedAge(clients * pods, Math.max(1, pods));
    const queries = clients * Math.min(pods / age, 1 / leastBetweenQueries);
    return {
      fits: [
        ownership.whose === 'owned' && 'the clients are yours to change',
        headless && 'the Service is headless already',
        'each call goes to the next pod, so few clients are enough',
      ],
      against: [
        ownership.obstacle ?? false,
        ...callsUnderWay(facts),
        hops.length > 0 && 'a mesh sidecar balances already: the two exclude each other',
      ],
      prediction: {
        ...byCall(facts),
        newPod: headlessRoundRobin.newPods,
        // The first of P connections of a client that ends makes it ask again.
        newPodSeconds: pods === 0 ? null : 1.1 * age,
        connections: clients === 0 ? null : clients * pods,
        reconnectsPerSecond: clients === 0 ? null : (clients * pods) / age,
        connectionAgeSeconds: age,
        cost: [
          fullMesh(clients, pods),
          clients === 0 ? 'DNS queries of each client' : `about ${rate(queries, 'DNS queries')} in all`,
        ],
      },
    };
  },
};

function sidecarFree({ path: { clientProxies, clientShares } }: Facts): Precondition['status'] {
  if (clientProxies.length > 0) return 'failed';
  return clientShares.bare + clientShares.xds > 0.99 ? 'met' : 'unknown';
}

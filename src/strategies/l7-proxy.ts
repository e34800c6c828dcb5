import type { Facts } from '../facts/facts.ts';
import type { Precondition } from '../report/advice.ts';
import { byCall, callsUnderWay } from './predict.ts';
import type { StrategyUnit } from './unit.ts';

export const l7Proxy: StrategyUnit = {
  id: 'l7-proxy',
  title: 'L7 proxy, gateway or mesh',
  what: 'A proxy ends the HTTP/2 connections of the clients and chooses a pod for each call: a sidecar or waypoint of a mesh, a gateway, Envoy, NGINX, HAProxy.',
  fitsWhen:
    'The clients cannot be changed, or are in several languages, or routing policy and metrics are wanted as well.',
  requirements: [
    {
      text: 'the port declares its protocol (appProtocol: grpc, or a name that starts with grpc or http2)',
      status: ({ facts }) => declared(facts),
    },
    {
      text: 'the proxy resolves the endpoints, not the virtual IP: one that dials the virtual IP holds one connection to one pod',
      status: ({ facts }) => resolves(facts),
    },
    {
      text: 'the clients go through it (in a mesh the balancing happens at the client’s proxy)',
      status: ({ facts }) => passed(facts),
    },
    {
      text: 'in an ambient mesh, a waypoint for the Service: ztunnel alone works at layer 4',
      status: ({ facts }) => hasWaypoint(facts),
    },
  ],
  newPods: 'at once',
  costs: ['a hop and its latency', 'CPU and memory of the proxy'],
  assess({ facts, ownership }) {
    const { hops } = facts;
    return {
      fits: [
        hops.length > 0 && `${hops.join(' and ')} is there already`,
        ownership.obstacle !== null && 'no client has to change',
        'it chooses a pod for every call, whatever the clients’ language',
      ],
      against: [
        hops.length === 0 && 'a hop, proxy CPU and memory; not worth a whole mesh for balancing alone',
        ...callsUnderWay(facts),
      ],
      prediction: { ...byCall(facts), newPod: l7Proxy.newPods, newPodSeconds: 0, cost: [...l7Proxy.costs] },
    };
  },
};

/** Null outside an ambient mesh. */
function hasWaypoint({ path: { ambient, clientShares } }: Facts): Precondition['status'] | null {
  if (clientShares.waypoint > 0.99) return 'met';
  if (ambient === null) return null;
  if (ambient.waypoint === null) return 'failed';
  return clientShares.waypoint > 0 ? 'met' : 'unknown';
}

/** Sidecars look at the bytes of a port that declares nothing; gateways speak HTTP/1.1 to it. */
function declared({ path }: Facts): Precondition['status'] {
  if (path.plain !== null) return 'failed';
  if (path.declared.reading === 'http2') return 'met';
  return path.declared.reading === 'detected' && path.clientShares.meshed > 0.99 ? 'met' : 'failed';
}

function resolves({ path, allConnections, replicas, index }: Facts): Precondition['status'] {
  // The sidecars of the known meshes get the endpoints from their control plane.
  if (path.clientShares.meshed > 0.99) return 'met';
  if (path.gateways.length === 0) return 'unknown';
  if (index.virtualAddressSeen || path.path?.ingresses?.some((ingress) => ingress.virtualAddress) === true)
    return 'failed';
  const reached = new Set(
    allConnections.flatMap(({ replica, connection }) => (connection.peer.kind === 'gateway' ? [replica] : [])),
  );
  return reached.size === replicas.length ? 'met' : 'unknown';
}

function passed({ path: { clientShares }, hops }: Facts): Precondition['status'] {
  const through = clientShares.meshed + clientShares.gateway + clientShares.waypoint;
  if (through > 0.99) return 'met';
  return clientShares.bare > 0 || hops.length === 0 ? 'failed' : 'unknown';
}

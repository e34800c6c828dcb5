import type { Precondition } from '../report/schema.ts';
import type { Facts } from '../verdict/facts.ts';
import { perCallPrediction, type StrategyUnit } from './unit.ts';

export const l7Proxy: StrategyUnit = {
  id: 'l7-proxy',
  title: 'L7 proxy, gateway or mesh',
  assess({ facts, ownership }) {
    const { hops } = facts;
    const preconditions: Precondition[] = [
      {
        text: 'the port declares its protocol (appProtocol: grpc, or a name that starts with grpc or http2)',
        status: declared(facts),
      },
      { text: 'the proxy resolves the endpoints, not the virtual IP', status: resolves(facts) },
      {
        text: 'the clients go through it (in a mesh the balancing happens at the client’s proxy)',
        status: passed(facts),
      },
    ];
    return {
      fits: [
        ...(hops.length > 0 ? [`${hops.join(' and ')} is there already`] : []),
        ...(ownership.obstacle === null ? [] : ['no client has to change']),
        'it chooses a pod for every call, whatever the clients’ language',
      ],
      against: hops.length > 0 ? [] : ['a hop, proxy CPU and memory; not worth a whole mesh for balancing alone'],
      preconditions,
      prediction: perCallPrediction(facts, 'at once', ['a hop and its latency', 'CPU and memory of the proxy']),
    };
  },
};

/** Sidecars look at the bytes of a port that declares nothing; gateways speak HTTP/1.1 to it. */
function declared({ path }: Facts): Precondition['status'] {
  if (path.plain !== null) return 'failed';
  if (path.declared.reading === 'http2') return 'met';
  return path.declared.reading === 'detected' && path.parts.meshed > 0.99 ? 'met' : 'failed';
}

function resolves({ path, allConnections, replicas, evidence }: Facts): Precondition['status'] {
  // The sidecars of the known meshes get the endpoints from their control plane.
  if (path.parts.meshed > 0.99) return 'met';
  if (path.gateways.length === 0) return 'unknown';
  const dials = evidence.clientLooks?.looks.some((look) => look.dialled.some(({ what }) => what === 'virtual-address'));
  if (dials === true || path.path?.ingresses?.some((ingress) => ingress.virtualAddress) === true) return 'failed';
  const reached = new Set(
    allConnections.flatMap(({ replica, connection }) => (connection.peer.kind === 'gateway' ? [replica] : [])),
  );
  return reached.size === replicas.length ? 'met' : 'unknown';
}

function passed({ path: { parts }, hops }: Facts): Precondition['status'] {
  const through = parts.meshed + parts.gateway + parts.waypoint;
  if (through > 0.99) return 'met';
  return parts.bare > 0 || hops.length === 0 ? 'failed' : 'unknown';
}

import type { Precondition } from '../report/schema.ts';
import { perCallPrediction, type StrategyUnit } from './unit.ts';

export const l7Proxy: StrategyUnit = {
  id: 'l7-proxy',
  title: 'L7 proxy, gateway or mesh',
  assess({ facts, ownership }) {
    const { hops, port } = facts;
    const preconditions: Precondition[] = [
      {
        text: 'the port declares its protocol (appProtocol: grpc, or a name that starts with grpc or http2)',
        status: declaresHttp2(port.appProtocol, port.name) ? 'met' : 'failed',
      },
      { text: 'the proxy resolves the endpoints, not the virtual IP', status: 'unknown' },
      {
        text: 'the clients go through it (in a mesh the balancing happens at the client’s proxy)',
        status: hops.length > 0 ? 'unknown' : 'failed',
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

/** As Istio reads it: appProtocol wins, else the name up to its first dash. */
function declaresHttp2(appProtocol: string | null, name: string | null): boolean {
  const known = ['grpc', 'grpc-web', 'http2', 'h2c', 'kubernetes.io/h2c'];
  if (appProtocol !== null) return known.includes(appProtocol.toLowerCase());
  return (
    name !== null &&
    ['grpc', 'http2', 'grpc-web'].some((protocol) => name === protocol || name.startsWith(`${protocol}-`))
  );
}

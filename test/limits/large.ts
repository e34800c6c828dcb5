import type { SocketLook } from '../../src/evidence/looks.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';

type Socket = SocketLook['sockets'][number];

const address = (number: number) => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

function socket(
  look: SocketLook,
  local: Pick<Socket, 'localAddress' | 'localPort'>,
  at: number,
  clients: number,
): Socket {
  return {
    ...local,
    peerAddress: address(1_000_000 + (at % clients)),
    peerPort: 1024 + ((7 * at) % 60_000),
    receiveQueueBytes: 0,
    sendQueueBytes: 0,
    bytesAcked: 1000 * look.sample + at,
    bytesReceived: 1000 * look.sample + at,
    segmentsOut: 10 * look.sample,
    segmentsIn: 10 * look.sample,
  };
}

/** At which clients arrive. */
function portOf({ connections }: SkewEvidence): number {
  const [seen] = connections?.looks.flatMap((look) => look.sockets) ?? [];
  if (seen === undefined) throw new Error('the evidence has no connections');
  return seen.localPort;
}

/** The evidence with so many connections at its first pod, each from a client of its own. */
export function withConnections(evidence: SkewEvidence, rows: number): SkewEvidence {
  const { connections } = evidence;
  if (connections === null) throw new Error('the evidence has no connections');
  const uid = connections.looks[0]?.podUid;
  const looks = connections.looks.map((look) => {
    return look.podUid === uid
      ? {
          ...look,
          sockets: Array.from({ length: rows }, (_, at) =>
            socket(look, { localAddress: '10.0.0.1', localPort: portOf(evidence) }, at, rows),
          ),
        }
      : look;
  });
  return { ...evidence, connections: { ...connections, looks } };
}

/** The evidence with so many pods in the place of its own, each with so many connections of a few clients or of one each. */
export function withPods(evidence: SkewEvidence, pods: number, each: number, clients: number): SkewEvidence {
  const { connections, endpointSlices } = evidence;
  const [pod] = evidence.pods ?? [];
  const [slice] = endpointSlices ?? [];
  const endpoint = slice?.endpoints[0];
  const pair = ([1, 2] as const).map((sample) => connections?.looks.find((look) => look.sample === sample));
  if (connections === null || pod === undefined || endpoint?.pod == null) throw new Error('the evidence has no pods');
  const { pod: target } = endpoint;
  const names = Array.from({ length: pods }, (_, at) => ({ at, name: `echo-${at}`, uid: `uid-${at}` }));
  const own = (at: number) => address(2_000_000 + at);
  const localPort = portOf(evidence);
  return {
    ...evidence,
    usage: [],
    calls: { looks: [], failures: [] },
    pods: names.map(({ at, name, uid }) => ({ ...pod, name, uid, addresses: [own(at)] })),
    endpointSlices: [
      {
        ...slice,
        endpoints: names.map(({ at, name, uid }) => ({
          ...endpoint,
          addresses: [own(at)],
          pod: { ...target, name, uid },
        })),
      } as (typeof endpointSlices & object)[number],
    ],
    connections: {
      ...connections,
      failures: [],
      looks: names.flatMap(({ at, name, uid }) =>
        pair.flatMap((look) => {
          if (look === undefined) return [];
          const sockets = Array.from({ length: each }, (_, row) =>
            socket(look, { localAddress: own(at), localPort }, at * each + row, clients),
          );
          return [{ ...look, pod: name, podUid: uid, sockets }];
        }),
      ),
    },
  };
}

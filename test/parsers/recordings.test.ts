import { describe, expect, it } from 'vitest';
import { readNetstat } from '../../src/signals/read/netstat.ts';
import { readProcNetTcp } from '../../src/signals/read/proc-net-tcp.ts';
import { atPorts, type ReadSockets } from '../../src/signals/read/sockets.ts';
import { readSs } from '../../src/signals/read/ss.ts';
import { output, type RecordedPod, recordedPods, type Sample, scenarios } from './recorded.ts';

const ways: Readonly<Record<string, (text: string) => ReadSockets>> = {
  'ss-tn': readSs,
  'ss-tni': readSs,
  'ss-Htnie': readSs,
  'ss-tan': readSs,
  'netstat-tn': readNetstat,
  'netstat-tan': readNetstat,
  'proc-net-tcp': readProcNetTcp,
};
const samples: readonly Sample[] = [1, 2];
/** In it every call has a connection of its own: no two looks see the same. */
const shortLived = 'short-lived';
/** Where the nodes' own probes come from, one connection each time: the CNI bridges, and the nodes of hostNetwork pods. */
const probePeers = new Set(['10.244.0.1', '10.244.1.1', '10.98.0.1', '10.98.0.2']);

interface Look {
  readonly pod: RecordedPod;
  readonly sample: Sample;
  readonly way: string;
  readonly read: ReadSockets;
}

const looks: readonly Look[] = recordedPods.flatMap((pod) =>
  samples.flatMap((sample) =>
    Object.entries(ways).flatMap(([way, reader]) => {
      const text = output(pod, way, sample);
      return text === null ? [] : [{ pod, sample, way, read: reader(text) }];
    }),
  ),
);

function name({ pod, sample, way }: Look): string {
  return `${pod.scenario}/${pod.pod}/${way} (${sample})`;
}

/** Local and peer of what is no probe; of a backend at its gRPC port, of a client all but its metrics port. */
function connections(pod: RecordedPod, pairs: Iterable<readonly [string, string]>): string[] {
  return [...pairs]
    .filter(([local]) => (pod.grpcPort === null ? !local.endsWith(':9090') : local.endsWith(`:${pod.grpcPort}`)))
    .filter(([, peer]) => !probePeers.has(peer.slice(0, peer.lastIndexOf(':'))))
    .map((pair) => pair.join(' '))
    .sort();
}

function pairsOf(read: ReadSockets): (readonly [string, string])[] {
  return read.sockets.map(({ localAddress, localPort, peerAddress, peerPort }) => [
    `${localAddress}:${localPort}`,
    `${peerAddress}:${peerPort}`,
  ]);
}

describe('every recorded output', () => {
  it('is there', () => {
    expect(scenarios).toHaveLength(18);
    expect(looks).toHaveLength(691);
  });

  it('has no row that cannot be read', () => {
    expect(looks.filter(({ read }) => read.unreadableRows > 0).map(name)).toEqual([]);
  });

  it('shows the connections that the node saw', () => {
    const compared = looks.filter(({ pod, sample }) => pod.scenario !== shortLived && pod.established[sample] !== null);
    expect(compared.length).toBeGreaterThan(600);
    for (const look of compared) {
      const { pod, sample, read } = look;
      expect(connections(pod, pairsOf(read)), name(look)).toEqual(connections(pod, pod.established[sample] ?? []));
    }
  });

  it('shows as many clients as the server counted', () => {
    const compared = looks.filter(
      ({ pod, sample }) => pod.scenario !== shortLived && pod.clientConnections[sample] !== null,
    );
    expect(compared.length).toBeGreaterThan(300);
    for (const look of compared) {
      const { pod, sample, read } = look;
      const clients = atPorts(read, [pod.grpcPort ?? 0]).sockets.filter(
        ({ peerAddress }) => !probePeers.has(peerAddress),
      );
      expect(clients, name(look)).toHaveLength(pod.clientConnections[sample] ?? -1);
    }
  });

  it('agrees with what the other commands showed of the same pod', () => {
    let comparisons = 0;
    for (const pod of recordedPods.filter(({ scenario }) => scenario !== shortLived)) {
      for (const sample of samples) {
        const seen = looks.filter((look) => look.pod === pod && look.sample === sample);
        const [first, ...others] = seen.map(({ read }) => connections(pod, pairsOf(read)));
        for (const other of others) expect(other, `${pod.scenario}/${pod.pod}`).toEqual(first);
        comparisons += others.length;
      }
    }
    expect(comparisons).toBeGreaterThan(300);
  });
});

describe('the counters of ss', () => {
  const withInfo = looks.filter(({ way }) => way === 'ss-tni' || way === 'ss-Htnie');

  it('are there for every socket with an -i line, and for no other', () => {
    for (const look of looks) {
      const counted = look.read.sockets.filter(({ bytesReceived }) => bytesReceived !== undefined).length;
      expect(counted, name(look)).toBe(withInfo.includes(look) ? look.read.sockets.length : 0);
    }
  });

  it('only grow from the first to the second sample', () => {
    let kept = 0;
    for (const look of withInfo.filter(({ sample, way }) => sample === 2 && way === 'ss-tni')) {
      const before = withInfo.find(({ pod, sample, way }) => pod === look.pod && sample === 1 && way === look.way);
      for (const socket of look.read.sockets) {
        const earlier = before?.read.sockets.find(
          ({ localPort, peerAddress, peerPort }) =>
            localPort === socket.localPort && peerAddress === socket.peerAddress && peerPort === socket.peerPort,
        );
        if (earlier === undefined) continue;
        kept++;
        expect(socket.bytesReceived, name(look)).toBeGreaterThanOrEqual(earlier.bytesReceived ?? Number.NaN);
        expect(socket.bytesAcked, name(look)).toBeGreaterThanOrEqual(earlier.bytesAcked ?? Number.NaN);
        expect(socket.segmentsIn, name(look)).toBeGreaterThanOrEqual(earlier.segmentsIn ?? Number.NaN);
        expect(socket.segmentsOut, name(look)).toBeGreaterThanOrEqual(earlier.segmentsOut ?? Number.NaN);
      }
    }
    expect(kept).toBeGreaterThan(100);
  });
});

describe('a connection for every call', () => {
  it('leaves its traces in TIME-WAIT, in ss -a as in /proc', () => {
    const clients = looks.filter(
      ({ pod, sample }) => pod.scenario === shortLived && pod.app === 'client' && sample === 1,
    );
    for (const look of clients.filter(({ way }) => way === 'ss-tan' || way === 'proc-net-tcp')) {
      expect(look.read.timeWait, name(look)).toBeGreaterThan(100);
      expect(atPorts(look.read, [9090]).timeWait, name(look)).toBeLessThan(10);
    }
  });
});

import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import { figure, percent, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

/**
 * Streams that servers take at a time on one connection, where nothing is set. Sources: 100 Kestrel's
 * Http2Limits.MaxStreamsPerConnection, swift-nio, and the least that RFC 9113 section 6.5.2 advises; 128 nginx's
 * http2_max_concurrent_streams; 200 hyper's max_concurrent_streams; 250 http2defaultMaxStreams of Go's net/http.
 */
const usualLimits = [100, 128, 200, 250] as const;

/** As a call ends, the next one is in flight only a round trip later: a full connection is a little below its limit. */
const fullFrom = 0.95;

export const streamLimit: CauseUnit = {
  id: 'stream-limit',
  title: 'A connection is full: calls wait in the client',
  family: 'not-load-balancing',
  needs: ['calls', 'connections'],
  signature:
    'On a pod as many calls are in flight for each of its connections as servers usually allow (MAX_CONCURRENT_STREAMS), while it has CPU to spare: further calls wait in the client.',
  confidenceRule:
    'likely when the number stands there in both samples while calls go on ending, and the pod is below 80 % of its CPU limit; possible when it was seen once, or CPU or its limit is not known. Never certain: the setting and the queue of the client are not seen from here.',
  rivals: [
    { id: 'long-streams', toldApartBy: 'calls that end while the number in flight stands: many, or hardly any' },
  ],
  relief: ['widen-channels'],
  avoid: () => ['do not scale up for it: the calls wait in the clients'],
  firstStep: 'raise MAX_CONCURRENT_STREAMS of the server, or let the clients open further channels',
  find(facts) {
    // A proxy opens further connections itself when one is full.
    if (facts.hops.length > 0 || facts.loads.churning) return null;
    const full = facts.replicas.flatMap((pod) => readFull(pod) ?? []);
    const [first] = full.toSorted((a, b) => b.open - a.open || (a.pod.name < b.pod.name ? -1 : 1));
    if (first === undefined) return null;
    const { pod, limit, open, connections, twice, ended } = first;
    const cpu = cpuPart(pod);
    return {
      confidence: twice && ended >= open && cpu !== null ? 'likely' : 'possible',
      text: `${pod.name} has ${open} calls in flight on ${plural(connections, 'connection')}: the usual limit of ${limit} streams`,
      evidence: [
        `${figure(open / connections)} calls in flight per connection${twice ? ', in both samples' : ''}`,
        ended > 0 && `meanwhile ${ended} calls ended`,
        cpu !== null && `it uses ${percent(cpu)} of its CPU limit`,
        full.length > 1 && `${full.length} of ${facts.replicas.length} pods are the same`,
      ],
      settledBy: [
        'MAX_CONCURRENT_STREAMS of the server (the SETTINGS that it sends)',
        'the time that calls wait in the client before they begin',
      ],
    };
  },
};

interface Full {
  readonly pod: MeasuredPod;
  readonly limit: number;
  readonly open: number;
  readonly connections: number;
  readonly twice: boolean;
  readonly ended: number;
}

function readFull(pod: MeasuredPod): Full | null {
  const connections = pod.sockets?.connections.length ?? 0;
  const open = pod.calls?.inFlight ?? null;
  if (connections === 0 || open === null || (cpuPart(pod) ?? 0) >= limits.hotCpuPart) return null;
  const limit = limitOf(open / connections);
  if (limit === null) return null;
  const before = pod.calls?.inFlightBefore ?? null;
  const twice = before !== null && pod.sockets?.opened === 0 && limitOf(before / connections) === limit;
  return { pod, limit, open, connections, twice, ended: pod.calls?.calls ?? 0 };
}

/** The usual limit that so many streams a connection stand at. */
function limitOf(streams: number): number | null {
  return usualLimits.find((limit) => streams >= fullFrom * limit && streams <= limit) ?? null;
}

function cpuPart({ cpu }: Facts['replicas'][number]): number | null {
  return cpu?.limitMillicores ? cpu.millicores / cpu.limitMillicores : null;
}

import type { Socket } from '../../evidence/schema.ts';
import { countAt, eachLine, firstWords, readCount, startsBlank } from './rows.ts';
import { endsReader, gatherSockets, type ReadSockets } from './sockets.ts';

/** Half-open, half-closed and listening sockets are no live clients; the last two are the header's. */
const passedOver = new Set([
  'LISTEN',
  'SYN-SENT',
  'SYN-RECV',
  'FIN-WAIT-1',
  'FIN-WAIT-2',
  'CLOSE-WAIT',
  'LAST-ACK',
  'CLOSING',
  'UNCONN',
  'State',
  'Recv-Q',
]);

/**
 * Reads `ss -tn`, also with -H, -i, -e, -a, -o or a state filter. A filter that leaves one state takes the State column
 * away: such rows count as established, since that is the only filter this program asks for.
 */
export function readSs(text: string): ReadSockets {
  const gathered = gatherSockets();
  const readEnds = endsReader();
  let current: Socket | null = null;

  eachLine(text, (line) => {
    if (startsBlank(line)) {
      if (current !== null) gathered.replaceLast(withCounters(current, line));
      return;
    }
    current = null;
    const words = firstWords(line);
    const state = startsWithDigit(line) ? 'ESTAB' : takeState(words);
    if (passedOver.has(state)) return;
    const [receiveQueue = '', sendQueue = '', local = '', peer = ''] = words;
    const ends = readEnds(local, peer);
    const receiveQueueBytes = readCount(receiveQueue);
    const sendQueueBytes = readCount(sendQueue);
    if (ends === null || receiveQueueBytes === null || sendQueueBytes === null) return gathered.unreadable();
    if (state === 'TIME-WAIT') return gathered.timeWait(ends);
    if (state !== 'ESTAB') return gathered.unreadable();
    const socket: Socket = { ...ends, receiveQueueBytes, sendQueueBytes };
    if (gathered.established(socket)) current = socket;
  });
  return gathered.result();
}

/** Takes the words before Recv-Q away: the state, and before it the protocol where ss was asked for several. */
function takeState(words: string[]): string {
  const first = words.shift() ?? '';
  return first === 'tcp' || first === 'Netid' ? (words.shift() ?? '') : first;
}

function startsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 48 && first <= 57;
}

/**
 * The socket with the counters of its -i line. ss leaves out a counter that is 0, so an absent one is 0; but where ss had
 * to read /proc (no sock_diag in the kernel) its line has no counter at all, and then they are unknown. Every socket that
 * the kernel counts for has seen a segment.
 */
function withCounters(socket: Socket, line: string): Socket {
  if (!line.includes('segs_')) return socket;
  return {
    localAddress: socket.localAddress,
    localPort: socket.localPort,
    peerAddress: socket.peerAddress,
    peerPort: socket.peerPort,
    receiveQueueBytes: socket.receiveQueueBytes ?? 0,
    sendQueueBytes: socket.sendQueueBytes ?? 0,
    bytesReceived: counter(line, ' bytes_received:'),
    bytesAcked: counter(line, ' bytes_acked:'),
    segmentsIn: counter(line, ' data_segs_in:'),
    segmentsOut: counter(line, ' data_segs_out:'),
    lastReceivedMs: counter(line, ' lastrcv:'),
  };
}

function counter(line: string, name: string): number {
  const at = line.indexOf(name);
  return at === -1 ? 0 : Math.min(countAt(line, at + name.length).value, Number.MAX_SAFE_INTEGER);
}

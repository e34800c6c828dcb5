import type { Socket } from '../../evidence/looks.ts';
import { countAt, eachRow, isDigit, readCount, startsBlank } from './rows.ts';
import { endsReader, gatherSockets, type ReadSockets, readListener } from './sockets.ts';

/** Half-open and half-closed sockets are no live clients; the last two are the header's. */
const passedOver = new Set([
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
 * away: such rows count as established, since a filter of one state is asked for established ones only.
 */
export function readSs(text: string): ReadSockets {
  const gathered = gatherSockets();
  const readEnds = endsReader();
  let current: Socket | null = null;

  eachRow(text, (row) => {
    if (startsBlank(row)) {
      if (current !== null) addCounters(current, text.slice(row.start, row.end));
      return;
    }
    current = null;
    // Before Recv-Q stand the state, if any, and before it the protocol, where ss was asked for several.
    const protocol = text.startsWith('tcp ', row.start) || text.startsWith('Netid ', row.start) ? 1 : 0;
    const hasState = !isDigit(text.charCodeAt(row.startOf(protocol)));
    const state = hasState ? row.word(protocol) : 'ESTAB';
    if (passedOver.has(state)) return;
    const first = hasState ? protocol + 1 : protocol;
    if (state === 'LISTEN') return gathered.listening(readListener(row.word(first + 2)));
    const receiveQueueBytes = readCount(row.word(first));
    const sendQueueBytes = readCount(row.word(first + 1));
    const ends = readEnds(row, first + 2, first + 3);
    if (ends === null || receiveQueueBytes === null || sendQueueBytes === null) return gathered.unreadable();
    if (state === 'TIME-WAIT') return gathered.timeWait(ends);
    if (state !== 'ESTAB') return gathered.unreadable();
    const socket: Socket = { ...ends, receiveQueueBytes, sendQueueBytes };
    if (gathered.established(socket)) current = socket;
  });
  return gathered.result();
}

/**
 * Adds the counters of an -i line. ss leaves out a counter that is 0, so an absent one is 0; but where ss had to read
 * /proc (no sock_diag in the kernel) its line has no counter at all, and then they are unknown. Every socket that the
 * kernel counts for has seen a segment.
 */
function addCounters(socket: Socket, line: string): void {
  if (!line.includes('segs_')) return;
  const counter = counterReader(line);
  // In the order of ss, so that one pass over the line finds them all.
  socket.bytesAcked = counter(' bytes_acked:');
  socket.bytesReceived = counter(' bytes_received:');
  socket.segmentsOut = counter(' data_segs_out:');
  socket.segmentsIn = counter(' data_segs_in:');
  socket.lastSentMs = counter(' lastsnd:');
  socket.lastReceivedMs = counter(' lastrcv:');
}

function counterReader(line: string): (name: string) => number {
  let from = 0;
  return (name) => {
    let at = line.indexOf(name, from);
    if (at === -1 && from > 0) at = line.indexOf(name);
    if (at === -1) return 0;
    from = at + name.length;
    return Math.min(countAt(line, from).value, Number.MAX_SAFE_INTEGER);
  };
}

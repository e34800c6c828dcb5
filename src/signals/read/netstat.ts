import { eachRow, readCount } from './rows.ts';
import { endsReader, gatherSockets, type ReadSockets } from './sockets.ts';

/**
 * Reads `netstat -tn` of busybox and of net-tools, also with -a, -o, -p or -e. Rows of other families (udp, unix) are
 * passed over. Names in place of numbers cannot be compared with anything: such rows are unreadable.
 */
export function readNetstat(text: string): ReadSockets {
  const gathered = gatherSockets();
  const readEnds = endsReader();
  eachRow(text, (row) => {
    const protocol = row.word(0);
    const state = row.word(5);
    if (protocol !== 'tcp' && protocol !== 'tcp6') return;
    if (state !== 'ESTABLISHED' && state !== 'TIME_WAIT' && /^[A-Z_0-9]+$/.test(state)) return;
    const receiveQueueBytes = readCount(row.word(1));
    const sendQueueBytes = readCount(row.word(2));
    const ends = readEnds(row, 3, 4);
    if (ends === null || receiveQueueBytes === null || sendQueueBytes === null) return gathered.unreadable();
    if (state === 'TIME_WAIT') return gathered.timeWait(ends);
    if (state !== 'ESTABLISHED') return gathered.unreadable();
    gathered.established({ ...ends, receiveQueueBytes, sendQueueBytes });
  });
  return gathered.result();
}

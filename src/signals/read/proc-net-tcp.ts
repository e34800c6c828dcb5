import { addressOfGroups } from './addresses.ts';
import type { Ends } from './ends.ts';
import { eachRow } from './rows.ts';
import { gatherSockets, type ReadSockets } from './sockets.ts';

const established = '01';
const timeWait = '06';
const listening = '0A';

/**
 * Reads /proc/net/tcp and /proc/net/tcp6, one after the other in any order, either missing. An address is one or four
 * 32-bit words in the byte order of the NODE's processor (big-endian on s390x); the port is always plain hexadecimal.
 */
export function readProcNetTcp(text: string, littleEndian = true): ReadSockets {
  const gathered = gatherSockets();
  eachRow(text, (row) => {
    const slot = row.word(0);
    const state = row.word(3);
    if (slot === '' || slot === 'sl') return;
    if (!/^\d+:$/.test(slot) || !/^[0-9A-F]{2}$/.test(state)) return gathered.unreadable();
    if (state !== established && state !== timeWait && state !== listening) return;
    const ends = readHexEnds(row.word(1), row.word(2), littleEndian);
    const queued = /^([0-9A-F]{8}):([0-9A-F]{8})$/.exec(row.word(4));
    if (ends === null || queued === null) return gathered.unreadable();
    if (state === timeWait) return gathered.timeWait(ends);
    if (state === listening) return gathered.listening({ address: ends.localAddress, port: ends.localPort });
    const [, sent = '', received = ''] = queued;
    gathered.established({
      ...ends,
      receiveQueueBytes: Number.parseInt(received, 16),
      sendQueueBytes: Number.parseInt(sent, 16),
    });
  });
  return gathered.result();
}

function readHexEnds(local: string, peer: string, littleEndian: boolean): Ends | null {
  const near = readHexEnd(local, littleEndian);
  const far = readHexEnd(peer, littleEndian);
  if (near === null || far === null) return null;
  return { localAddress: near.address, localPort: near.port, peerAddress: far.address, peerPort: far.port };
}

function readHexEnd(text: string, littleEndian: boolean): { address: string; port: number } | null {
  const match = /^((?:[0-9A-F]{8}){1,4}):([0-9A-F]{4})$/.exec(text);
  const [, hex = '', port = ''] = match ?? [];
  if (hex.length !== 8 && hex.length !== 32) return null;
  const bytes = Array.from({ length: hex.length / 2 }, (_, index) => hexByte(hex, littleEndian ? index ^ 3 : index));
  const address = bytes.length === 4 ? bytes.join('.') : addressOfGroups(groupsOf(bytes));
  return { address, port: Number.parseInt(port, 16) };
}

/** `index ^ 3` turns the four bytes of each word around. */
function hexByte(hex: string, index: number): number {
  return Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
}

function groupsOf(bytes: readonly number[]): number[] {
  return Array.from({ length: 8 }, (_, group) => (bytes[2 * group] ?? 0) * 256 + (bytes[2 * group + 1] ?? 0));
}

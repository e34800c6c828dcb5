import type { Socket } from '../../evidence/looks.ts';
import { addressReader, normaliseAddress } from './addresses.ts';
import { type Ends, newEnds } from './ends.ts';
import { countAt, isDigit, type Row } from './rows.ts';

/** What one command said about the sockets of a network namespace, whichever command it was. */
export interface ReadSockets {
  /** Established, each 4-tuple once, in the order of the output. */
  readonly sockets: readonly Socket[];
  /** Sockets in TIME-WAIT; 0 also where the command does not show them. */
  readonly timeWait: number;
  readonly timeWaitByPort: ReadonlyMap<number, number>;
  /** Listening sockets; none also where the command does not show them. */
  readonly listeners: readonly Listener[];
  /** Rows that look like sockets and cannot be read. Of torn output some rows are missing as well. */
  readonly unreadableRows: number;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
}

/** Gathers rows; of rows with the same 4-tuple it keeps the first. */
export interface SocketGatherer {
  /** False when this connection is there already. */
  established(socket: Socket): boolean;
  timeWait(ends: Ends): void;
  /** null: a row that cannot be read. */
  listening(listener: Listener | null): void;
  unreadable(): void;
  result(): ReadSockets;
}

/** Only what belongs to these local ports. Unreadable rows stay: they could belong to any. */
export function atPorts(read: ReadSockets, ports: readonly number[]): ReadSockets {
  const wanted = new Set(ports);
  const timeWaitByPort = new Map([...read.timeWaitByPort].filter(([port]) => wanted.has(port)));
  return {
    sockets: read.sockets.filter((socket) => wanted.has(socket.localPort)),
    timeWait: [...timeWaitByPort.values()].reduce((sum, count) => sum + count, 0),
    timeWaitByPort,
    listeners: read.listeners.filter((listener) => wanted.has(listener.port)),
    unreadableRows: read.unreadableRows,
  };
}

export function gatherSockets(): SocketGatherer {
  const sockets: Socket[] = [];
  const isNewConnection = newEnds();
  const isNewTimeWait = newEnds();
  const timeWaitByPort = new Map<number, number>();
  const listeners: Listener[] = [];
  let timeWait = 0;
  let unreadableRows = 0;
  return {
    established(socket) {
      const isNew = isNewConnection(socket);
      if (isNew) sockets.push(socket);
      return isNew;
    },
    timeWait(ends) {
      if (!isNewTimeWait(ends)) return;
      timeWait++;
      timeWaitByPort.set(ends.localPort, (timeWaitByPort.get(ends.localPort) ?? 0) + 1);
    },
    listening(listener) {
      if (listener === null) unreadableRows++;
      else listeners.push(listener);
    },
    unreadable() {
      unreadableRows++;
    },
    result: () => ({ sockets, timeWait, timeWaitByPort, listeners, unreadableRows }),
  };
}

/** Reads the local end of a listening socket: `0.0.0.0:50051`, `*:50051`, `[::1]:50051`; null where it is none. */
export function readListener(local: string): Listener | null {
  const [, address = '', port = ''] = /^(.*):(\d{1,5})$/.exec(local) ?? [];
  const known = address === '*' ? '::' : normaliseAddress(address);
  return known === null || port === '' || Number(port) > 65_535 ? null : { address: known, port: Number(port) };
}

interface End {
  readonly address: string;
  readonly port: number;
}

/** Reads `ADDRESS:PORT`, brackets optional, from two words of a row; null where either is none. */
export function endsReader(): (row: Row, local: number, peer: number) => Ends | null {
  const readAddress = addressReader();
  const readEnd = ({ text }: Row, start: number, end: number): End | null => {
    let colon = end - 1;
    while (colon > start && isDigit(text.charCodeAt(colon))) colon--;
    if (colon <= start || end === colon + 1 || text[colon] !== ':') return null;
    const port = countAt(text, colon + 1, end);
    if (port.value > 65_535) return null;
    const address = readAddress(text, start, colon);
    return address === null ? null : { address, port: port.value };
  };
  // The local end of a server is the same in nearly every row.
  let lastText = '';
  let lastLocal: End | null = null;
  return (row, local, peer) => {
    const start = row.startOf(local);
    const end = row.endOf(local);
    if (end - start !== lastText.length || !row.text.startsWith(lastText, start)) {
      lastText = row.text.slice(start, end);
      lastLocal = readEnd(row, start, end);
    }
    const far = readEnd(row, row.startOf(peer), row.endOf(peer));
    if (lastLocal === null || far === null) return null;
    return { localAddress: lastLocal.address, localPort: lastLocal.port, peerAddress: far.address, peerPort: far.port };
  };
}

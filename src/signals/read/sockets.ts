import type { Socket } from '../../evidence/schema.ts';
import { addressReader } from './addresses.ts';
import { type Ends, newEnds } from './ends.ts';
import { readPort } from './rows.ts';

/** What one command said about the sockets of a network namespace, whichever command it was. */
export interface ReadSockets {
  /** Established, each 4-tuple once, in the order of the output. */
  readonly sockets: readonly Socket[];
  /** Sockets in TIME-WAIT; 0 also where the command does not show them. */
  readonly timeWait: number;
  readonly timeWaitByPort: ReadonlyMap<number, number>;
  /** Rows that look like sockets and cannot be read. Of torn output some rows are missing as well. */
  readonly unreadableRows: number;
}

/** Gathers rows; of rows with the same 4-tuple it keeps the first. */
export interface SocketGatherer {
  /** False when this connection is there already. */
  established(socket: Socket): boolean;
  /** Puts more of what is known in the place of the last one. */
  replaceLast(socket: Socket): void;
  timeWait(ends: Ends): void;
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
    unreadableRows: read.unreadableRows,
  };
}

export function gatherSockets(): SocketGatherer {
  const sockets: Socket[] = [];
  const isNewConnection = newEnds();
  const isNewTimeWait = newEnds();
  const timeWaitByPort = new Map<number, number>();
  let timeWait = 0;
  let unreadableRows = 0;
  return {
    established(socket) {
      const isNew = isNewConnection(socket);
      if (isNew) sockets.push(socket);
      return isNew;
    },
    replaceLast(socket) {
      sockets[sockets.length - 1] = socket;
    },
    timeWait(ends) {
      if (!isNewTimeWait(ends)) return;
      timeWait++;
      timeWaitByPort.set(ends.localPort, (timeWaitByPort.get(ends.localPort) ?? 0) + 1);
    },
    unreadable() {
      unreadableRows++;
    },
    result: () => ({ sockets, timeWait, timeWaitByPort, unreadableRows }),
  };
}

/** Reads `ADDRESS:PORT` twice, brackets optional; null where either is none. */
export function endsReader(): (local: string, peer: string) => Ends | null {
  const readAddress = addressReader();
  const readEnd = (text: string) => {
    const colon = text.lastIndexOf(':');
    const port = readPort(text.slice(colon + 1));
    const address = colon <= 0 || port === null ? null : readAddress(text.slice(0, colon));
    return address === null || port === null ? null : { address, port };
  };
  // The local end of a server is the same in nearly every row.
  let lastText = '';
  let lastLocal = readEnd('');
  return (local, peer) => {
    if (local !== lastText) {
      lastText = local;
      lastLocal = readEnd(local);
    }
    const far = readEnd(peer);
    if (lastLocal === null || far === null) return null;
    return { localAddress: lastLocal.address, localPort: lastLocal.port, peerAddress: far.address, peerPort: far.port };
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Socket } from '../../src/evidence/looks.ts';
import { normaliseAddress } from '../../src/signals/read/addresses.ts';
import { readNetstat } from '../../src/signals/read/netstat.ts';
import { readProcNetTcp } from '../../src/signals/read/proc-net-tcp.ts';
import type { ReadSockets } from '../../src/signals/read/sockets.ts';
import { readSs } from '../../src/signals/read/ss.ts';

type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'peerAddress' | 'peerPort'>;
interface Way {
  readonly reader: (text: string) => ReadSockets;
  /** One socket as the command prints it, and what the reader is to make of it. */
  readonly print: (socket: Required<Socket>) => string;
  readonly kept: (socket: Required<Socket>) => Socket;
}

const port = fc.integer({ min: 0, max: 65_535 });
const count = fc.oneof(fc.constant(0), fc.nat(), fc.maxSafeNat());
const queue = fc.integer({ min: 0, max: 0xffff_ffff });
/** IPv6 addresses in the spelling that the readers give; mapped ones are IPv4. */
const ipv6 = fc.ipV6().map((text) => normaliseAddress(text) ?? '::');
const address = fc.oneof(fc.ipV4(), ipv6);
const sockets = fc.uniqueArray(
  fc.record<Required<Socket>>({
    localAddress: address,
    localPort: port,
    peerAddress: address,
    peerPort: port,
    receiveQueueBytes: queue,
    sendQueueBytes: queue,
    bytesReceived: count,
    bytesAcked: count,
    segmentsIn: count,
    segmentsOut: count,
    lastReceivedMs: count,
    lastSentMs: count,
  }),
  { selector: key, maxLength: 20 },
);

function key({ localAddress, localPort, peerAddress, peerPort }: Ends): string {
  return `${localAddress} ${localPort} ${peerAddress} ${peerPort}`;
}

const isIPv6 = (text: string) => text.includes(':');
/** ss as a server on `[::]` sees it: IPv4 mapped, everything in brackets. */
const bracketed = (text: string) => (isIPv6(text) ? `[${text}]` : `[::ffff:${text}]`);
const field = (name: string, value: number) => (value === 0 ? '' : ` ${name}:${value}`);
const withoutCounters = ({
  bytesReceived,
  bytesAcked,
  segmentsIn,
  segmentsOut,
  lastReceivedMs,
  lastSentMs,
  ...rest
}: Required<Socket>) => rest;

function printSs(socket: Required<Socket>): string {
  const local = `${bracketed(socket.localAddress)}:${socket.localPort}`;
  return `${socket.receiveQueueBytes} ${socket.sendQueueBytes}   ${local}   ${bracketed(socket.peerAddress)}:${socket.peerPort}`;
}

function printInfo(socket: Required<Socket>): string {
  const bytes = field('bytes_acked', socket.bytesAcked) + field('bytes_received', socket.bytesReceived);
  const segments = field('data_segs_out', socket.segmentsOut) + field('data_segs_in', socket.segmentsIn);
  return `\t bbr rto:204 cwnd:10 bytes_sent:7${bytes} segs_out:9 segs_in:9${segments} send 8bps${field('lastsnd', socket.lastSentMs)}${field('lastrcv', socket.lastReceivedMs)} minrtt:1`;
}

function hexOf(text: string): string {
  const bytes = isIPv6(text) ? ipv6Bytes(text) : text.split('.').map(Number);
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(4 * word, 4 * word + 4).reverse());
  return words
    .flat()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** By the URL parser's groups, not by the library that the reader uses. */
function ipv6Bytes(text: string): number[] {
  const [head = '', tail = ''] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  return [...groups(head), ...missing, ...groups(tail)].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

function printProc(socket: Required<Socket>): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0').toUpperCase();
  // One family a table: an IPv4 end beside an IPv6 one is printed as mapped.
  const wide = isIPv6(socket.localAddress) || isIPv6(socket.peerAddress);
  const end = (text: string, number: number) =>
    `${wide && !isIPv6(text) ? '0000000000000000FFFF0000' : ''}${hexOf(text)}:${hex(number, 4)}`;
  const queues = `${hex(socket.sendQueueBytes, 8)}:${hex(socket.receiveQueueBytes, 8)}`;
  const ends = `${end(socket.localAddress, socket.localPort)} ${end(socket.peerAddress, socket.peerPort)}`;
  return `   0: ${ends} 01 ${queues} 00:00000000 00000000     0        0 908523 1 00000000160563b6 20 4 31 18 -1   `;
}

function printNetstat(socket: Required<Socket>): string {
  const ends = `${socket.localAddress}:${socket.localPort}  ${socket.peerAddress}:${socket.peerPort}`;
  return `tcp6  ${socket.receiveQueueBytes}  ${socket.sendQueueBytes} ${ends}  ESTABLISHED `;
}

const ways: readonly (readonly [string, Way])[] = [
  [
    'ss -tni',
    { reader: readSs, print: (socket) => `ESTAB ${printSs(socket)}\n${printInfo(socket)}`, kept: (socket) => socket },
  ],
  ['ss -Htn', { reader: readSs, print: printSs, kept: withoutCounters }],
  ['netstat -tn', { reader: readNetstat, print: printNetstat, kept: withoutCounters }],
  ['/proc/net/tcp', { reader: readProcNetTcp, print: printProc, kept: withoutCounters }],
];

describe.each(ways)('%s', (_name, { reader, print, kept }) => {
  it('gives back what was printed', () => {
    fc.assert(
      fc.property(sockets, (printed) => {
        const read = reader(printed.map(print).join('\n'));
        expect(read.sockets).toEqual(printed.map(kept));
        expect(read).toMatchObject({ unreadableRows: 0, timeWait: 0 });
      }),
    );
  });

  it('does not mind order or duplicates', () => {
    fc.assert(
      fc.property(sockets, (printed) => {
        const rows = printed.map(print);
        const read = reader([...rows.toReversed(), ...rows].join('\n'));
        expect(read.sockets.toReversed()).toEqual(printed.map(kept));
      }),
    );
  });

  it('takes any text, and keeps what is readable between garbage', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
      fc.constant('\t\t'),
    );
    fc.assert(
      fc.property(sockets, fc.array(line), (printed, garbage) => {
        const read = reader([...garbage, '-', ...printed.map(print)].join('\n'));
        for (const socket of read.sockets) {
          expect(normaliseAddress(socket.localAddress)).toBe(socket.localAddress);
          expect(normaliseAddress(socket.peerAddress)).toBe(socket.peerAddress);
        }
        expect(read.sockets.slice(-printed.length || read.sockets.length).map(key)).toEqual(
          expect.arrayContaining(printed.map(key)),
        );
      }),
    );
  });

  it('takes rows that are cut and sewn together anywhere', () => {
    fc.assert(
      fc.property(sockets, fc.array(fc.nat({ max: 5000 }), { maxLength: 6 }), (printed, cuts) => {
        const text = printed.map(print).join('\n');
        const pieces = cuts.map((cut) => text.slice(cut, cut + 300));
        expect(() => reader(pieces.join(''))).not.toThrow();
      }),
    );
  });

  it('takes megabytes of one line', () => {
    for (const unit of [' ', 'a', 'ESTAB ', '\t', '1:', '[::', 'tcp 0 0 ', '0.', ':', ' bytes_received:']) {
      const started = performance.now();
      reader(unit.repeat(2_000_000 / unit.length));
      reader(`ESTAB 0 0 1.1.1.1:1 1.1.1.2:2\n\t${unit.repeat(2_000_000 / unit.length)}`);
      // Linear takes milliseconds, quadratic minutes.
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});

describe('many rows', () => {
  it('without an address take no longer either', () => {
    const started = performance.now();
    expect(readSs('0 0 x y\n'.repeat(100_000))).toMatchObject({ sockets: [], unreadableRows: 100_000 });
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('of the same two ports take no longer than others', () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, index) => `0 0 10.0.0.1:1 10.${index >> 16}.${(index >> 8) & 255}.${index & 255}:1`,
    );
    const started = performance.now();
    expect(readSs(rows.join('\n')).sockets).toHaveLength(60_000);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

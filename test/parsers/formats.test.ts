import { describe, expect, it } from 'vitest';
import { normaliseAddress } from '../../src/signals/read/addresses.ts';
import { readNetstat } from '../../src/signals/read/netstat.ts';
import { readProcNetTcp } from '../../src/signals/read/proc-net-tcp.ts';
import { atPorts, type ReadSockets } from '../../src/signals/read/sockets.ts';
import { readSs } from '../../src/signals/read/ss.ts';

const pairs = (read: ReadSockets) =>
  read.sockets.map(
    ({ localAddress, localPort, peerAddress, peerPort }) => `${localAddress} ${localPort} ${peerAddress} ${peerPort}`,
  );
const padding = ' '.repeat(400);

describe('addresses', () => {
  it.each([
    ['10.244.0.242', '10.244.0.242'],
    ['[::ffff:10.244.0.242]', '10.244.0.242'],
    ['::ffff:10.244.0.242', '10.244.0.242'],
    ['[::FFFF:10.244.0.242]', '10.244.0.242'],
    ['::ffff:af4:f2', '10.244.0.242'],
    ['0:0:0:0:0:ffff:10.244.0.242', '10.244.0.242'],
    ['127.0.0.53%lo', '127.0.0.53'],
    ['[fe80::1]%eth0', 'fe80::1'],
    ['[fe80::1%eth0]', 'fe80::1'],
    ['FE80:0:0:0:0:0:0:1', 'fe80::1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['255.255.255.255', '255.255.255.255'],
    ['0.0.0.0', '0.0.0.0'],
  ])('%s is %s', (text, address) => {
    expect(normaliseAddress(text)).toBe(address);
  });

  it.each([
    '',
    '*',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.04',
    '1..2.3',
    'localhost',
    '[10.0.0.1',
    '[]',
    '[::1]x',
    ':::',
    '2001:db8',
    '10.0.0.1\u001b[31m',
    `::${'0'.repeat(5000)}1`,
  ])('%j is none', (text) => {
    expect(normaliseAddress(text)).toBeNull();
  });
});

describe('listening sockets', () => {
  it('are told by ss in rows of their own, between established ones', () => {
    const text = [
      'LISTEN 0 4096 *:50051 *:*',
      '\t cubic cwnd:10',
      'ESTAB 0 0 10.1.0.5:50051 10.1.0.9:41014',
      '\t bytes_acked:7 bytes_received:5 segs_out:2 segs_in:2 data_segs_out:1 data_segs_in:1',
      'LISTEN 0 128 127.0.0.1:9090 0.0.0.0:*',
      'LISTEN 0 128 [::1]:9091 [::]:*',
      'LISTEN 0 128 nonsense [::]:*',
    ].join('\n');
    const read = readSs(text);
    expect(read.listeners).toEqual([
      { address: '::', port: 50_051 },
      { address: '127.0.0.1', port: 9090 },
      { address: '::1', port: 9091 },
    ]);
    // The line of counters belongs to the row above it.
    expect(read.sockets).toMatchObject([{ peerPort: 41_014, bytesReceived: 5, bytesAcked: 7 }]);
    expect(read.unreadableRows).toBe(1);
    expect(atPorts(read, [50_051]).listeners).toEqual([{ address: '::', port: 50_051 }]);
  });

  it('are told by /proc in state 0A', () => {
    const listener = '  0: 00000000:C383 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 1';
    expect(readProcNetTcp(listener).listeners).toEqual([{ address: '0.0.0.0', port: 50_051 }]);
    expect(readProcNetTcp(listener).sockets).toEqual([]);
  });
});

describe('ss', () => {
  const row = 'ESTAB 0 12 [::ffff:10.1.0.5]:50051 [::ffff:10.1.0.9]:41014';

  it('reads rows with and without the State column, header, Netid and padding', () => {
    const expected = ['10.1.0.5 50051 10.1.0.9 41014'];
    const header = 'State Recv-Q Send-Q Local Address:Port Peer Address:Port Process';
    expect(pairs(readSs(row))).toEqual(expected);
    expect(pairs(readSs(`${header}${padding}\n${row}${padding}\n`))).toEqual(expected);
    expect(pairs(readSs(`${header.slice(6)}\n${row.slice(6)}\r\n`))).toEqual(expected);
    expect(pairs(readSs(`Netid ${header}\ntcp   ${row}`))).toEqual(expected);
    expect(
      pairs(readSs(`${row} users:(("server",pid=1,fd=7)) timer:(keepalive,12sec,0) ino:997309 sk:13dd <->`)),
    ).toEqual(expected);
    expect(readSs(row).sockets[0]).toMatchObject({ receiveQueueBytes: 0, sendQueueBytes: 12 });
  });

  it('counts only live connections', () => {
    const rows = [
      'CLOSE-WAIT 206 0 10.1.0.5:50051 10.1.0.9:1',
      'FIN-WAIT-2 0 0 10.1.0.5:50051 10.1.0.9:2',
      'SYN-RECV 0 0 10.1.0.5:50051 10.1.0.9:3',
      'LISTEN 0 4096 *:50051 *:*',
      'LISTEN 0 128 :::80 :::*',
      'LISTEN 0 4096 127.0.0.53%lo:53 0.0.0.0:*',
      'TIME-WAIT 0 0 10.1.0.5:50051 10.1.0.9:4',
      'TIME-WAIT 0 0 10.1.0.5:9090 10.1.0.9:5',
      'ESTAB 0 0 10.1.0.5:50051 10.1.0.9:6',
    ];
    const read = readSs(rows.join('\n'));
    expect(pairs(read)).toEqual(['10.1.0.5 50051 10.1.0.9 6']);
    expect(read).toMatchObject({ timeWait: 2, unreadableRows: 0 });
    expect(atPorts(read, [50051]).timeWait).toBe(1);
    expect(atPorts(read, []).sockets).toEqual([]);
  });

  it('reads the unbracketed addresses of an old ss', () => {
    expect(pairs(readSs('ESTAB 0 0 ::ffff:10.1.0.5:80 fe80::1%eth0:41014'))).toEqual(['10.1.0.5 80 fe80::1 41014']);
  });

  it('takes a counter that is not shown for 0, and all of them for unknown where none is shown', () => {
    const [counted] = readSs(`${row}\n\t cubic rto:204 cwnd:10 bytes_acked:7 segs_out:3 segs_in:2${padding}`).sockets;
    expect(counted).toMatchObject({
      bytesReceived: 0,
      bytesAcked: 7,
      segmentsIn: 0,
      segmentsOut: 0,
      lastReceivedMs: 0,
    });
    const [fromProc] = readSs(`${row}\n\t cubic rto:204 ato:40 cwnd:10 ssthresh:7`).sockets;
    expect(fromProc).not.toHaveProperty('bytesReceived');
    expect(readSs(row).sockets[0]).not.toHaveProperty('bytesReceived');
  });

  it('finds the counters in any order, and not inside of others', () => {
    const info =
      '\tbbr lastrcv:5 data_segs_in:4 data_segs_out:3 segs_in:90 bytes_received:2 bytes_acked:1 bbr:(bw:8bps,mrtt:1)';
    const [socket] = readSs(`${row}\n${info}`).sockets;
    expect(socket).toMatchObject({ bytesAcked: 1, bytesReceived: 2, segmentsOut: 3, segmentsIn: 4, lastReceivedMs: 5 });
  });

  it('reads what a process that stands still leaves unread, and since when it has sent nothing', () => {
    // iproute2 6.1: an echo server four seconds after SIGSTOP, while its client goes on sending.
    const text = [
      '10000  0      [::ffff:127.0.0.1]:50951 [::ffff:127.0.0.1]:54870',
      '\t bbr wscale:10,10 rto:204 rtt:0.033/0.021 ato:196 mss:32768 cwnd:18 bytes_sent:4500 bytes_acked:4500 bytes_received:14500 segs_out:30 segs_in:40 data_segs_out:9 data_segs_in:29 send 142987636364bps lastsnd:4088 lastrcv:72 lastack:72 delivered:10 app_limited minrtt:0.012',
    ];
    expect(readSs(text.join('\n')).sockets).toMatchObject([
      { receiveQueueBytes: 10_000, bytesReceived: 14_500, bytesAcked: 4500, lastSentMs: 4088, lastReceivedMs: 72 },
    ]);
  });

  it('keeps a counter a safe integer', () => {
    const [socket] = readSs(`${row}\n\t cubic bytes_received:18446744073709551615 segs_in:2`).sockets;
    expect(socket?.bytesReceived).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('gives the line of a row that is passed over to nobody', () => {
    const closing = 'CLOSE-WAIT 0 0 10.1.0.5:50051 10.1.0.9:1\n\t cubic bytes_received:99 segs_in:2';
    expect(readSs(`${row}\n${closing}`).sockets[0]).not.toHaveProperty('bytesReceived');
  });

  it('counts rows that it cannot read', () => {
    const rows = [
      'ESTAB 0 0 10.1.0.5:grpc 10.1.0.9:41014',
      'ESTAB 0 0 10.1.0.5:50051 web-1:41014',
      'ESTAB 0 0 10.1.0.5:50051',
      'ESTAB x 0 10.1.0.5:50051 10.1.0.9:41014',
      'ESTAB 0 0 10.1.0.5:65536 10.1.0.9:41014',
      'MAYBE 0 0 10.1.0.5:50051 10.1.0.9:41014',
      'Failed to find cgroup2 mount',
    ];
    expect(readSs(rows.join('\n'))).toMatchObject({ sockets: [], unreadableRows: rows.length });
  });
});

describe('netstat', () => {
  it('reads busybox and net-tools, with timers, programs and the UNIX section', () => {
    const text = `Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name     Timer
tcp        0      0 0.0.0.0:50051           0.0.0.0:*               LISTEN      -
tcp        0      0 :::9090                 :::*                    LISTEN
tcp       85      3 ::ffff:10.244.0.174:50051 ::ffff:10.244.0.9:33768 ESTABLISHED${' '}
tcp6       0      0 10.244.0.122:50051      10.244.0.9:41014        ESTABLISHED 74124/nginx: worker  keepalive (6580.48/0/0)
tcp6       0      0 2001:db8::5:50051       2001:db8::9:41014       ESTABLISHED 3397/./multi-rpc-client
tcp6       0      0 10.244.0.122:50051      10.244.0.9:41015        TIME_WAIT   -                    timewait (12.1/0/0)
tcp6       1      0 10.244.0.122:50051      10.244.0.9:41016        CLOSE_WAIT${' '}
tcp        0      0 localhost:15053         localhost:http          ESTABLISHED
udp        0      0 10.244.0.122:53         10.244.0.9:41017        ESTABLISHED
Active UNIX domain sockets (servers and established)
Proto RefCnt Flags       Type       State         I-Node   Path
unix  3      [ ]         STREAM     CONNECTED     27462    /run/tcp ESTABLISHED
`;
    const read = readNetstat(text);
    expect(pairs(read)).toEqual([
      '10.244.0.174 50051 10.244.0.9 33768',
      '10.244.0.122 50051 10.244.0.9 41014',
      '2001:db8::5 50051 2001:db8::9 41014',
    ]);
    expect(read.sockets[0]).toMatchObject({ receiveQueueBytes: 85, sendQueueBytes: 3 });
    expect(read).toMatchObject({ timeWait: 1, unreadableRows: 1 });
  });

  it('counts a row that is cut off', () => {
    expect(readNetstat('tcp 0 0 10.1.0.5:50051 10.1.0.9:41014')).toMatchObject({ sockets: [], unreadableRows: 1 });
    expect(readNetstat('tcp 0')).toMatchObject({ unreadableRows: 1 });
  });
});

describe('/proc/net/tcp', () => {
  const header4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode${padding}`;
  const header6 =
    '  sl  local_address                         remote_address                        st tx_queue rx_queue';
  const tail = '00:00000000 00000000     0        0 908557 1 000000002d8fcb80 20 4 31 18 -1';
  const row4 = `   0: 0500010A:C383 0900010A:A036 01 0000000C:00000055 ${tail}${padding}`;
  const row6 = `  12: 0000000000000000FFFF00000500010A:C383 0000000000000000FFFF00000900010A:A037 01 00000000:00000000 ${tail}`;

  it('reads tcp and tcp6 in any order, and either alone', () => {
    const first = '10.1.0.5 50051 10.1.0.9 41014';
    const second = '10.1.0.5 50051 10.1.0.9 41015';
    expect(pairs(readProcNetTcp([header4, row4, header6, row6].join('\n')))).toEqual([first, second]);
    expect(pairs(readProcNetTcp([header6, row6, header4, row4].join('\n')))).toEqual([second, first]);
    expect(pairs(readProcNetTcp([header4, row4].join('\n')))).toEqual([first]);
    expect(readProcNetTcp(row4).sockets[0]).toMatchObject({ receiveQueueBytes: 0x55, sendQueueBytes: 0x0c });
  });

  it('turns the words of an IPv6 address around, on a big-endian node not', () => {
    const peer = 'B80D01200000000067452301EFCDAB89';
    const little = `0: ${peer}:C383 00000000000000000000000001000000:0050 01 00000000:00000000 ${tail}`;
    expect(pairs(readProcNetTcp(little))).toEqual(['2001:db8::123:4567:89ab:cdef 50051 ::1 80']);
    const big = `0: 0A010005:C383 20010DB8000000000123456789ABCDEF:0050 01 00000000:00000000 ${tail}`;
    expect(pairs(readProcNetTcp(big, false))).toEqual(['10.1.0.5 50051 2001:db8::123:4567:89ab:cdef 80']);
  });

  it('tells the states apart, and counts torn rows', () => {
    const state = (code: string, port: string) => `1: 0500010A:C383 0900010A:${port} ${code} 00000000:00000000 ${tail}`;
    const torn = [
      row4.slice(0, 30),
      '00:00000000 0 0 908557 1',
      '2: 0500010A:C383 0900010A:A0 01 0:0',
      'cat: /proc/net/tcp6: none',
    ];
    const text = [
      row4,
      row4,
      state('06', '0001'),
      state('06', '0001'),
      state('08', '0002'),
      state('0A', '0003'),
      ...torn,
    ];
    const read = readProcNetTcp(text.join('\n'));
    expect(read.sockets).toHaveLength(1);
    expect(read).toMatchObject({ timeWait: 1, unreadableRows: torn.length });
  });
});

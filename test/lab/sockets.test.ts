import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { humanDuration } from '../../src/lab/api/table.ts';
import { selfSignedCertificate } from '../../src/lab/certificate.ts';
import { tableInPod } from '../../src/lab/exec/proc-net.ts';
import { inPod, shareRuns, ssArguments } from '../../src/lab/exec/ss.ts';

const nothingHidden = { realIp: '127.244.0.5', isHidden: () => false };

describe('arguments of ss', () => {
  test.each([
    [['-tn'], ['-tn', 'src 127.0.0.0/8']],
    [
      ['-H', '-t', '-n', '-i', 'state', 'established'],
      ['-Htni', 'state', 'established', 'src 127.0.0.0/8'],
    ],
    [
      ['-tniH', 'state', 'established', '(', 'sport', '=', ':50051', 'or', 'sport', '=', ':9090', ')'],
      ['-tniH', 'state', 'established', '( ( sport = :50051 or sport = :9090 ) ) and src 127.0.0.0/8'],
    ],
    [
      ['-tnH', 'state', 'established', 'state', 'listening', '( sport = :50051 )'],
      ['-tnH', 'state', 'established', 'state', 'listening', '( ( sport = :50051 ) ) and src 127.0.0.0/8'],
    ],
    [
      ['-tan', 'sport = :50051'],
      ['-tan', '( sport = :50051 ) and src 127.0.0.0/8'],
    ],
  ])('%j', (args, real) => {
    expect(ssArguments(args)).toEqual(real);
  });

  test.each([
    [['-xn']],
    [['-H', 'state', 'established']],
    [['-tn', '-K']],
    [['-tnp']],
    [['-tn', '-F', '/etc/passwd']],
    [['-tn', 'src', '127.0.0.1']],
    [['-tn', 'sport = :1 ) or ( sport = :2']],
    [['-tn', '--diag=/tmp/file']],
  ])('%j does not reach the machine', (args) => {
    expect(ssArguments(args)).toBeNull();
  });
});

describe('output of ss, as in the pod', () => {
  test('columns shrink with the addresses', () => {
    const machine = [
      'Recv-Q Send-Q       Local Address:Port          Peer Address:Port Process',
      '0      0      [::ffff:127.244.0.5]:50051 [::ffff:127.244.1.10]:40068       ',
      '\t bbr wscale:10,10 bytes_received:37099',
      '0      0      [::ffff:127.244.0.5]:9090   [::ffff:127.244.0.1]:40072       ',
      '',
    ].join('\n');
    expect(inPod(machine, nothingHidden)).toBe(
      [
        'Recv-Q Send-Q      Local Address:Port         Peer Address:Port Process',
        '0      0      [::ffff:10.244.0.5]:50051 [::ffff:10.244.1.10]:40068       ',
        '\t bbr wscale:10,10 bytes_received:37099',
        '0      0      [::ffff:10.244.0.5]:9090   [::ffff:10.244.0.1]:40072       ',
        '',
      ].join('\n'),
    );
  });

  test('columns as wide as their headings stay so', () => {
    const machine = '0      0       127.244.0.5:44565  127.96.0.38:50051\n';
    expect(inPod(machine, nothingHidden)).toBe('0      0        10.244.0.5:44565   10.96.0.38:50051\n');
  });

  test('hidden sockets go, with their details', () => {
    const machine = [
      '0      0       127.244.0.5:44565  127.244.0.9:50051',
      '\t details of the lab',
      '0      0       127.244.0.5:44565  127.96.0.38:50051',
      '\t details of the pod',
      '',
    ].join('\n');
    const isHidden = (local: string, peer: string) => `${local}>${peer}` === '127.244.0.5:44565>127.244.0.9:50051';
    expect(inPod(machine, { ...nothingHidden, isHidden })).toBe(
      '0      0        10.244.0.5:44565   10.96.0.38:50051\n\t details of the pod\n',
    );
  });

  test('the sockets of other pods go, with their details', () => {
    const machine = [
      'Recv-Q Send-Q       Local Address:Port          Peer Address:Port Process',
      '0      0      [::ffff:127.244.0.55]:50051 [::ffff:127.244.1.10]:40068       ',
      '\t details of another pod',
      '0      0       [::ffff:127.244.0.5]:50051 [::ffff:127.244.1.10]:40069       ',
      '\t details of the pod',
      '0      0               127.244.0.6:50051          127.244.0.5:40072       ',
      '',
    ].join('\n');
    const shown = inPod(machine, nothingHidden).split('\n');
    expect(shown.filter((line) => line !== '')).toHaveLength(3);
    expect(shown[1]).toContain(' [::ffff:10.244.0.5]:50051 [::ffff:10.244.1.10]:40069 ');
    expect(shown[2]).toBe('\t details of the pod');
  });

  test('a listener listens on every address; nothing stays nothing', () => {
    const machine = 'LISTEN 0      511    [::ffff:127.244.0.5]:50051             *:*\n';
    expect(inPod(machine, nothingHidden)).toBe('LISTEN 0      511                *:50051             *:*\n');
    expect(inPod('', nothingHidden)).toBe('');
  });
});

describe('runs that many ask for at a time', () => {
  const runner = () => {
    const started: { readonly args: readonly string[]; end(): void }[] = [];
    const ask = shareRuns((args) => {
      const number = started.length;
      return new Promise<number>((resolve) => {
        started.push({ args, end: () => resolve(number) });
      });
    });
    return { started, ask };
  };

  test('who asks while one is under way gets the next one, which all share', async () => {
    const { started, ask } = runner();
    const first = ask(['-tn']);
    const second = ask(['-tn']);
    const third = ask(['-tn']);
    expect(started).toHaveLength(1);
    started[0]?.end();
    expect(await first).toBe(0);
    await Promise.resolve();
    expect(started).toHaveLength(2);
    const fourth = ask(['-tn']);
    started[1]?.end();
    expect(await Promise.all([second, third])).toEqual([1, 1]);
    await Promise.resolve();
    started[2]?.end();
    expect(await fourth).toBe(2);
    expect(started).toHaveLength(3);
  });

  test('other arguments are another run; later on there is a new one', async () => {
    const { started, ask } = runner();
    const [first, other] = [ask(['-tn']), ask(['-tin'])];
    expect(started.map(({ args }) => args)).toEqual([['-tn'], ['-tin']]);
    for (const { end } of started) end();
    expect(await Promise.all([first, other])).toEqual([0, 1]);
    const later = ask(['-tn']);
    started[2]?.end();
    expect(await later).toBe(2);
  });
});

test('socket tables keep the pod’s rows, numbered anew', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const tail = '00000000:00000000 00:00000000 00000000     0        0 843842 2';
  const table = [
    head,
    `   0: 0100007F:0016 00000000:0000 0A ${tail}`,
    `  12: 0500F47F:9C84 2600607F:C383 01 ${tail}`,
    `  13: 0500F47F:9C84 0900F47F:C383 01 ${tail}`,
    `  14: 0500F47F:2382 00000000:0000 0A ${tail}`,
    '',
  ].join('\n');
  const isHidden = (_local: string, peer: string) => peer === '127.244.0.9:50051';
  expect(tableInPod(table, { realIp: '127.244.0.5', isHidden })).toBe(
    [head, `   0: 0500F40A:9C84 2600600A:C383 01 ${tail}`, `   1: 00000000:2382 00000000:0000 0A ${tail}`, ''].join(
      '\n',
    ),
  );
});

test('the certificate is its own authority, for 127.0.0.1', async () => {
  const { certificatePem, keyPem } = await selfSignedCertificate(Date.now());
  const certificate = new X509Certificate(certificatePem);
  expect(certificate.ca).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now());
  expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now());
  expect(keyPem).toContain('PRIVATE KEY');
});

test.each([
  [45, '45s'],
  [119, '119s'],
  [156, '2m36s'],
  [300, '5m'],
  [1500, '25m'],
  [3 * 3600 + 7 * 60, '3h7m'],
  [3 * 24 * 3600, '3d'],
  [9 * 24 * 3600 + 3600, '9d'],
])('%i seconds are %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});

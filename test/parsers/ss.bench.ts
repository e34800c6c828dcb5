/**
 * Rows per second of the ss reader. By hand: `npx node test/parsers/ss.bench.ts`. The goal is 1,000,000 rows a second.
 */
import { readSs } from '../../src/signals/read/ss.ts';

const pods = 1000;
const rowsPerPod = 100;
const rows = pods * rowsPerPod;
const info =
  '\t bbr wscale:10,10 rto:204 rtt:0.983/1.844 ato:40 mss:1348 pmtu:1400 rcvmss:536 advmss:1348 cwnd:15 bytes_sent:228 ' +
  'bytes_retrans:35 bytes_acked:193 bytes_received:217 segs_out:6 segs_in:6 data_segs_out:5 data_segs_in:2 ' +
  'bbr:(bw:158587736bps,mrtt:0.046,pacing_gain:2.88672,cwnd_gain:2.88672) send 164557477bps lastsnd:16 lastrcv:16 lastack:16 ' +
  'pacing_rate 6699796496bps delivery_rate 158588232bps delivered:6 app_limited busy:8ms retrans:0/1 dsack_dups:1 ' +
  'rcv_space:13480 rcv_ssthresh:64188 minrtt:0.046 snd_wnd:65536';

/** Peers on 2,000 client pods, as a server with very many connections sees them. */
function row(index: number): string {
  const client = index % 2000;
  const port = 32_768 + ((index * 7919) % 28_232);
  const peer = `[::ffff:10.244.${client >> 8}.${client & 255}]:${port}`;
  return `0      0      [::ffff:10.244.0.242]:50051 ${peer}`;
}

function measure(name: string, texts: readonly string[], lines: number): void {
  const read = () => texts.map(readSs);
  for (let warmUp = 0; warmUp < 6; warmUp++) read();
  const started = performance.now();
  const results = read();
  const seconds = (performance.now() - started) / 1000;
  const perSecond = Math.round(lines / seconds).toLocaleString('en');
  const sockets = results.reduce((sum, result) => sum + result.sockets.length, 0);
  process.stdout.write(`${name}: ${perSecond} rows/s, ${sockets} sockets\n`);
}

const indexes = Array.from({ length: rows }, (_, index) => index);
const plain = indexes.map(row);
const withInfo = plain.map((line) => `${line}\n${info}`);
// By way of bytes, as the answer of an exec comes: a joined text would be a tree that is flattened while it is read.
const text = (lines: readonly string[]) => Buffer.from(lines.join('\n')).toString();
const perPod = (lines: readonly string[]) =>
  Array.from({ length: pods }, (_, pod) => text(lines.slice(pod * rowsPerPod, (pod + 1) * rowsPerPod)));

measure('ss -Htn, 1,000 pods', perPod(plain), rows);
measure('ss -Htni, 1,000 pods', perPod(withInfo), 2 * rows);
measure('ss -Htn, one pod', [text(plain)], rows);
measure('ss -Htni, one pod', [text(withInfo)], 2 * rows);
measure('garbage', [text(plain.map(() => 'x y z'))], rows);
measure('20 MB of blanks', [' '.repeat(20_000_000)], 1);

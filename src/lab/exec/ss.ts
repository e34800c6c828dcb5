import { execFile } from 'node:child_process';
import { clusterAddress } from '../addresses.ts';

/** Whose sockets to show, and which of them nobody in the pod would see. */
export interface PodSockets {
  readonly realIp: string;
  isHidden(local: string, peer: string): boolean;
}

export type SsOutput = { readonly code: number; readonly stdout: string; readonly stderr: string } | 'missing';

const filter = /^\( ?[ds]port = :\d{1,5}( or [ds]port = :\d{1,5})* ?\)$|^[ds]port = :\d{1,5}$/;

const stateWord = /^state (established|listening)( |$)/;

/**
 * The arguments that reach the machine's real ss, restricted to the pod's address; null for any other form. TCP and
 * numbers must be asked for: without -t, ss would show sockets that have nothing to do with the lab.
 */
export function ssArguments(args: readonly string[], realIp: string): readonly string[] | null {
  const options: string[] = [];
  let rest = args.join(' ').replace(/\s+/g, ' ').trim();
  for (let match = /^-([Htniemoa]+)( |$)/.exec(rest); match; match = /^-([Htniemoa]+)( |$)/.exec(rest)) {
    options.push(match[1] ?? '');
    rest = rest.slice(match[0].length);
  }
  const letters = options.join('');
  if (!letters.includes('t') || !letters.includes('n')) return null;
  const states: string[] = [];
  for (let match = stateWord.exec(rest); match; match = stateWord.exec(rest)) {
    states.push('state', match[1] ?? '');
    rest = rest.slice(match[0].length);
  }
  if (rest !== '' && !filter.test(rest)) return null;
  const own = `src ${realIp}`;
  return [`-${letters}`, ...states, rest === '' ? own : `( ${rest} ) and ${own}`];
}

/** Runs ss on the machine and shows what it would show in the pod. */
export function runSs(args: readonly string[], pod: PodSockets): Promise<SsOutput> {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`;
  return new Promise((resolve) => {
    execFile('ss', args, { env: { PATH: path }, timeout: 10_000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error && error.code === 'ENOENT') return resolve('missing');
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, stdout: inPod(stdout, pod), stderr: clusterAddress(stderr) });
    });
  });
}

// A row or the header: what stands before the local address, that address and its port, the peer and its port, more.
const row = /^(.*?\S)(\s+)(Local Address|\S+):(\S+)(\s+)(Peer Address|\S+):(\S+)(.*)$/;

interface Row {
  readonly before: string;
  readonly gaps: readonly [string, string];
  readonly addresses: readonly [string, string];
  readonly ports: readonly [string, string];
  readonly rest: string;
}

/**
 * Drops hidden sockets and puts cluster addresses in. ss right-aligns an address in a column as wide as its widest,
 * header included (also where -H leaves it out), so the columns shrink with the addresses.
 */
export function inPod(output: string, pod: PodSockets): string {
  // With -i, a line that starts with a tab belongs to the row above it.
  const blocks = output.split(/\n(?!\t)/).filter((block) => block !== '');
  const all = blocks.map((block) => {
    const [first = '', ...details] = block.split('\n');
    return { first, details, row: parseRow(first) };
  });
  const shown = all.filter(({ row }) => !row || !pod.isHidden(socketName(row, 0), socketName(row, 1)));
  const shrunk = ([0, 1] as const).map((side) => {
    const least = ['Local Address', 'Peer Address'][side]?.length ?? 0;
    const before = Math.max(least, ...all.map(({ row }) => row?.addresses[side].length ?? 0));
    return before - Math.max(least, ...shown.map(({ row }) => (row ? podAddress(row, side).length : 0)));
  });
  const lines = shown.flatMap(({ first, details, row }) => {
    if (!row) return [first, ...details];
    const [local, peer] = ([0, 1] as const).map((side) => {
      const width = row.gaps[side].length + row.addresses[side].length - (shrunk[side] ?? 0);
      return `${podAddress(row, side).padStart(width)}:${row.ports[side]}`;
    });
    return [`${row.before}${local}${peer}${row.rest}`, ...details];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function parseRow(line: string): Row | null {
  const match = row.exec(line);
  if (!match) return null;
  const [, before = '', gap = '', local = '', localPort = '', peerGap = '', peer = '', peerPort = '', rest = ''] =
    match;
  return { before, gaps: [gap, peerGap], addresses: [local, peer], ports: [localPort, peerPort], rest };
}

function podAddress({ addresses, ports }: Row, side: 0 | 1): string {
  // A server in a real pod listens on every address of its own network namespace.
  if (side === 0 && ports[1] === '*') return '*';
  return clusterAddress(addresses[side]);
}

function socketName({ addresses, ports }: Row, side: 0 | 1): string {
  return `${addresses[side].replace(/^\[::ffff:(.*)\]$/, '$1')}:${ports[side]}`;
}

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

/** All addresses of the lab are in here. */
const labNetwork = '127.0.0.0/8';

/**
 * The arguments that reach the machine's real ss, restricted to the addresses of the lab; null for any other form. TCP
 * and numbers must be asked for: without -t, ss would show sockets that have nothing to do with the lab.
 */
export function ssArguments(args: readonly string[]): readonly string[] | null {
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
  const own = `src ${labNetwork}`;
  return [`-${letters}`, ...states, rest === '' ? own : `( ${rest} ) and ${own}`];
}

/** Runs ss on the machine and shows what it would show in the pod. */
export async function runSs(args: readonly string[], pod: PodSockets): Promise<SsOutput> {
  const output = await machineSs(args);
  return output === 'missing'
    ? output
    : { code: output.code, stdout: inPod(output.stdout, pod), stderr: clusterAddress(output.stderr) };
}

/**
 * Runs that are asked for while one with the same arguments is under way share the next one, so that execs in many pods
 * at a time start few processes; each start holds this whole process up for some 15 ms. No run began before it was asked
 * for.
 */
const machineSs = shareRuns((args) => {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`;
  return new Promise<SsOutput>((resolve) => {
    execFile('ss', args, { env: { PATH: path }, timeout: 10_000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error && error.code === 'ENOENT') return resolve('missing');
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
});

/** `run` must not reject. */
export function shareRuns<T>(run: (args: readonly string[]) => Promise<T>): (args: readonly string[]) => Promise<T> {
  const under = new Map<string, { readonly now: Promise<T>; next: Promise<T> | null }>();
  const start = (key: string, args: readonly string[]): Promise<T> => {
    const entry = { now: run(args), next: null };
    under.set(key, entry);
    return entry.now.finally(() => {
      if (under.get(key) === entry && entry.next === null) under.delete(key);
    });
  };
  return (args) => {
    const key = JSON.stringify(args);
    const entry = under.get(key);
    if (entry === undefined) return start(key, args);
    entry.next ??= entry.now.then(() => start(key, args));
    return entry.next;
  };
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
 * Drops the sockets of other pods and hidden ones, and puts cluster addresses in. ss right-aligns an address in a column as wide as its widest,
 * header included (also where -H leaves it out), so the columns shrink with the addresses.
 */
export function inPod(output: string, pod: PodSockets): string {
  // With -i, a line that starts with a tab belongs to the row above it.
  const blocks = output.split(/\n(?!\t)/).filter((block) => block !== '');
  const all = blocks.map((block) => {
    const [first = '', ...details] = block.split('\n');
    return { first, details, row: parseRow(first) };
  });
  const shown = all.filter(({ row }) => row === null || isHeader(row) || isShown(row, pod));
  const shrunk = ([0, 1] as const).map((side) => {
    const least = ['Local Address', 'Peer Address'][side]?.length ?? 0;
    const before = all.reduce((most, { row }) => Math.max(most, row?.addresses[side].length ?? 0), least);
    return before - shown.reduce((most, { row }) => Math.max(most, row ? podAddress(row, side).length : 0), least);
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

function isHeader({ addresses }: Row): boolean {
  return addresses[0] === 'Local Address';
}

function isShown(row: Row, pod: PodSockets): boolean {
  return plainAddress(row, 0) === pod.realIp && !pod.isHidden(socketName(row, 0), socketName(row, 1));
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

function socketName(row: Row, side: 0 | 1): string {
  return `${plainAddress(row, side)}:${row.ports[side]}`;
}

/** An IPv4 address may be written as one of IPv6. */
function plainAddress({ addresses }: Row, side: 0 | 1): string {
  return addresses[side].replace(/^\[::ffff:(.*)\]$/, '$1');
}

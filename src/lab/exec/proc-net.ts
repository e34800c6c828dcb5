import { readFile } from 'node:fs/promises';
import type { PodSockets } from './ss.ts';

const files = ['/proc/net/tcp', '/proc/net/tcp6'];

/** `cat` of the socket tables: the header and the pod's rows. Any other file does not exist in the pod. */
export async function catProcNet(
  paths: readonly string[],
  pod: PodSockets,
): Promise<{ code: number; stdout: Buffer[]; stderr: Buffer }> {
  const stdout: Buffer[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    if (!files.includes(path)) {
      missing.push(path);
      continue;
    }
    // A machine without IPv6 has no tcp6.
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) missing.push(path);
    else stdout.push(Buffer.from(tableInPod(text, pod)));
  }
  const stderr = missing.map((path) => `cat: ${path}: No such file or directory\n`).join('');
  return { code: missing.length > 0 ? 1 : 0, stdout, stderr: Buffer.from(stderr) };
}

const row = /^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]{2})/;
const listening = '0A';

/** Keeps the pod's rows of a table of the machine, numbers them anew and puts cluster addresses in. */
export function tableInPod(text: string, pod: PodSockets): string {
  const [header = '', ...lines] = text.split('\n');
  const own = hexAddress(pod.realIp);
  let index = 0;
  const rows = lines.flatMap((line) => {
    const [, local = '', localPort = '', peer = '', peerPort = '', state] = row.exec(line) ?? [];
    if (!local.endsWith(own)) return [];
    if (pod.isHidden(socketName(local, localPort), socketName(peer, peerPort))) return [];
    const number = `${String(index).padStart(4)}:`;
    index += 1;
    // A server in a real pod listens on every address of its own network namespace.
    const shownLocal = state === listening ? '0'.repeat(local.length) : inCluster(local);
    const rest = line
      .slice(line.indexOf(':') + 1)
      .replace(local, shownLocal)
      .replace(peer, inCluster(peer));
    return [number + rest];
  });
  return `${[header, ...rows].join('\n')}\n`;
}

/** An IPv4 address as the kernel prints it: the bytes of a little-endian word. */
function hexAddress(ip: string): string {
  const bytes = ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0').toUpperCase());
  return bytes.reverse().join('');
}

/** 127.244 and 127.96 in a little-endian word are F47F and 607F at its end. */
function inCluster(address: string): string {
  return address.replace(/(F4|60)7F$/, '$10A');
}

function socketName(address: string, port: string): string {
  const bytes = address.slice(-8).match(/../g) ?? [];
  const ip = bytes.reverse().map((byte) => Number.parseInt(byte, 16));
  return `${ip.join('.')}:${Number.parseInt(port, 16)}`;
}

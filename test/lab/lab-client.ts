import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { parse } from 'yaml';
import type { Lab } from '../../src/lab/lab.ts';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Frame {
  readonly fin: boolean;
  readonly opcode: string;
  readonly length: number;
  readonly channel?: number;
  readonly payload?: string;
  readonly close_code?: number;
  readonly close_reason?: string;
}

export interface Upgraded extends Reply {
  readonly frames: readonly Frame[];
}

/** Speaks to a lab's API as one of its users, with nothing between the test and the wire but node:https. */
export interface LabClient {
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  json(path: string): Promise<Record<string, unknown>>;
  upgrade(method: string, path: string, subprotocols: readonly string[]): Promise<Upgraded>;
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
}

/** `user` is `admin`, `viewer`, `anonymous`, or a bearer token of its own. */
export function clientOf(lab: Lab, user: string): LabClient {
  const config = parse(readFileSync(lab.kubeconfigPath, 'utf8')) as Kubeconfig;
  const [{ cluster }] = config.clusters;
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64');
  const contexts: Record<string, string> = { admin: 'grpc-skew-lab', viewer: 'grpc-skew-lab-viewer' };
  const token = config.users.find(({ name }) => name === contexts[user])?.user.token ?? user;
  const authorization: Record<string, string> = user === 'anonymous' ? {} : { authorization: `Bearer ${token}` };
  const open = (method: string, path: string, headers: Record<string, string> = {}) =>
    request(new URL(path, cluster.server), { method, ca, agent: false, headers: { ...authorization, ...headers } });

  const send: LabClient['send'] = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = open(method, path, headers);
      sent.on('error', reject);
      sent.on('response', (response) => readReply(response).then(resolve, reject));
      sent.end(body);
    });
  return {
    send,
    get: (path, headers) => send('GET', path, headers),
    json: async (path) => JSON.parse((await send('GET', path)).body) as Record<string, unknown>,
    upgrade: (method, path, subprotocols) =>
      new Promise((resolve, reject) => {
        const sent = open(method, path, {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...(subprotocols.length > 0 ? { 'sec-websocket-protocol': subprotocols.join(', ') } : {}),
        });
        sent.on('error', reject);
        sent.on('response', (response) =>
          readReply(response).then((reply) => resolve({ ...reply, frames: [] }), reject),
        );
        sent.on('upgrade', (response, socket, head) => {
          readAll(socket, head).then(
            (bytes) => resolve({ status: 101, headers: response.headers, body: '', frames: readFrames(bytes) }),
            reject,
          );
        });
        sent.end();
      }),
  };
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

/** All that the server sends; answers its close frame so that the connection ends. */
function readAll(socket: Duplex, head: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks = [head];
    const closing = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);
    const answerClose = () => {
      if (readFrames(Buffer.concat(chunks)).some(({ opcode }) => opcode === 'close')) socket.write(closing);
    };
    answerClose();
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      answerClose();
    });
    socket.on('error', reject);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

const opcodes: Readonly<Record<number, string>> = { 1: 'text', 2: 'binary', 8: 'close' };

/** The frames of a server (RFC 6455), in the form of the recordings. */
function readFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [first = 0, second = 0] = bytes.subarray(at);
    const short = second & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (at + 2 + extra > bytes.length) break;
    const length =
      extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const start = at + 2 + extra;
    if (start + length > bytes.length) break;
    frames.push(frameOf((first & 0x80) !== 0, first & 0x0f, bytes.subarray(start, start + length)));
    at = start + length;
  }
  return frames;
}

function frameOf(fin: boolean, code: number, content: Buffer): Frame {
  const opcode = opcodes[code] ?? String(code);
  const { length } = content;
  if (opcode === 'close') {
    const reason = content.subarray(2).toString();
    return { fin, opcode, length, close_code: content.readUInt16BE(0), close_reason: reason };
  }
  if (opcode === 'text') {
    const payload = Buffer.from(content.subarray(1).toString(), 'base64').toString();
    return { fin, opcode, length, channel: Number(String.fromCharCode(content[0] ?? 0)), payload };
  }
  return { fin, opcode, length, channel: content[0] ?? -1, payload: content.subarray(1).toString() };
}

/** The names of the lab's pods of one app, in the order in which they were created. */
export async function podNames(client: LabClient, lab: Lab, app: string): Promise<readonly string[]> {
  const pods = (await client.json(`/api/v1/namespaces/${lab.namespace}/pods?labelSelector=app%3D${app}`))['items'] as {
    readonly metadata: { readonly name: string; readonly creationTimestamp: string };
  }[];
  return pods
    .sort((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp))
    .map(({ metadata }) => metadata.name);
}

/** What a command writes to stdout in a pod. */
export async function stdoutOf(client: LabClient, lab: Lab, pod: string, command: readonly string[]): Promise<string> {
  const query = new URLSearchParams([...command.map((word) => ['command', word]), ['stdout', 'true']]);
  const path = `/api/v1/namespaces/${lab.namespace}/pods/${pod}/exec?${query}`;
  const { frames } = await client.upgrade('GET', path, ['v5.channel.k8s.io']);
  return frames
    .filter(({ channel }) => channel === 1)
    .map(({ payload }) => payload)
    .join('');
}

export function fixture<T = Record<string, unknown>>(name: string): T {
  return JSON.parse(fixtureText(name)) as T;
}

export function fixtureText(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

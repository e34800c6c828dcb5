import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { fixture, type Upgrade } from './api-server.ts';

export interface Recording {
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly frames: readonly { readonly channel?: number; readonly payload?: string; readonly close?: number }[];
  readonly body?: string;
}

export function execRecording(name: string): Recording {
  return JSON.parse(fixture(`exec/${name}.json`)) as Recording;
}

/** Speaks first `v5.channel.k8s.io`, else `v4.channel.k8s.io`, as an API server does. */
export function webSocket(serve: (socket: WebSocket, request: IncomingMessage) => void, only?: string): Upgrade {
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) =>
      ['v5.channel.k8s.io', 'v4.channel.k8s.io'].find((one) => offered.has(one) && (only ?? one) === one) ?? false,
  });
  return (request, socket, head) => server.handleUpgrade(request, socket, head, (client) => serve(client, request));
}

export function frame(channel: number, payload: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(payload)]);
}

export const successFrame = frame(3, '{"metadata":{},"status":"Success"}');

/** Answers an upgrade with plain HTTP. */
export function refuse(socket: Duplex, statusLine: string, body: string, headers: Record<string, string> = {}): void {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(`${statusLine}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Plays back what a real API server sent. */
export function replay(recording: Recording): Upgrade {
  if (!recording.statusLine.includes(' 101 ')) {
    const { 'Content-Length': _length, Connection: _connection, ...headers } = recording.headers;
    return (_request, socket) => refuse(socket, recording.statusLine, recording.body ?? '', headers);
  }
  return webSocket((socket) => {
    for (const { channel, payload, close } of recording.frames) {
      if (close !== undefined) socket.close(close);
      else socket.send(frame(channel ?? 0, payload ?? ''));
    }
  }, recording.headers['Sec-WebSocket-Protocol']);
}

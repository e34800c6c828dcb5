import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answer } from './answer.ts';

function headersOf(answer: Answer): Record<string, string> {
  return {
    'Audit-Id': randomUUID(),
    'Cache-Control': 'no-cache, private',
    ...(answer.contentType ? { 'Content-Type': answer.contentType } : {}),
    ...answer.headers,
    'Content-Length': String(Buffer.byteLength(answer.body)),
  };
}

export function writeAnswer(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body);
}

/** Answers a request to upgrade, which has no response object, and ends its connection. */
export function writeRawAnswer(socket: Duplex, answer: Answer): void {
  const headers = Object.entries({ ...headersOf(answer), Date: new Date().toUTCString(), Connection: 'close' });
  writeHead(socket, answer.status, headers, answer.body);
}

/** A refusal from below the API's own handlers: no headers but one, and for an unknown subprotocol no body either. */
export function writeBareRefusal(socket: Duplex, status: number, body: string): void {
  writeHead(socket, status, [['Connection', 'close']], body);
}

function writeHead(socket: Duplex, status: number, headers: readonly (readonly string[])[], body: string): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map((header) => header.join(': '))];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { decodeText } from './files/decode.ts';

/** Bytes of a file that is read whole: a record of 10,000 pods has a tenth. What is longer is none, or has no end. */
const mostBytes = 256 << 20;

/** Reads a file that the user named, in UTF-8; an error where that cannot be, is too long, or was interrupted. */
export async function readInput(path: string, signal: AbortSignal, most = mostBytes): Promise<string | Error> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of await openInput(path, signal)) {
      length += piece.length;
      if (length > most) return new Error(`it is longer than ${Math.round(most / 2 ** 20)} MiB`);
      pieces.push(piece);
    }
    return decodeText(Buffer.concat(pieces));
  } catch (error) {
    if (signal.aborted) return new Error('interrupted');
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The code of the system where there is one. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

/** A pipe is opened without waiting for its writer: such a wait cannot be interrupted, not even by the end of the program. */
async function openInput(path: string, signal: AbortSignal): Promise<Readable> {
  const state = await stat(path);
  if (!state.isFIFO()) return createReadStream(path, { signal });
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false, signal });
}

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { sizeOf } from './limits.ts';

const unzip = promisify(gunzip);

/** An answer that is longer than anything that was asked for. */
export class TooLong extends Error {}

/**
 * Reads the body of an answer as text, unpacked.
 * @param limit bytes, on the wire and unpacked; throws `TooLong` beyond it
 */
export async function readBody(response: Dispatcher.ResponseData, limit: number): Promise<string> {
  const tooLong = () => new TooLong(`the answer is longer than ${sizeOf(limit)}`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += (chunk as Buffer).length;
    if (bytes > limit) throw tooLong();
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  const zipped = String(response.headers['content-encoding'] ?? '').toLowerCase() === 'gzip' && body.length > 0;
  if (!zipped) return body.toString('utf8');
  const unpacked = await unzip(body, { maxOutputLength: limit }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLong() : error;
  });
  return unpacked.toString('utf8');
}

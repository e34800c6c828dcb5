import { constants, openSync, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import type { Readable } from 'node:stream';
import { decodeText } from './decode.ts';

/** A kind of file: how long it may be, and whether it may be a pipe, as `<(command)` is one. */
export interface InputKind {
  readonly mostBytes: number;
  readonly pipe: boolean;
}

/** Every file that is read is one of these. What is longer is something else, or has no end. */
export const inputs = {
  /** A record or a report: 130,000 connections in two samples have 75 MiB. */
  record: { mostBytes: 128 << 20, pipe: true },
  /** An answer in a folder of recorded answers: as long as an answer of a cluster may be. */
  answer: { mostBytes: 64 << 20, pipe: false },
  /** A thousand clusters with their certificates have 6 MiB. */
  kubeconfig: { mostBytes: 8 << 20, pipe: true },
  /** A token that is named on the command line. */
  token: { mostBytes: 1 << 20, pipe: true },
  /** What a kubeconfig names: token, certificates, keys. The list of public authorities has 0.3 MiB. They are read again while the program runs. */
  credential: { mostBytes: 1 << 20, pipe: false },
} as const satisfies Readonly<Record<string, InputKind>>;

const stdin = '/dev/stdin';

/** Milliseconds until more must have come: from a disk, which may be a network's, and from a pipe, whose writer may ask a person. */
const patienceMs = { file: 10_000, pipe: 120_000 } as const;

/**
 * Reads a whole file, in UTF-8 or what its mark says. Answers an error where it is of another kind than is meant, is too long, cannot be read,
 * does not come, or where the signal aborted.
 * @param path `-` is standard input, where a pipe may be one
 */
export async function readInput(path: string, kind: InputKind, signal?: AbortSignal): Promise<string | Error> {
  const late = new AbortController();
  const ended = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  let waitMs: number = patienceMs.file;
  let timer = setTimeout(() => late.abort(), waitMs);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    const file = path === '-' && kind.pipe ? stdin : path;
    const state = await untilAborted(stat(file), ended);
    if (await isNull(state)) return '';
    const other = otherThanMeant(file, state, kind);
    if (other !== null) return new Error(`it is a ${other}, not a file`);
    if (!state.isFile()) {
      clearTimeout(timer);
      waitMs = patienceMs.pipe;
      timer = setTimeout(() => late.abort(), waitMs);
    }
    for await (const piece of await openInput(file, state, ended)) {
      timer.refresh();
      length += piece.length;
      if (length > kind.mostBytes) return new Error(`it is longer than ${kind.mostBytes >> 20} MiB`);
      pieces.push(piece);
    }
    return decodeText(Buffer.concat(pieces));
  } catch (error) {
    if (signal?.aborted === true) return new Error('interrupted');
    if (late.signal.aborted) return new Error(`nothing came of it for ${waitMs / 1000} s`);
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Why a file could not be read: the code of the system where there is one and it needs no words. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such file';
  return error.code ?? error.message;
}

/** What stands where a plain file is meant; null where that or a pipe that may be there is. */
function otherThanMeant(file: string, state: Stats, kind: InputKind): string | null {
  if (state.isFile()) return null;
  if (state.isDirectory()) return 'directory';
  if (state.isFIFO()) return kind.pipe ? null : 'pipe';
  if (state.isSocket()) return kind.pipe && file === stdin ? null : 'socket';
  return 'device';
}

/** /dev/null stands for an empty file, as in `KUBECONFIG=/dev/null`. */
async function isNull(state: Stats): Promise<boolean> {
  return state.isCharacterDevice() && (await stat(devNull).catch(() => null))?.rdev === state.rdev;
}

/**
 * Opened without waiting, whatever has come into the place of the file since: such a wait cannot be interrupted, not even
 * by the end of the program. A socket cannot be opened by a name: it can only be standard input.
 */
async function openInput(file: string, state: Stats, signal: AbortSignal): Promise<Readable> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  if (state.isFile()) return (await untilAborted(open(file, flags), signal)).createReadStream({ signal });
  const fd = state.isSocket() ? 0 : openSync(file, flags);
  return new Socket({ fd, readable: true, writable: false, signal });
}

/** A disk of a dead network answers nothing, and cannot be told to stop. */
function untilAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('aborted'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    asked.then(resolve, reject);
  });
}

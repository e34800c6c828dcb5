/** The one place that writes files: whole or not at all, for their owner alone, and never through a link that others made. */
import { randomBytes } from 'node:crypto';
import { constants, fstatSync, openSync, type Stats, writeFile as writeToFile } from 'node:fs';
import { open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** What a user's path may stand for beside a file. */
export interface WriteHost {
  /** Take text for the descriptors 1 and 2, in the order of all else that is printed there. */
  stdout(text: string): void;
  stderr(text: string): void;
  readonly interrupted: AbortSignal;
}

/** Milliseconds that a pipe may take nothing: its reader is given time to start, or to go on. */
const pipeWaitMs = 10_000;
/** The same once the user has asked for the end. */
const lastWaitMs = 1000;
const pollMs = 50;

/**
 * Writes to the path that a user named. A plain file is replaced as a whole; a descriptor (`/dev/stdout`, `/dev/fd/3`), a
 * pipe or a device is written to as it is, also where the path leads to the file that stdout or stderr goes to.
 * Answers what went wrong, or null.
 */
export async function writeNamed(path: string, text: string, around: WriteHost): Promise<Error | null> {
  return caught(async () => {
    const descriptor = await descriptorOf(path);
    if (descriptor !== null) return writeDescriptor(descriptor, text, around);
    const state = await stat(path).catch(() => null);
    if (state === null || state.isFile()) {
      const printed = state === null ? undefined : [1, 2].find((fd) => isSame(fd, state));
      if (printed !== undefined) return writeDescriptor(printed, text, around);
      return replace(await realpath(path).catch(() => path), text);
    }
    if (state.isFIFO()) return writePipe(await openPipe(path, around.interrupted), text, around.interrupted);
    if (state.isDirectory()) throw new Error(`${path} is a folder`);
    if (state.isSocket()) throw new Error(`${path} is a socket`);
    await writeFile(path, text, { flag: constants.O_WRONLY, signal: around.interrupted });
  });
}

/** Writes a file whose name the program chose: what stands there is replaced, not followed. Answers what went wrong, or null. */
export async function writeOwn(path: string, text: string): Promise<Error | null> {
  return caught(() => replace(path, text));
}

async function caught(write: () => Promise<void>): Promise<Error | null> {
  try {
    await write();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Written beside, under a name that nobody can foresee, and renamed. */
async function replace(path: string, text: string): Promise<void> {
  const beside = join(dirname(path), `.grpc-skew-${randomBytes(8).toString('hex')}.part`);
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(text).finally(() => file.close());
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** The descriptor of this process that a path means, by way of links; null where it means none. */
async function descriptorOf(path: string): Promise<number | null> {
  let place = resolve(path);
  // As many links as Linux follows.
  for (let links = 0; links < 40; links++) {
    const number = /^\/(?:dev|proc\/(?:self|thread-self|(\d+)))\/fd\/(\d+)$/.exec(place);
    if (number !== null && (number[1] ?? `${process.pid}`) === `${process.pid}`) return Number(number[2]);
    if (place === '/dev/stdout') return 1;
    if (place === '/dev/stderr') return 2;
    const target = await readlink(place).catch(() => null);
    if (target === null) return null;
    place = resolve(dirname(place), target);
  }
  return null;
}

async function writeDescriptor(fd: number, text: string, around: WriteHost): Promise<void> {
  if (fd === 1) return around.stdout(text);
  if (fd === 2) return around.stderr(text);
  const state = fstatSync(fd);
  if (state.isFIFO() || state.isSocket()) return writePipe(fd, text, around.interrupted);
  await promisify(writeToFile)(fd, text);
}

function isSame(fd: number, state: Stats): boolean {
  try {
    const { dev, ino } = fstatSync(fd);
    return dev === state.dev && ino === state.ino;
  } catch {
    return false;
  }
}

/** Opens a pipe for writing as soon as it has a reader, without a wait that nothing can interrupt. */
async function openPipe(path: string, interrupted: AbortSignal): Promise<number> {
  const endsAt = performance.now() + (interrupted.aborted ? lastWaitMs : pipeWaitMs);
  const signal = interrupted.aborted ? undefined : interrupted;
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      if (performance.now() >= endsAt) throw new Error(`nobody reads from the pipe ${path}`);
    }
    await wait(pollMs, undefined, signal && { signal }).catch(() => {
      throw new Error('interrupted');
    });
  }
}

/** Ends when all is taken, when the reader has gone, or takes nothing any more, or when the user wants the end. */
async function writePipe(fd: number, text: string, interrupted: AbortSignal): Promise<void> {
  const socket = new Socket({ fd, readable: false, writable: true });
  const stop = () => socket.destroy(new Error('interrupted'));
  if (!interrupted.aborted) interrupted.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((done, fail) => {
      socket.on('error', fail);
      socket.setTimeout(interrupted.aborted ? lastWaitMs : pipeWaitMs, () => {
        socket.destroy(new Error('nobody reads from the pipe'));
      });
      socket.end(text, (error?: Error | null) => (error ? fail(error) : done()));
    });
  } finally {
    interrupted.removeEventListener('abort', stop);
    socket.destroy();
  }
}

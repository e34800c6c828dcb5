import { answerLimits, sizeOf } from '../requests/limits.ts';

/** Channels of the subprotocols v4 and v5.channel.k8s.io (KEP-4006). */
const stdoutChannel = 1;
const stderrChannel = 2;
const statusChannel = 3;

/** Gathers the frames of one exec. */
export interface OutputCollector {
  take(channel: number, payload: Buffer): 'more' | 'status' | 'too-long';
  /** What was longer than it may be, in words; null: nothing. */
  tooLong(): string | null;
  stdout(): string;
  stderr(): string;
  /** The status frame as text, or undefined where none came. */
  status(): string | undefined;
  firstByteAt(): Date | undefined;
  statusAt(): Date | undefined;
  /** Must be called once the output is read, or is given up. */
  release(): void;
}

/** What the commands that run at once have sent so far. */
export interface Held {
  bytes: number;
}

/** @param held of all commands together: what this one holds is counted there until `release` */
export function collectOutput(maxBytes: number, held: Held): OutputCollector {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const status: Buffer[] = [];
  let frames = 0;
  let stdoutBytes = 0;
  let stderrBytes = 0;
  let statusBytes = 0;
  let tooLong: string | null = null;
  let firstByteAt: Date | undefined;
  let statusAt: Date | undefined;
  const excess = (): string | null => {
    if (stdoutBytes > maxBytes) return `the output is longer than ${sizeOf(maxBytes)}`;
    if (held.bytes > answerLimits.heldBytes)
      return `the outputs of several commands are together longer than ${sizeOf(answerLimits.heldBytes)}`;
    if (stderrBytes > maxBytes) return `the errors of the command are longer than ${sizeOf(maxBytes)}`;
    if (statusBytes > answerLimits.statusBytes)
      return `the status of the command is longer than ${sizeOf(answerLimits.statusBytes)}`;
    return frames > answerLimits.frames ? `the output came in more than ${answerLimits.frames} frames` : null;
  };
  return {
    take(channel, payload) {
      frames += 1;
      if (channel === stdoutChannel) {
        stdoutBytes += payload.length;
        held.bytes += payload.length;
      } else if (channel === stderrChannel) stderrBytes += payload.length;
      else if (channel === statusChannel) statusBytes += payload.length;
      tooLong ??= excess();
      if (tooLong !== null) {
        stdout.length = 0;
        return 'too-long';
      }
      // Each stream begins with an empty frame.
      if (payload.length === 0) return 'more';
      if (channel === stdoutChannel) {
        firstByteAt ??= new Date();
        stdout.push(payload);
      } else if (channel === stderrChannel && stderrBytes - payload.length < answerLimits.stderrBytes) {
        stderr.push(payload.subarray(0, answerLimits.stderrBytes));
      } else if (channel === statusChannel) {
        statusAt ??= new Date();
        status.push(payload);
        return 'status';
      }
      return 'more';
    },
    tooLong: () => tooLong,
    // Decoded as a whole: a character may be split between two frames.
    stdout: () => Buffer.concat(stdout).toString('utf8'),
    stderr: () => Buffer.concat(stderr).toString('utf8'),
    status: () => (status.length === 0 ? undefined : Buffer.concat(status).toString('utf8')),
    firstByteAt: () => firstByteAt,
    statusAt: () => statusAt,
    release() {
      held.bytes -= stdoutBytes;
    },
  };
}

/** Channels of the subprotocols v4 and v5.channel.k8s.io (KEP-4006). */
const stdoutChannel = 1;
const stderrChannel = 2;
const statusChannel = 3;
/** Enough for any message of a program. */
const maxStderrBytes = 64 << 10;

/** Gathers the frames of one exec. */
export interface OutputCollector {
  readonly maxBytes: number;
  take(channel: number, payload: Buffer): 'more' | 'status' | 'too-long';
  tooLong(): boolean;
  stdout(): string;
  stderr(): string;
  /** The status frame as text, or undefined where none came. */
  status(): string | undefined;
  firstByteAt(): Date | undefined;
  statusAt(): Date | undefined;
}

export function collectOutput(maxBytes: number): OutputCollector {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const status: Buffer[] = [];
  let stdoutBytes = 0;
  let stderrBytes = 0;
  let firstByteAt: Date | undefined;
  let statusAt: Date | undefined;
  return {
    maxBytes,
    take(channel, payload) {
      // Each stream begins with an empty frame.
      if (payload.length === 0) return 'more';
      if (channel === stdoutChannel) {
        firstByteAt ??= new Date();
        stdoutBytes += payload.length;
        if (stdoutBytes > maxBytes) return 'too-long';
        stdout.push(payload);
      } else if (channel === stderrChannel && stderrBytes < maxStderrBytes) {
        stderrBytes += payload.length;
        stderr.push(payload.subarray(0, maxStderrBytes));
      } else if (channel === statusChannel) {
        statusAt ??= new Date();
        status.push(payload);
        return 'status';
      }
      return 'more';
    },
    tooLong: () => stdoutBytes > maxBytes,
    // Decoded as a whole: a character may be split between two frames.
    stdout: () => Buffer.concat(stdout).toString('utf8'),
    stderr: () => Buffer.concat(stderr).toString('utf8'),
    status: () => (status.length === 0 ? undefined : Buffer.concat(status).toString('utf8')),
    firstByteAt: () => firstByteAt,
    statusAt: () => statusAt,
  };
}

import { randomBytes } from 'node:crypto';
import type { CommandResult } from './frames.ts';
import { catProcNet } from './proc-net.ts';
import { type PodSockets, runSs, ssArguments } from './ss.ts';

export interface SimulatedContainer extends PodSockets {
  readonly hasSs: boolean;
  /** What else is in the image, by name; each answers `status` alone. */
  readonly programs?: Readonly<Record<string, () => string>>;
}

/** Runs a command as if in a container: `ss` and `cat` of the socket tables, nothing else is in the image. */
export async function runCommand(argv: readonly string[], container: SimulatedContainer): Promise<CommandResult> {
  const [program = '', ...args] = argv;
  const other = container.programs?.[program];
  if (other !== undefined && args.join(' ') === 'status') return exit(0, other(), '');
  if (program === 'cat' && args.length > 0) {
    return { kind: 'exit', ...(await catProcNet(args, container)) };
  }
  if (program !== 'ss' || !container.hasSs) return notStarted(program);
  const real = ssArguments(args);
  if (!real)
    return exit(
      255,
      '',
      'ss: the lab knows -H -t -n -i -e -m -o -a, "state established", "state listening" and filters by port\n',
    );
  const output = await runSs(real, container);
  if (output === 'missing') return notStarted(program);
  return exit(output.code, output.stdout, output.stderr);
}

function exit(code: number, stdout: string, stderr: string): CommandResult {
  return { kind: 'exit', code, stdout: [Buffer.from(stdout)], stderr: Buffer.from(stderr) };
}

function notStarted(program: string): CommandResult {
  const why = program.startsWith('/')
    ? `stat ${program}: no such file or directory`
    : 'executable file not found in $PATH';
  const message =
    'error executing command in container: failed to exec in container: failed to start exec ' +
    `"${randomBytes(32).toString('hex')}": OCI runtime exec failed: exec failed: ` +
    `unable to start container process: exec: "${program}": ${why}`;
  return { kind: 'not-started', message };
}

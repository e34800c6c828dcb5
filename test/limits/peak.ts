import { programPath, type Run, type RunOptions, runProgram } from '../cli/program.ts';

const tell = 'process.on("exit",()=>process._rawDebug("peak "+process.resourceUsage().maxRSS))';
/** The program in a Node that says at its end how much memory it had. */
const command = [process.execPath, '--import', `data:text/javascript,${tell}`, programPath] as const;

export interface MeasuredRun extends Run {
  /** MiB of resident memory, at most. */
  readonly peak: number;
}

/** Takes the figure out of what a run said on stderr. */
function measured(run: Run): MeasuredRun {
  const [line = '', kilobytes = 'NaN'] = /peak (\d+)\n/.exec(run.stderr) ?? [];
  return { ...run, stderr: run.stderr.replace(line, ''), peak: Number(kilobytes) / 1024 };
}

/** Starts the built program and measures its memory, too. */
export async function runMeasured(
  args: readonly string[],
  options: RunOptions = {},
  run: typeof runProgram = runProgram,
): Promise<MeasuredRun> {
  return measured(await run(args, { ...options, command }));
}

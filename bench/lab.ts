import { type ChildProcess, spawn } from 'node:child_process';

export const program = 'dist/kubectl-grpc_skew';

export interface RunningLab {
  readonly lab: ChildProcess;
  readonly kubeconfig: string;
}

/** A lab in a process of its own, with the given number of pods after its scale-up. */
export function startLab(pods: number): Promise<RunningLab> {
  const before = String(Math.ceil(pods / 3));
  return started([program, 'lab', '--serve', '--from', before, '--to', String(pods), '--clients', '20']);
}

/** The same, in which every exec takes so many milliseconds longer. */
export function startSlowLab(pods: number, delayMs: number): Promise<RunningLab> {
  return started(['bench/slow-lab.ts', String(pods), String(delayMs)]);
}

async function started(args: readonly string[]): Promise<RunningLab> {
  const lab = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of lab.stdout ?? []) {
    output += String(chunk);
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(output)?.[1];
    if (kubeconfig !== undefined) return { lab, kubeconfig };
  }
  throw new Error(`the lab did not start: ${output}`);
}

import { type ChildProcess, spawn } from 'node:child_process';

export const program = 'dist/kubectl-grpc_skew';

/** A lab in a process of its own, with the given number of pods after its scale-up. */
export async function startLab(pods: number): Promise<{ readonly lab: ChildProcess; readonly kubeconfig: string }> {
  const before = String(Math.ceil(pods / 3));
  const flags = ['lab', '--serve', '--from', before, '--to', String(pods), '--clients', '20'];
  const lab = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of lab.stdout ?? []) {
    output += String(chunk);
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(output)?.[1];
    if (kubeconfig !== undefined) return { lab, kubeconfig };
  }
  throw new Error(`the lab did not start: ${output}`);
}

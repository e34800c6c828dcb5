import { type ChildProcess, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Between SIGTERM and SIGKILL, in milliseconds: what is asked to end may put away its files. */
const graceMs = 500;

/**
 * Ends a process and all that it has started, whether they want or not, and waits for nothing. A child that was started
 * `detached` leads a process group, which also holds those whose parent has gone; else its descendants are looked up.
 */
export function endTree(child: ChildProcess, detached: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    execFileSync('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore' });
    return;
  }
  const targets = detached ? [-pid] : withDescendants(pid);
  const send = (signal: NodeJS.Signals | 0): boolean => targets.filter((target) => kill(target, signal)).length > 0;
  send('SIGTERM');
  const killing = setTimeout(() => send('SIGKILL'), graceMs);
  child.once('exit', () => {
    if (!send(0)) clearTimeout(killing);
  });
}

/** Whether there was somebody to get the signal. */
function kill(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

/** A process and all below it. */
function withDescendants(root: number): readonly number[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent);
  const found = [root];
  // What is found is looked below as well.
  for (const parent of found) for (const { pid } of children.get(parent) ?? []) found.push(pid);
  return found;
}

/** All processes, as far as they can be listed: images without ps have /proc. */
function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  try {
    const lines =
      process.platform === 'linux'
        ? readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? `${name} ${parentOf(name)}` : []))
        : execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      return { pid: pid ?? 0, parent: parent ?? 0 };
    });
  } catch {
    return [];
  }
}

/** The fourth field of `/proc/PID/stat`, after a name that may hold anything; empty where the process has ended. */
function parentOf(pid: string): string {
  try {
    return /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/**
 * What the live view costs while nothing happens: CPU of its own process and bytes written to the terminal, over a
 * minute after the first whole verdict, with the lab in another process.
 *
 *   node bench/tui-cost.ts [PODS] [SECONDS]
 */
import { readFileSync } from 'node:fs';
import { openTerminal } from '../test/tui/terminal.ts';
import { program, startLab } from './lab.ts';

const pods = Number(process.argv[2] ?? 50);
const seconds = Number(process.argv[3] ?? 60);
const clockTicks = 100;

/** User and system CPU of a process in seconds (proc(5), fields 14 and 15 of stat). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / clockTicks;
}

const { lab, kubeconfig } = await startLab(pods);
const terminal = openTerminal(process.execPath, [program, 'echo'], {
  columns: 120,
  rows: 50,
  env: { KUBECONFIG: kubeconfig },
});
try {
  await terminal.until(/ live .*\n *SKEWED/, 240_000);
  const [cpu, written] = [cpuSeconds(terminal.pid), terminal.written()];
  const clears = terminal.raw().split('\u001b[2J').length;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const share = (cpuSeconds(terminal.pid) - cpu) / seconds;
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${terminal.pid}/status`, 'utf8'))?.[1];
  console.log(
    `${pods} pods, ${seconds} s after the first whole verdict, node ${process.version}, the lab in another process:`,
  );
  console.log(
    `  ${(share * 100).toFixed(1)} % of a core · ${Math.round((terminal.written() - written) / seconds)} bytes/s to the terminal`,
  );
  console.log(
    `  ${terminal.raw().split('\u001b[2J').length - clears} full clears · ${Math.round(Number(rss) / 1024)} MiB resident`,
  );
} finally {
  terminal.type('q');
  await terminal.exited;
  lab.kill('SIGTERM');
}

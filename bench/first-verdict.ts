/**
 * How long a person waits: the first verdict of a run against the same looks by hand with kubectl alone (EndpointSlices,
 * top, then ss in one pod after the other), on the same lab in the same run.
 *
 *   node bench/first-verdict.ts [PODS] [RUNS]
 */
import { spawnSync } from 'node:child_process';
import { program, startSlowLab } from './lab.ts';

const pods = Number(process.argv[2] ?? 50);
const runs = Number(process.argv[3] ?? 3);
/** An exec on a real cluster took 258 ms in the fastest tenth and 542 ms in the middle of 692 recorded ones. */
const delays = [0, 250, 500];

function seconds(work: () => void): number {
  const from = performance.now();
  work();
  return (performance.now() - from) / 1000;
}

function run(command: string, args: readonly string[], kubeconfig: string): string {
  const result = spawnSync(command, [...args], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
}

/** The flow that on-call people know by heart. */
function byHand(kubeconfig: string): void {
  const slices = ['get', 'endpointslices', '-l', 'kubernetes.io/service-name=echo'];
  run('kubectl', slices, kubeconfig);
  const names = run('kubectl', [...slices, '-o', 'jsonpath={.items[*].endpoints[*].targetRef.name}'], kubeconfig);
  run('kubectl', ['top', 'pods'], kubeconfig);
  for (const pod of names.trim().split(' '))
    run('kubectl', ['exec', pod, '--', 'ss', '-tn', 'state', 'established'], kubeconfig);
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

console.log(
  `${pods} pods, ${runs} runs each in turn, node ${process.version}, the lab in another process; seconds, median (all):`,
);
for (const delayMs of delays) {
  const { lab, kubeconfig } = await startSlowLab(pods, delayMs);
  try {
    const hand: number[] = [];
    const tool: number[] = [];
    for (let i = 0; i < runs; i++) {
      tool.push(seconds(() => run(process.execPath, [program, 'echo', '--window', '0', '-o', 'json'], kubeconfig)));
      hand.push(seconds(() => byHand(kubeconfig)));
    }
    const all = (values: readonly number[]) =>
      `${median(values).toFixed(2)}  (${values.map((value) => value.toFixed(2)).join(', ')})`;
    console.log(delayMs === 0 ? 'execs as fast as the lab answers' : `every exec ${delayMs} ms longer`);
    console.log(`  by hand with kubectl   ${all(hand)}`);
    console.log(`  first verdict          ${all(tool)}`);
    console.log(`  ratio                  ${(median(hand) / median(tool)).toFixed(1)} times faster`);
  } finally {
    lab.kill('SIGTERM');
  }
}

/**
 * How a diagnosis and its table grow with the Service: CPU time and memory over pods and over connections, each as a
 * multiple of the smallest, and the exponent that fits them (1 is linear). Each point is the first diagnosis of a fresh
 * process, as in a run of the program; of several the one with the least CPU.
 *
 *   npm run bench:diagnose [-- --runs N] [--worlds NAME,NAME]
 *   npm run bench:diagnose -- --work     counts in the place of times: for each function what its exponent is, as JSON
 */
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fitExponent } from './large/fit.ts';
import { evidenceOf, type Size, type World, worlds } from './large/worlds.ts';

/** What the first diagnosis of a process took. */
interface Cost {
  readonly diagnoseSeconds: number;
  readonly tableSeconds: number;
  /** How much more memory the process had at most than with the Evidence alone. */
  readonly memoryMiB: number;
}

const overPods: readonly Size[] = [1000, 2000, 4000, 10_000].map((pods) => ({ pods, connectionsEach: 4 }));
const overConnections: readonly Size[] = [4, 20, 50, 100].map((connectionsEach) => ({ pods: 1000, connectionsEach }));
/** Large enough that what grows faster than the Service stands out of what is always done. */
const counted: readonly (readonly [Size, Size])[] = [
  [
    { pods: 150, connectionsEach: 4 },
    { pods: 600, connectionsEach: 4 },
  ],
  [
    { pods: 25, connectionsEach: 40 },
    { pods: 25, connectionsEach: 160 },
  ],
];

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    worlds: { type: 'string', default: worlds.join(',') },
    work: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});
const wanted = values.worlds.split(',') as World[];

/** In a process of its own: `one` is a world and a size. */
async function measureOne(world: World, size: Size): Promise<Cost> {
  const evidence = evidenceOf(world, size);
  const { diagnosePorts } = await import('../src/diagnose.ts');
  const { renderReports } = await import('../src/render/report.ts');
  const before = process.resourceUsage().maxRSS;
  const seconds = <T>(work: () => T): readonly [T, number] => {
    const from = process.cpuUsage();
    const done = work();
    const { user, system } = process.cpuUsage(from);
    return [done, (user + system) / 1e6];
  };
  const [diagnosis, diagnoseSeconds] = seconds(() => diagnosePorts(evidence));
  if (!diagnosis.ok) throw new Error(diagnosis.error.message);
  const memoryMiB = (process.resourceUsage().maxRSS - before) / 1024;
  const terminal = { env: {}, stdoutIsTerminal: false, columns: 120 };
  const [, tableSeconds] = seconds(() => renderReports(diagnosis.value, { output: 'table', color: 'never' }, terminal));
  return { diagnoseSeconds, tableSeconds, memoryMiB };
}

function cheapest(world: World, size: Size): Cost {
  const costs = Array.from({ length: Number(values.runs) }, (): Cost => {
    const args = [fileURLToPath(import.meta.url), '--one', JSON.stringify([world, size])];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${world}: ${stderr}`);
    return JSON.parse(stdout);
  });
  return costs.reduce((least, cost) => (cost.diagnoseSeconds < least.diagnoseSeconds ? cost : least));
}

function printGrowth(world: World, sizes: readonly Size[], what: string, of: (size: Size) => number): void {
  const costs = sizes.map((size) => [of(size), cheapest(world, size)] as const);
  const line = (name: string, unit: string, value: (cost: Cost) => number) => {
    const points = costs.map(([x, cost]) => [x, Math.max(value(cost), 0.001)] as const);
    const first = points[0]?.[1] ?? 1;
    const cells = points.map(([, y]) => `${(y / first).toFixed(1)}`.padStart(6)).join(' ');
    const last = `${(points.at(-1)?.[1] ?? 0).toFixed(2)} ${unit}`;
    console.log(
      `  ${name.padEnd(10)} ${cells}   last ${last.padStart(10)}   exponent ${fitExponent(points).toFixed(2)}`,
    );
  };
  console.log(`${world}, over ${what} ${sizes.map(of).join(', ')}:`);
  line('diagnose', 's CPU', ({ diagnoseSeconds }) => diagnoseSeconds);
  line('table', 's CPU', ({ tableSeconds }) => tableSeconds);
  line('memory', 'MiB', ({ memoryMiB }) => memoryMiB);
}

/** For each function: how often it ran per connection at the larger size, and the exponent of its count; null where it ran there alone. */
async function countGrowth(): Promise<void> {
  const { countWork } = await import('./large/work.ts');
  const pairs = wanted.flatMap((world) => counted.map((sizes) => ({ world, sizes })));
  const work = await countWork(pairs.flatMap(({ world, sizes }) => sizes.map((size) => evidenceOf(world, size))));
  const load = ({ pods, connectionsEach }: Size) => pods * connectionsEach;
  const found = pairs.flatMap(({ world, sizes: [small, large] }, at) =>
    [...(work[2 * at + 1] ?? [])].flatMap(([name, times]) => {
      const before = work[2 * at]?.get(name) ?? 0;
      const points = [[load(small), before] as const, [load(large), times] as const];
      const exponent = before === 0 ? null : fitExponent(points);
      return times === 0 ? [] : [{ world, name, perConnection: times / load(large), exponent }];
    }),
  );
  console.log(JSON.stringify(found));
}

if (values.one !== undefined) {
  const [world, size] = JSON.parse(values.one);
  console.log(JSON.stringify(await measureOne(world, size)));
} else if (values.work) {
  await countGrowth();
} else {
  const [cpu] = cpus();
  console.log(
    `${cpus().length} × ${cpu?.model.trim()}, node ${process.version}, load ${loadavg()[0]?.toFixed(1)}; ` +
      `first diagnosis of a process, the cheapest of ${values.runs}; multiples of the smallest:`,
  );
  for (const world of wanted) {
    printGrowth(world, overPods, 'pods', ({ pods }) => pods);
    printGrowth(world, overConnections, 'connections', ({ pods, connectionsEach }) => pods * connectionsEach);
  }
}

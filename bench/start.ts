/**
 * How long a start takes, from the start of the process: to the answer of `version`, to the first request at the API
 * server, to the first frame of the live view (with context, Service and steps in it); beside `kubectl version --client`
 * and a bare `node`, in turn in the same run. The API is a server in this process that keeps the first answer back.
 *
 *   node bench/start.ts [RUNS] [EXECUTABLE]
 *
 * Without EXECUTABLE, as `npm run package` leaves in build/, the bundle of dist/ runs on the Node.js of this run.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTerminal } from '../test/tui/terminal.ts';
import { program } from './lab.ts';

const runs = Number(process.argv[2] ?? 15);
const executable = process.argv[3];
const command: readonly [string, ...string[]] = executable === undefined ? [process.execPath, program] : [executable];

let onRequest: () => void = () => {};
const api = createServer(() => onRequest());
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-start-'));
const kubeconfig = join(folder, 'config');
writeFileSync(
  kubeconfig,
  JSON.stringify({
    'current-context': 'bench',
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench', namespace: 'shop' } }],
    clusters: [{ name: 'bench', cluster: { server: `http://127.0.0.1:${(api.address() as AddressInfo).port}` } }],
    users: [{ name: 'bench', user: {} }],
  }),
);
const env = { ...process.env, KUBECONFIG: kubeconfig };

/** Milliseconds until the process has ended. */
async function untilEnd([file, ...args]: readonly string[]): Promise<number> {
  const from = performance.now();
  // Without the kubeconfig: kubectl would ask its server, although it needs none for its own version.
  const child = spawn(file ?? '', args, { env: process.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, code] = await Promise.all([
    child.stdout.toArray(),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  const took = performance.now() - from;
  if (code !== 0 || output.length === 0) throw new Error(`${file} ${args.join(' ')}: exit code ${code}`);
  return took;
}

/** Milliseconds until the first request has reached the API server. */
async function untilRequest(): Promise<number> {
  const [file, ...args] = command;
  const from = performance.now();
  const child = spawn(file, [...args, 'echo', '-o', 'json'], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const took = performance.now() - from;
  child.kill('SIGKILL');
  await ended;
  return took;
}

/** Milliseconds until a terminal shows the first frame. */
async function untilFrame(): Promise<number> {
  const [file, ...args] = command;
  const from = performance.now();
  const terminal = openTerminal(file, [...args, 'echo'], { env: { KUBECONFIG: kubeconfig } });
  await terminal.until(/bench \/ shop \/ svc\/echo[\s\S]*service[\s\S]*autoscaling/i);
  const took = performance.now() - from;
  terminal.kill('SIGKILL');
  await terminal.exited;
  return took;
}

const measures = {
  'kubectl version --client': () => untilEnd(['kubectl', 'version', '--client']),
  'node -p 1': () => untilEnd([process.execPath, '-p', '1']),
  version: () => untilEnd([...command, 'version']),
  'first request': untilRequest,
  'first frame': untilFrame,
};

const times = new Map<string, number[]>(Object.keys(measures).map((name) => [name, []]));
try {
  for (const measure of Object.values(measures)) await measure();
  for (let run = 0; run < runs; run++)
    for (const [name, measure] of Object.entries(measures)) times.get(name)?.push(await measure());
} finally {
  api.closeAllConnections();
  api.close();
  rmSync(folder, { recursive: true });
}

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
const of = (name: string) => at(times.get(name) ?? [], 0.5);
console.log(
  `${command.join(' ')}, ${runs} runs each in turn after one that does not count, node ${process.version}, ` +
    `load ${loadavg()[0]?.toFixed(1)}; milliseconds since the start of the process:`,
);
console.log('                            median   least    p90   × kubectl');
for (const [name, values] of times) {
  const cells = [of(name), at(values, 0), at(values, 0.9)].map((value) => value.toFixed(0).padStart(7));
  console.log(`  ${name.padEnd(24)} ${cells.join(' ')}   ${(of(name) / of('kubectl version --client')).toFixed(2)}`);
}

/**
 * What strategies are predicted to give against what they give: real gRPC servers and clients of the lab, a virtual IP that
 * chooses a pod for each connection, connection ages of seconds instead of minutes. Prints effective pods, predicted and
 * measured, as a ratio; the part of their share that new pods have; reconnects per second.
 *
 *   node bench/predictions.ts [SECONDS]
 */
import { partOfNewPod, reconnectsPerSecond, simulatePlacement } from '../src/figures/placement.ts';
import { effectivePods, toShares } from '../src/figures/shares.ts';
import { claimAddressBlock, grpcPort, realAddress } from '../src/lab/addresses.ts';
import type { LabPod } from '../src/lab/cluster.ts';
import { seededRandom } from '../src/lab/random.ts';
import { type EchoClient, startEchoClient } from '../src/lab/traffic/echo-client.ts';
import { type EchoServer, startEchoServer } from '../src/lab/traffic/echo-server.ts';
import { startVirtualIp } from '../src/lab/traffic/kube-proxy.ts';
import { effectivePodsAtRandom } from '../test/figures/closed-form.ts';

const seconds = Number(process.argv[2] ?? 30);
const pods = 10;
const callsPerSecond = 10;
const ageSeconds = 3;
/** Far shorter than the age, so that a look shows one placement and not the mean of several. */
const placementSeconds = 0.5;
/** Where calls are balanced one by one: long enough for some calls to each pod. */
const callsSeconds = 5;

/** A look after a scale-up: what part of their half of the load the new half of the pods has. */
interface LateLook {
  readonly at: number;
  readonly part: number;
  readonly clients: number;
}

interface Setting {
  readonly strategy: 'cluster-ip' | 'max-connection-age' | 'headless-round-robin';
  readonly clients: number;
}

const settings: readonly Setting[] = [
  { strategy: 'max-connection-age', clients: 4 },
  { strategy: 'max-connection-age', clients: 10 },
  { strategy: 'max-connection-age', clients: 30 },
  { strategy: 'headless-round-robin', clients: 2 },
  { strategy: 'headless-round-robin', clients: 4 },
];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Each run by its number of connections: few of them scatter more. */
function pooled(looks: readonly LateLook[]): number {
  const weight = looks.reduce((sum, { clients }) => sum + clients, 0);
  return looks.reduce((sum, { part, clients }) => sum + part * clients, 0) / weight;
}

/** A pod of the lab at an address of its own; nothing here reads more of it. */
function podAt(block: number, host: number, name: string): LabPod {
  const now = Date.now();
  const node = { name: 'node-1', ip: '10.244.0.1' };
  return {
    ...{ name, uid: name, ip: `10.244.${block}.${host}`, container: 'echo', containerId: name, resourceVersion: 1 },
    ...{ node: node as never, createdAt: now, startedAt: now, readyAt: now },
  };
}

/** Effective pods in each look, what a pod that came at the start has of its share, and connections per second. */
async function measure({ strategy, clients }: Setting, block: number, host: number) {
  const random = seededRandom(7 + clients);
  const servers: EchoServer[] = [];
  const callers: EchoClient[] = [];
  const age = strategy === 'max-connection-age' ? { connectionAgeMs: ageSeconds * 1000 } : {};
  const add = async () =>
    servers.push(await startEchoServer(podAt(block, host + servers.length, `echo-${servers.length}`), age));
  for (let pod = 0; pod < pods; pod++) await add();
  const isHeadless = strategy === 'headless-round-robin';
  const lookSeconds = isHeadless ? callsSeconds : placementSeconds;
  let connections = 0;
  const pick = () => {
    connections++;
    return realAddress(servers[Math.floor(random() * servers.length)]?.pod.ip ?? '');
  };
  const virtualIp = realAddress(`10.96.${block}.${host}`);
  const proxy = isHeadless ? null : await startVirtualIp(virtualIp, grpcPort, pick);
  for (let at = 0; at < clients; at++) {
    const pod = podAt(block + 1, host + at, `client-${at}`);
    const dial = (ip: string) => ({ host: ip, port: grpcPort, localAddress: realAddress(pod.ip) });
    const lookup = () => (isHeadless ? servers.map((server) => dial(realAddress(server.pod.ip))) : [dial(virtualIp)]);
    const policy = isHeadless ? 'round_robin' : 'pick_first';
    const client = await startEchoClient({
      pod,
      target: `echo:${grpcPort}`,
      policy,
      channels: [{ lookup, weight: 1, backends: 1 }],
    });
    client.keepCalling(callsPerSecond);
    callers.push(client);
    // Starts apart, as clients do: else all connections end together.
    await pause((ageSeconds * 1000) / clients);
  }
  await pause(ageSeconds * 1000);
  const counts = () => servers.map((server) => server.calls());
  const from = connections;
  const used: number[] = [];
  const until = performance.now() + seconds * 1000;
  for (let before = counts(); performance.now() < until; ) {
    await pause(lookSeconds * 1000);
    const now = counts();
    const shares = toShares(now.map((count, pod) => count - (before[pod] ?? 0)));
    if (shares !== null) used.push(effectivePods(shares));
    before = now;
  }
  const perSecond = (connections - from) / seconds;
  const newPods: LateLook[] = [];
  if (!isHeadless) {
    // As many again: the share of one new pod alone would be a matter of luck.
    for (let pod = 0; pod < pods; pod++) await add();
    const started = performance.now();
    for (let before = counts(); performance.now() - started < 2 * ageSeconds * 1000; ) {
      await pause(lookSeconds * 1000);
      const now = counts();
      const shares = toShares(now.map((count, pod) => count - (before[pod] ?? 0))) ?? [];
      const at = (performance.now() - started) / 1000 - lookSeconds / 2;
      const late = shares.slice(pods).reduce((sum, share) => sum + share, 0);
      newPods.push({ at, part: 2 * late, clients });
      before = now;
    }
  }
  for (const client of callers) await client.close();
  await proxy?.close();
  for (const server of servers) await server.close();
  return { used: mean(used), perSecond, newPods };
}

const block = await claimAddressBlock();
console.log(
  `${pods} pods, ${callsPerSecond} calls/s a client, an age of ${ageSeconds} s, ${seconds} s each, node ${process.version}`,
);
console.log('strategy              clients  predicted  closed form  measured  ratio');
let host = 2;
const late: LateLook[] = [];
const rates: string[] = [];
for (const setting of settings) {
  const { strategy, clients } = setting;
  const found = await measure(setting, block.number, host);
  host += Math.max(2 * pods, clients) + 1;
  const byConnection = strategy !== 'headless-round-robin';
  const weights = Array.from({ length: clients }, () => 1);
  const predicted = byConnection ? (simulatePlacement({ weights, pods })?.effectivePods.mean ?? 0) : pods;
  const closed = byConnection ? effectivePodsAtRandom(clients, pods).toFixed(2) : '-';
  console.log(
    [
      strategy.padEnd(20),
      String(clients).padStart(8),
      predicted.toFixed(2).padStart(10),
      closed.padStart(12),
      found.used.toFixed(2).padStart(9),
      (found.used / predicted).toFixed(2).padStart(6),
    ].join(' '),
  );
  if (byConnection) {
    late.push(...found.newPods);
    const expected = reconnectsPerSecond(clients, ageSeconds);
    rates.push(
      `  ${clients} clients: ${found.perSecond.toFixed(2)} a second, predicted ${expected.toFixed(2)}, ratio ${(found.perSecond / expected).toFixed(2)}`,
    );
  }
}
console.log('reconnects, C/A:');
for (const line of rates) console.log(line);
console.log('part of its share that a new pod has after a scale-up from 10 to 20, predicted min(t/A, 1):');
for (const [from, to] of [
  [0, 0.5],
  [0.5, 1],
  [1, 2],
] as const) {
  const looks = late.filter(({ at }) => at >= from * ageSeconds && at < to * ageSeconds);
  const predicted = mean(looks.map(({ at }) => partOfNewPod(at, ageSeconds)));
  console.log(`  ${from} to ${to} ages: measured ${pooled(looks).toFixed(2)}, predicted ${predicted.toFixed(2)}`);
}
await block.release();

import { adminPort, grpcPort, realAddress } from '../addresses.ts';
import { selfSignedCertificate } from '../certificate.ts';
import {
  type Cluster,
  clientAgeSeconds,
  type LabPod,
  type LabWorkload,
  lateClientAgeSeconds,
  podsOf,
  portsOf,
  rollOut,
  subsetWeights,
} from '../cluster.ts';
import { pick, type Random, shuffled } from '../random.ts';
import type { Parameters, Scenario } from '../scenarios.ts';
import { type Channel, type EchoClient, startEchoClient } from './echo-client.ts';
import { type EchoServer, startEchoServer } from './echo-server.ts';
import { startVirtualIp, type VirtualIp } from './kube-proxy.ts';
import type { DialAddress } from './resolver.ts';
import { startUsageMeter, type Usage } from './usage.ts';

export interface LabTraffic {
  readonly servers: readonly EchoServer[];
  /** Rolls the clients out anew, which call at once: by the headless name with round_robin, or as the scenario has it. */
  restartClients(how: 'headless-round-robin' | 'as-before'): Promise<void>;
  /** Lets connections end at an age, from now on: all of them first, since they are older. Resolves when all are made anew. */
  ageConnections(ageMs: number): Promise<void>;
  readonly clients: readonly EchoClient[];
  isHidden(local: string, peer: string): boolean;
  usageOf(podName: string): Usage | undefined;
  /**
   * Makes up for the back-dated past of the connections, then goes on at the steady rate. Answers how many calls of that
   * past one that was made stands for; null when it was closed meanwhile.
   */
  catchUp(): Promise<number | null>;
  close(): Promise<void>;
}

// More calls or time than this before the lab is ready would make people wait; the rest of the past comes as padding.
const catchUpCalls = 1200;
const catchUpMs = 600;
const catchUpConcurrency = 32; // over all clients
// What a steady call puts on the wire, headers included, as recorded: 50 bytes to the server, 67 back.
const wireBytesPerCall = 58;

/**
 * Starts the servers there were first, connects the clients, one after the other so that a seed gives the same
 * connections again, and only then adds the pods of a scale-up: they can get new connections only.
 */
export async function startTraffic(
  cluster: Cluster,
  scenario: Scenario,
  parameters: Parameters,
  random: Random,
): Promise<LabTraffic> {
  const closers: (() => Promise<void> | void)[] = [];
  let closed = false;
  const close = async () => {
    closed = true;
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    const ready: LabPod[] = [];
    const servers: EchoServer[] = [];
    let clients: EchoClient[] = [];
    let rates: number[] = [];
    /** Calls that each should have made since it claims to have started. */
    const due: number[] = [];
    const ports = portsOf(scenario).map(({ port }) => port);
    const serverOptions = {
      ports,
      ...(scenario.probes === 'tls-only' && { certificate: await selfSignedCertificate(Date.now()) }),
      hidesMetrics: scenario.hiddenMetrics === true,
    };
    const startServers = async (pods: readonly LabPod[]) => {
      const started = await Promise.all(pods.map((pod) => startEchoServer(pod, serverOptions)));
      for (const server of started) {
        closers.push(() => server.close());
        servers.push(server);
        ready.push(server.pod);
      }
    };
    const [first, ...later] = cluster.server.generations;
    await startServers(first?.pods ?? []);

    const virtualIp = cluster.service.clusterIp === null ? null : realAddress(cluster.service.clusterIp);
    const proxies: VirtualIp[] = [];
    for (const port of virtualIp === null ? [] : ports) {
      // Placed or not, later connections may go to any pod that is there.
      const placedOver = port === grpcPort ? parameters.from : parameters.to;
      const placed = port === grpcPort ? parameters.clients : podsOf(cluster.lateClient ?? cluster.client).length;
      let dealt = 0;
      const pickBackend = () => {
        const placedPod = parameters.placed && dealt < placed ? ready[dealt % placedOver] : undefined;
        dealt += 1;
        const pod = placedPod ?? pick(ready, random);
        return pod && realAddress(pod.ip);
      };
      const proxy = await startVirtualIp(virtualIp ?? '', port, pickBackend);
      proxies.push(proxy);
      closers.push(() => proxy.close());
    }

    const ageSeconds = (workload: LabWorkload) =>
      workload === cluster.lateClient ? lateClientAgeSeconds : clientAgeSeconds;
    const connect = async (workload: LabWorkload, port: number, isHeadless: boolean, policy: Scenario['policy']) => {
      for (const pod of podsOf(workload)) {
        const dial = (host: string): DialAddress => ({ host, port, localAddress: realAddress(pod.ip) });
        const toPods = (version?: string) => () =>
          shuffled(
            ready.filter((server) => version === undefined || server.version === version),
            random,
          ).map(({ ip }) => dial(realAddress(ip)));
        const backends = (count: number) => (policy === 'round_robin' ? count : 1);
        const channels: readonly Channel[] =
          scenario.gateway === 'subsets'
            ? Object.entries(subsetWeights).map(([version, weight]) => {
                const members = ready.filter((server) => server.version === version);
                return { lookup: toPods(version), weight, backends: backends(members.length) };
              })
            : isHeadless || virtualIp === null
              ? [{ lookup: toPods(), weight: 1, backends: backends(ready.length) }]
              : [{ lookup: () => [dial(virtualIp)], weight: 1, backends: 1 }];
        const target = `${cluster.service.name}.${cluster.namespace}.svc.cluster.local:${port}`;
        const client = await startEchoClient({ pod, target, policy, channels });
        closers.push(() => client.close());
        const rate = parameters.callsPerSecond * (clients.length === 0 ? (scenario.hotClient ?? 1) : 1);
        clients.push(client);
        rates.push(rate);
        due.push(ageSeconds(workload) * rate);
        await client.call();
      }
    };
    await connect(cluster.client, grpcPort, virtualIp === null, scenario.policy);
    for (const generation of later) await startServers(generation.pods);
    const { lateClient } = cluster;
    if (lateClient !== null)
      await (scenario.secondPort === true
        ? connect(lateClient, adminPort, false, 'pick_first')
        : connect(lateClient, grpcPort, true, 'round_robin'));

    let usageOf: LabTraffic['usageOf'] = () => undefined;
    let aging: NodeJS.Timeout[] = [];
    closers.push(() => aging.forEach(clearInterval));
    return {
      servers,
      get clients() {
        return clients;
      },
      async restartClients(how) {
        const own = podsOf(cluster.client).length;
        const late = { clients: clients.slice(own), rates: rates.slice(own) };
        await Promise.all(clients.slice(0, own).map((client) => client.close()));
        rollOut(cluster.client, Date.now(), random);
        [clients, rates] = [[], []];
        const isHeadless = how === 'headless-round-robin' || virtualIp === null;
        await connect(cluster.client, grpcPort, isHeadless, isHeadless ? 'round_robin' : scenario.policy);
        for (const [index, client] of clients.entries()) client.keepCalling(rates[index] ?? parameters.callsPerSecond);
        clients = [...clients, ...late.clients];
        rates = [...rates, ...late.rates];
      },
      async ageConnections(ageMs) {
        aging.forEach(clearInterval);
        const present = clients;
        for (const client of present) await client.reconnect();
        aging = present.map((client) => setInterval(() => void client.reconnect(), ageMs));
      },
      isHidden: (local, peer) => proxies.some((proxy) => proxy.isHidden(local, peer)),
      usageOf: (name) => usageOf(name),
      async catchUp() {
        const all = due.reduce((sum, one) => sum + one, 0);
        const until = performance.now() + catchUpMs;
        const made = await Promise.all(
          clients.map((client, index) => {
            const own = due[index] ?? 0;
            const part = own / all;
            const budget = {
              calls: Math.ceil(catchUpCalls * part),
              until,
              workers: Math.ceil(catchUpConcurrency * part),
            };
            return makeUpFor(client, own, budget);
          }),
        );
        if (closed) return null;
        const calls = made.reduce((sum, one) => sum + one, 0);
        const weight = calls === 0 ? 1 : all / calls;
        const meter = startUsageMeter(() => measured(servers, clients), { seconds: clientAgeSeconds, weight });
        closers.push(() => meter.close());
        usageOf = meter.usageOf;
        for (const [index, client] of clients.entries()) client.keepCalling(rates[index] ?? parameters.callsPerSecond);
        return weight;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Makes up for `due` calls: with calls as they are as far as the budget goes, then with as many bytes in a few large
 * ones, one for each backend that the client has. Answers with the number of calls made.
 */
async function makeUpFor(
  client: EchoClient,
  due: number,
  budget: { readonly calls: number; readonly until: number; readonly workers: number },
): Promise<number> {
  let made = 0;
  const worker = async () => {
    while (made < Math.min(due, budget.calls) && performance.now() < budget.until) {
      made += 1;
      await client.call();
    }
  };
  await Promise.all(Array.from({ length: budget.workers }, worker));
  const bytes = (due - made) * wireBytesPerCall;
  return bytes <= 0 ? made : made + (await client.sendBytes(bytes));
}

function measured(servers: readonly EchoServer[], clients: readonly EchoClient[]) {
  return [
    ...servers.map((server) => ({ name: server.pod.name, role: 'server' as const, calls: server.calls })),
    ...clients.map((client) => ({
      name: client.pod.name,
      role: 'client' as const,
      calls: () => [...client.callsByServer.values()].reduce((sum, count) => sum + count, 0),
    })),
  ];
}

import { grpcPort, realAddress } from '../addresses.ts';
import { type Cluster, callsPerSecond, clientAgeSeconds, type LabPod, podsOf } from '../cluster.ts';
import { pick, type Random, shuffled } from '../random.ts';
import type { Parameters, Scenario } from '../scenarios.ts';
import { type EchoClient, startEchoClient } from './echo-client.ts';
import { type EchoServer, startEchoServer } from './echo-server.ts';
import { startVirtualIp } from './kube-proxy.ts';
import type { DialAddress } from './resolver.ts';
import { startUsageMeter, type Usage } from './usage.ts';

export interface Traffic {
  readonly servers: readonly EchoServer[];
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
): Promise<Traffic> {
  const closers: (() => Promise<void> | void)[] = [];
  let closed = false;
  const close = async () => {
    closed = true;
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    const ready: LabPod[] = [];
    const servers: EchoServer[] = [];
    const clients: EchoClient[] = [];
    const startServers = async (pods: readonly LabPod[]) => {
      const started = await Promise.all(pods.map((pod) => startEchoServer(pod)));
      for (const server of started) {
        closers.push(() => server.close());
        servers.push(server);
        ready.push(server.pod);
      }
    };
    const [first, ...later] = cluster.server.generations;
    await startServers(first?.pods ?? []);

    let dealt = 0;
    const pickBackend = () => {
      const placedPod = parameters.placed && dealt < parameters.clients ? ready[dealt % parameters.from] : undefined;
      dealt += 1;
      const pod = placedPod ?? pick(ready, random);
      return pod && realAddress(pod.ip);
    };
    const virtualIp = cluster.service.clusterIp === null ? null : realAddress(cluster.service.clusterIp);
    const proxy = virtualIp === null ? null : await startVirtualIp(virtualIp, pickBackend);
    if (proxy) closers.push(() => proxy.close());

    for (const pod of podsOf(cluster.client)) {
      const dial = (host: string): DialAddress => ({ host, port: grpcPort, localAddress: realAddress(pod.ip) });
      const lookup = () =>
        virtualIp === null ? shuffled(ready, random).map(({ ip }) => dial(realAddress(ip))) : [dial(virtualIp)];
      const target = `${cluster.service.name}.${cluster.namespace}.svc.cluster.local:${grpcPort}`;
      const client = await startEchoClient({ pod, target, policy: scenario.policy, lookup });
      closers.push(() => client.close());
      clients.push(client);
      await client.call();
    }
    for (const generation of later) await startServers(generation.pods);

    let usageOf: Traffic['usageOf'] = () => undefined;
    return {
      servers,
      clients,
      isHidden: (local, peer) => proxy?.isHidden(local, peer) ?? false,
      usageOf: (name) => usageOf(name),
      async catchUp() {
        const due = clientAgeSeconds * callsPerSecond;
        const backends = scenario.policy === 'round_robin' ? servers.length : 1;
        const budget = {
          calls: Math.min(due, Math.ceil(catchUpCalls / clients.length)),
          until: performance.now() + catchUpMs,
          workers: Math.ceil(catchUpConcurrency / clients.length),
        };
        const made = await Promise.all(clients.map((client) => makeUpFor(client, due, budget, backends)));
        if (closed) return null;
        const weight = (due * clients.length) / made.reduce((sum, calls) => sum + calls, 0);
        const meter = startUsageMeter(measured(servers, clients), { seconds: clientAgeSeconds, weight });
        closers.push(() => meter.close());
        usageOf = meter.usageOf;
        for (const client of clients) client.keepCalling(callsPerSecond);
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
  backends: number,
): Promise<number> {
  let made = 0;
  const worker = async () => {
    while (made < budget.calls && performance.now() < budget.until) {
      made += 1;
      await client.call();
    }
  };
  await Promise.all(Array.from({ length: budget.workers }, worker));
  const padding = Math.round(((due - made) * wireBytesPerCall) / backends);
  for (let call = 0; padding > 0 && call < backends; call += 1, made += 1) await client.call(padding);
  return made;
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

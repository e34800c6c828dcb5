import { Client, credentials } from '@grpc/grpc-js';
import { realAddress } from '../addresses.ts';
import type { LabPod } from '../cluster.ts';
import { answeredBy, whoamiPath, whoamiRequest } from './messages.ts';
import { clientMetrics, startMetricsEndpoint } from './metrics-page.ts';
import { type Lookup, lookupOption, registerLabResolver } from './resolver.ts';

/** The process in a client pod: one call after the other over one channel, or over several by weight. */
export interface EchoClient {
  readonly pod: LabPod;
  /** Calls answered, by server pod. */
  readonly callsByServer: ReadonlyMap<string, number>;
  /** Makes one call; `padding` bytes more each way. Answers with the server pod's name. */
  call(padding?: number): Promise<string>;
  /** Sends so many bytes in one large call to each backend of each channel, by weight. Answers with the number of calls. */
  sendBytes(count: number): Promise<number>;
  /** Goes on calling at this rate until closed. */
  keepCalling(callsPerSecond: number): void;
  /** Connects anew, as after a GOAWAY: calls in flight end on the old connections. Resolves when one more was answered. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/** One channel of a client, and the part of the calls that it gets. */
export interface Channel {
  readonly lookup: Lookup;
  readonly weight: number;
  /** Backends that its policy uses. */
  readonly backends: number;
}

export interface EchoClientOptions {
  readonly pod: LabPod;
  /** The name as a client writes it, `echo.shop.svc.cluster.local:50051`. */
  readonly target: string;
  readonly policy: 'pick_first' | 'round_robin';
  readonly channels: readonly Channel[];
}

const bytes = (value: Buffer): Buffer => value;
const callTimeoutMs = 5000;

export async function startEchoClient({ pod, target, policy, channels }: EchoClientOptions): Promise<EchoClient> {
  registerLabResolver();
  const callsByServer = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const dial = (lookup: Lookup) =>
    new Client(`lab:///${target}`, credentials.createInsecure(), {
      [lookupOption]: lookup,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ [policy]: {} }] }),
    });
  const open = channels.map(({ lookup, weight, backends }) => ({
    ...{ lookup, backends, weight },
    credit: 0,
    client: dial(lookup),
  }));
  const total = channels.reduce((sum, { weight }) => sum + weight, 0);
  const callOver = (client: Client, padding: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const deadline = Date.now() + callTimeoutMs;
      client.makeUnaryRequest(whoamiPath, bytes, bytes, whoamiRequest(padding), { deadline }, (error, response) => {
        if (error || !response) return reject(error ?? new Error('an answer without a message'));
        const server = answeredBy(response);
        callsByServer.set(server, (callsByServer.get(server) ?? 0) + 1);
        resolve(server);
      });
    });
  /** In turn by weight: whoever has waited longest for its part. */
  const next = (): Client => {
    for (const channel of open) channel.credit += channel.weight / total;
    const [first, ...others] = open;
    if (first === undefined) throw new Error('a client without a channel');
    const chosen = others.reduce((best, channel) => (channel.credit > best.credit ? channel : best), first);
    chosen.credit -= 1;
    return chosen.client;
  };
  const call = async (padding = 0): Promise<string> => callOver(next(), padding);
  const metrics = await startMetricsEndpoint(realAddress(pod.ip), false, () => clientMetrics(callsByServer));
  return {
    pod,
    callsByServer,
    call,
    async sendBytes(count) {
      let made = 0;
      for (const { client, weight, backends } of open)
        for (let backend = 0; backend < backends; backend += 1, made += 1)
          await callOver(client, Math.round((count * weight) / total / backends));
      return made;
    },
    keepCalling(callsPerSecond) {
      const periodMs = 1000 / callsPerSecond;
      const again = () => {
        if (closed) return;
        call().catch(() => {}); // a server that is gone: the next call tries again
        timer = setTimeout(again, periodMs * (0.8 + 0.4 * Math.random()));
      };
      timer = setTimeout(again, periodMs * Math.random());
    },
    async reconnect() {
      const old = open.map(({ client }) => client);
      for (const channel of open) channel.client = dial(channel.lookup);
      await call().catch(() => {});
      for (const client of old) client.close();
    },
    async close() {
      if (closed) return;
      closed = true;
      if (timer) clearTimeout(timer);
      for (const { client } of open) client.close();
      await metrics.close();
    },
  };
}

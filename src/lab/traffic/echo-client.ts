import { Client, credentials } from '@grpc/grpc-js';
import { realAddress } from '../addresses.ts';
import type { LabPod } from '../cluster.ts';
import { answeredBy, whoamiPath, whoamiRequest } from './messages.ts';
import { clientMetrics, startMetricsEndpoint } from './metrics-page.ts';
import { type Lookup, lookupOption, registerLabResolver } from './resolver.ts';

/** The process in a client pod: one channel, one call after the other. */
export interface EchoClient {
  readonly pod: LabPod;
  /** Calls answered, by server pod. */
  readonly callsByServer: ReadonlyMap<string, number>;
  /** Makes one call; `padding` bytes more each way. Answers with the server pod's name. */
  call(padding?: number): Promise<string>;
  /** Goes on calling at this rate until closed. */
  keepCalling(callsPerSecond: number): void;
  close(): Promise<void>;
}

export interface EchoClientOptions {
  readonly pod: LabPod;
  /** The name as a client writes it, `echo.shop.svc.cluster.local:50051`. */
  readonly target: string;
  readonly policy: 'pick_first' | 'round_robin';
  readonly lookup: Lookup;
}

const bytes = (value: Buffer): Buffer => value;
const callTimeoutMs = 5000;

export async function startEchoClient({ pod, target, policy, lookup }: EchoClientOptions): Promise<EchoClient> {
  registerLabResolver();
  const callsByServer = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const client = new Client(`lab:///${target}`, credentials.createInsecure(), {
    [lookupOption]: lookup,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ [policy]: {} }] }),
  });
  const call = (padding = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const deadline = Date.now() + callTimeoutMs;
      client.makeUnaryRequest(whoamiPath, bytes, bytes, whoamiRequest(padding), { deadline }, (error, response) => {
        if (error || !response) return reject(error ?? new Error('an answer without a message'));
        const server = answeredBy(response);
        callsByServer.set(server, (callsByServer.get(server) ?? 0) + 1);
        resolve(server);
      });
    });
  const metrics = await startMetricsEndpoint(realAddress(pod.ip), () => clientMetrics(callsByServer));
  return {
    pod,
    callsByServer,
    call,
    keepCalling(callsPerSecond) {
      const periodMs = 1000 / callsPerSecond;
      const next = () => {
        if (closed) return;
        call().catch(() => {}); // a server that is gone: the next call tries again
        timer = setTimeout(next, periodMs * (0.8 + 0.4 * Math.random()));
      };
      timer = setTimeout(next, periodMs * Math.random());
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      client.close();
      await metrics.close();
    },
  };
}

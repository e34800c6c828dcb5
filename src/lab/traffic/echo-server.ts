import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { bindAddress, grpcPort, realAddress } from '../addresses.ts';
import type { LabPod } from '../cluster.ts';
import { healthCheckPath, servingResponse, whoamiPath, whoamiResponse } from './messages.ts';
import { serverMetrics, startMetricsEndpoint } from './metrics-page.ts';

/** The process in a server pod: gRPC on 50051, metrics on 9090. */
export interface EchoServer {
  readonly pod: LabPod;
  /** `Whoami` calls answered so far. */
  calls(): number;
  /** Calls by the peer's `address:port`, health checks left out: the server's own view of its connections. */
  readonly callsByPeer: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const bytes = (value: Buffer): Buffer => value;
const unary = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
});
const echoService: ServiceDefinition = { Whoami: unary(whoamiPath) };
const healthService: ServiceDefinition = { Check: unary(healthCheckPath) };

// What the recorded servers use of a CPU: to be there, and to answer one call.
const idleCpuShare = 0.002;
const cpuSecondsPerCall = 0.004;

/**
 * Starts the server of a pod at the pod's own address. `connectionAgeMs`: its MaxConnectionAge, with a grace as long; none
 * unless given.
 */
export async function startEchoServer(
  pod: LabPod,
  { connectionAgeMs }: { readonly connectionAgeMs?: number } = {},
): Promise<EchoServer> {
  const handled = { Whoami: 0, Check: 0 };
  const callsByPeer = new Map<string, number>();
  const server = new Server(
    connectionAgeMs === undefined
      ? {}
      : { 'grpc.max_connection_age_ms': connectionAgeMs, 'grpc.max_connection_age_grace_ms': connectionAgeMs },
  );
  server.addService(echoService, {
    Whoami(call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
      handled.Whoami += 1;
      const peer = call.getPeer();
      callsByPeer.set(peer, (callsByPeer.get(peer) ?? 0) + 1);
      callback(null, whoamiResponse(pod.name, call.request.length));
    },
  });
  server.addService(healthService, {
    Check(_call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
      handled.Check += 1;
      callback(null, servingResponse);
    },
  });
  const realIp = realAddress(pod.ip);
  const host = bindAddress(realIp);
  await bind(server, `${host.includes(':') ? `[${host}]` : host}:${grpcPort}`);
  const metrics = await startMetricsEndpoint(realIp, () => {
    const uptimeSeconds = (Date.now() - pod.startedAt) / 1000;
    const cpuSeconds = uptimeSeconds * idleCpuShare + handled.Whoami * cpuSecondsPerCall;
    return serverMetrics({ handled, cpuSeconds, startedAt: pod.startedAt });
  });
  return {
    pod,
    calls: () => handled.Whoami,
    callsByPeer,
    async close() {
      server.forceShutdown();
      await metrics.close();
    },
  };
}

function bind(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error) => (error ? reject(error) : resolve()));
  });
}

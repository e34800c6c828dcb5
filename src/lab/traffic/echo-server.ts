import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { bindAddress, grpcPort, realAddress } from '../addresses.ts';
import type { Certificate } from '../certificate.ts';
import type { LabPod } from '../cluster.ts';
import {
  healthCheckPath,
  healthService,
  notServingResponse,
  servingResponse,
  whoamiPath,
  whoamiResponse,
} from './messages.ts';
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
const healthDefinition: ServiceDefinition = { Check: unary(healthCheckPath) };

// What the recorded servers use of a CPU: to be there, and to answer one call.
const idleCpuShare = 0.002;
const cpuSecondsPerCall = 0.004;

export interface EchoServerOptions {
  /** Its MaxConnectionAge, with a grace as long; none unless given. */
  readonly connectionAgeMs?: number;
  /** Ports of gRPC; unless given the usual one. */
  readonly ports?: readonly number[];
  /** It speaks TLS only. */
  readonly certificate?: Certificate;
  /** Its metrics port resets every connection. */
  readonly hidesMetrics?: boolean;
}

/** How long a slow health check takes, and how long one that comes and goes keeps its answer. */
const slowMs = 650;
const flapMs = 15_000;

/** Starts the server of a pod at the pod's own address. */
export async function startEchoServer(pod: LabPod, options: EchoServerOptions = {}): Promise<EchoServer> {
  const { connectionAgeMs, ports = [grpcPort], certificate, hidesMetrics = false } = options;
  const startedAt = Date.now();
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
  server.addService(healthDefinition, {
    Check(call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
      handled.Check += 1;
      if (healthService(call.request) !== '') return callback({ code: status.NOT_FOUND, details: 'unknown service' });
      // One that comes and goes is away first: whoever looks at the lab sees it so.
      const isAway = pod.health === 'flapping' && Math.floor((Date.now() - startedAt) / flapMs) % 2 === 0;
      const answer = pod.health === 'not-serving' || isAway ? notServingResponse : servingResponse;
      if (pod.health !== 'slow') return callback(null, answer);
      setTimeout(() => callback(null, answer), slowMs);
    },
  });
  const realIp = realAddress(pod.ip);
  const host = bindAddress(realIp);
  const credentials =
    certificate === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { cert_chain: Buffer.from(certificate.certificatePem), private_key: Buffer.from(certificate.keyPem) },
        ]);
  for (const port of ports) await bind(server, `${host.includes(':') ? `[${host}]` : host}:${port}`, credentials);
  const metrics = await startMetricsEndpoint(realIp, hidesMetrics, () => {
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

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<void> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error) => (error ? reject(error) : resolve()));
  });
}

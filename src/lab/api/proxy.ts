import { Agent, type IncomingMessage, request } from 'node:http';
import { adminPort, clusterAddress, grpcPort, metricsPort, realAddress } from '../addresses.ts';
import type { LabPod } from '../cluster.ts';
import { type Answer, failureStatus } from './answer.ts';

/** The way of `pods/proxy` to the pods. Its connections linger, as the API server's do. */
export interface PodProxy {
  get(pod: LabPod, port: number | undefined, path: string): Promise<Answer>;
  close(): void;
}

export function podProxy(): PodProxy {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: 30_000 });
  return { get: (pod, port, path) => proxied(agent, pod, port ?? 80, path), close: () => agent.destroy() };
}

// What Go's HTTP/1 client says of the SETTINGS frame by which a gRPC server greets it.
const http2Greeting =
  'net/http: HTTP/1.x transport connection broken: malformed HTTP response ' +
  String.raw`"\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\b\a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02"`;

function proxied(agent: Agent, pod: LabPod, port: number, path: string): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (reason: string) =>
      resolve(failureStatus(503, 'ServiceUnavailable', `error trying to reach service: ${reason}`));
    if (port === grpcPort || port === adminPort) return failed(http2Greeting);
    if (port !== metricsPort) return failed(`dial tcp ${pod.ip}:${port}: connect: connection refused`);
    const localAddress = realAddress(pod.node.bridgeIp);
    const sent = request({ host: realAddress(pod.ip), port, path, agent, localAddress }, (response) => {
      readAll(response).then(
        (body) =>
          resolve({
            status: response.statusCode ?? 502,
            contentType: response.headers['content-type'] ?? 'text/plain',
            body,
          }),
        (error: Error) => failed(error.message),
      );
    });
    sent.on('error', (error) => failed(clusterAddress(error.message)));
    sent.end();
  });
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuery } from './api.ts';
import type { SeriesStore } from './store.ts';

/** The lab's Prometheus at an address of its own, as behind an ingress or `kubectl port-forward`. */
export async function startPrometheusServer(
  store: SeriesStore,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://prometheus');
    const { status, contentType, body } = answerQuery(pathname, searchParams, store.series);
    response.writeHead(status, { 'content-type': contentType ?? 'text/plain' }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

import { createServer, type Server } from 'node:http';
import { bindAddress, metricsPort } from '../addresses.ts';

/** A pod's own Prometheus endpoint: a real HTTP server on the pod's address. A hidden one resets every connection. */
export function startMetricsEndpoint(
  realIp: string,
  isHidden: boolean,
  page: () => string,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url === '/metrics') {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(page());
    } else {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('not found\n');
    }
  });
  if (isHidden) server.on('connection', (socket) => socket.resetAndDestroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: bindAddress(realIp), port: metricsPort }, () =>
      resolve({ close: () => closeServer(server) }),
    );
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

export interface ServerCounters {
  readonly handled: Readonly<Record<'Whoami' | 'Check', number>>;
  readonly cpuSeconds: number;
  readonly startedAt: number;
}

/** The families of go-grpc-middleware and of every Prometheus client library. A method never called has no series. */
export function serverMetrics(counters: ServerCounters): string {
  const { Check, Whoami } = counters.handled;
  const series = (method: string, service: string) =>
    `grpc_method="${method}",grpc_service="${service}",grpc_type="unary"`;
  return lines([
    '# HELP grpc_server_handled_total Total number of RPCs completed on the server, regardless of success or failure.',
    '# TYPE grpc_server_handled_total counter',
    Check > 0 && `grpc_server_handled_total{grpc_code="OK",${series('Check', 'grpc.health.v1.Health')}} ${Check}`,
    Whoami > 0 && `grpc_server_handled_total{grpc_code="OK",${series('Whoami', 'lab.Echo')}} ${Whoami}`,
    '# HELP grpc_server_started_total Total number of RPCs started on the server.',
    '# TYPE grpc_server_started_total counter',
    Whoami > 0 && `grpc_server_started_total{${series('Whoami', 'lab.Echo')}} ${Whoami}`,
    '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.',
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${counters.cpuSeconds.toFixed(6)}`,
    '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.',
    '# TYPE process_start_time_seconds gauge',
    `process_start_time_seconds ${counters.startedAt / 1000}`,
  ]);
}

/** What a client pod tells: its calls by the server that answered. */
export function clientMetrics(calls: ReadonlyMap<string, number>): string {
  return lines([
    '# TYPE lab_client_calls_total counter',
    ...[...calls].map(([server, count]) => `lab_client_calls_total{server="${server}"} ${count}`),
    '# TYPE lab_client_errors_total counter',
  ]);
}

function lines(all: readonly (string | false)[]): string {
  return `${all.filter((line) => line !== false).join('\n')}\n`;
}

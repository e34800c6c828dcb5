import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { failureStatus } from '../../src/lab/api/answer.ts';
import { type Answer, json, type ServerOptions, startServer } from '../kube/api-server.ts';
import { frame, successFrame, webSocket } from '../kube/exec-server.ts';
import { kubeconfig } from '../kube/open-client.ts';
import { type OnTestFinished, type Run, type RunOptions, runProgram } from './program.ts';

/** Any JSON: what tests change in it, they know. */
// biome-ignore lint/suspicious/noExplicitAny: recorded objects, changed at will
export type Json = any;

interface ExecCall {
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}
/** stdout of a command, or another way to deal with its upgrade. */
export type ExecAnswer = (
  call: ExecCall,
) => string | ((request: IncomingMessage, socket: Duplex, head: Buffer) => void);

export interface Cluster {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly folder: string;
  readonly requests: readonly string[];
  /** The API's answers, by the end of the path. */
  readonly objects: Record<string, Json>;
  /** Answers the requests that match in another way; first match wins. */
  on(request: RegExp, answer: Answer): void;
  /** For handlers that add to what the recorded cluster answers. */
  answerAsRecorded(request: IncomingMessage, response: ServerResponse): void;
  exec: ExecAnswer;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
}

export interface ClusterOptions extends ServerOptions {
  /** A folder of test/recordings; default skew-scaleup. */
  readonly recording?: string;
  readonly user?: object;
}

const recordings = new URL('../recordings/', import.meta.url);

/**
 * A real server that answers as the recorded cluster did, save for what a test changes: over plain HTTP, or with TLS where
 * there is a user, whose credentials would not leave without.
 */
export async function startCluster(onTestFinished: OnTestFinished, options: ClusterOptions = {}): Promise<Cluster> {
  const recording = options.recording ?? 'skew-scaleup';
  const read = (name: string): string => readFileSync(new URL(`${recording}/${name}`, recordings), 'utf8');
  const looked = new Set<string>();
  /** What a pod answered when it was first looked at, and from the second look on what it answered some seconds later. */
  const readSample = (name: string): string => {
    const later = `${recording}/${name}.2.txt`;
    const isAgain = looked.has(name) && existsSync(new URL(later, recordings));
    looked.add(name);
    return read(isAgain ? `${name}.2.txt` : `${name}.txt`);
  };
  const objects: Record<string, Json> = Object.fromEntries(
    ['service', 'services', 'endpointslices', 'pods', 'events', 'nodes', 'deployments', 'metrics-pods'].map((name) => [
      name,
      JSON.parse(read(`${name}.json`)),
    ]),
  );
  // Recorded with a limit: here a list is one page.
  for (const object of Object.values(objects)) delete object.metadata.continue;
  const special: (readonly [RegExp, Answer])[] = [];
  const server = await startServer(
    (request, response, body) => {
      const line = `${request.method} ${request.url}`;
      const found = special.find(([pattern]) => pattern.test(line));
      const pod = /\/pods\/([-a-z0-9]+):\d+\/proxy\/metrics$/.exec(request.url ?? '')?.[1];
      if (found === undefined && pod !== undefined) plainText(response, 200, readSample(`pod/${pod}/metrics`));
      else if (found === undefined) answerFrom(objects, request, response);
      else found[1](request, response, body);
    },
    { http: options.user === undefined, ...options },
  );
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-cluster-'));
  const kubeconfigPath = join(folder, 'config');
  const written = JSON.parse(kubeconfig(server.url, options.user ?? {}, server.url.startsWith('http:') ? plain : {}));
  written.contexts[0].context.namespace = objects['service'].metadata.namespace;
  writeFileSync(kubeconfigPath, JSON.stringify(written));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const cluster: Cluster = {
    url: server.url,
    kubeconfigPath,
    folder,
    requests: server.requests,
    objects,
    on: (request, answer) => special.push([request, answer]),
    answerAsRecorded: (request, response) => answerFrom(objects, request, response),
    exec: ({ pod }) => readSample(`pod/${pod}/ss-tni`),
    run: (args, more = {}) =>
      runProgram(args, { ...more, cwd: more.cwd ?? folder, env: { KUBECONFIG: kubeconfigPath, ...more.env } }),
  };
  server.upgrade = (request, socket, head) => {
    const url = new URL(request.url ?? '/', server.url);
    const answer = cluster.exec({
      pod: url.pathname.split('/').at(-2) ?? '',
      container: url.searchParams.get('container') ?? '',
      command: url.searchParams.getAll('command'),
    });
    if (typeof answer === 'function') answer(request, socket, head);
    else
      webSocket((client) => {
        client.send(frame(1, answer));
        client.send(successFrame);
        client.close(1000);
      })(request, socket, head);
  };
  return cluster;
}

const plain = { 'certificate-authority-data': undefined };

function answerFrom(objects: Record<string, Json>, request: IncomingMessage, response: ServerResponse): void {
  const answer = objectAt(objects, new URL(request.url ?? '/', 'http://cluster').pathname);
  if (typeof answer === 'string') plainText(response, 404, answer);
  else json(response, answer, answer.kind === 'Status' ? answer.code : 200);
}

function objectAt(objects: Record<string, Json>, path: string): Json {
  const { name: service, namespace } = objects['service'].metadata;
  const [, inNamespace, rest = ''] = /^\/apis?\/(?:[^/]+\/)?v[^/]+\/(?:namespaces\/([^/]+)\/)?(.*)$/.exec(path) ?? [];
  if (path === `/api/v1/namespaces/${namespace}`) return { kind: 'Namespace' };
  if (path.startsWith('/apis/metrics.k8s.io/') && !path.includes('/v1beta1/')) return '404 page not found\n';
  const [list = '', name] = `${path.includes('/metrics.k8s.io/') ? 'metrics-' : ''}${rest}`.split('/');
  if (list === 'services' && name === service && inNamespace === namespace) return objects['service'];
  const known = inNamespace === undefined || inNamespace === namespace;
  const items: readonly Json[] = (known && objects[list]?.items) || [];
  if (name === undefined) return known && objects[list] ? objects[list] : { kind: 'List', metadata: {}, items };
  const message = `${list} "${name}" not found`;
  return (
    items.find((item) => item.metadata.name === name) ?? { kind: 'Status', reason: 'NotFound', code: 404, message }
  );
}

export function plainText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(text);
}

/** An answer as the lab writes them, as a handler. */
export function answerWith(answer: ReturnType<typeof failureStatus>): Answer {
  return (_request, response) => {
    response.writeHead(answer.status, { 'Content-Type': answer.contentType ?? 'text/plain', ...answer.headers });
    response.end(answer.body);
  };
}

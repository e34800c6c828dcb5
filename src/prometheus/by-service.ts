import type { KubeClient, KubeError, KubeResult } from '../kube/types.ts';
import { err } from '../result/result.ts';
import { readResponse } from './response.ts';
import { maxAnswerBytes, type PrometheusClient, pathOf, wordsOf } from './types.ts';

/** A Prometheus inside the cluster, by the Service that leads to it. */
export interface PrometheusService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly https: boolean;
  /** What stands before `/api/v1`, without a slash at the end. */
  readonly prefix: string;
}

/** Asks through the API server's proxy to a Service, with the user's own rights (`get services/proxy`). */
export function prometheusByService(kube: KubeClient, service: PrometheusService): PrometheusClient {
  const name = `${service.namespace}/${service.name}:${service.port}`;
  const target = `${service.https ? 'https:' : ''}${encodeURIComponent(service.name)}:${service.port}`;
  const base = `/api/v1/namespaces/${encodeURIComponent(service.namespace)}/services/${target}/proxy${service.prefix}`;
  return {
    name,
    way: 'service',
    async ask(asked): Promise<KubeResult<unknown>> {
      const { path, query } = pathOf(asked);
      const request = wordsOf(asked, name);
      const answer = await kube.getText(`${base}${path}`, {
        request,
        query,
        readError: (status, text) => errorOf(readResponse(request, status, text), request),
        maxBytes: maxAnswerBytes,
        ...(asked.timeoutMs !== undefined && { timeoutMs: asked.timeoutMs }),
        ...(asked.signal && { signal: asked.signal }),
      });
      if (!answer.ok) return err(withMissingRight(answer.error, service));
      const read = readResponse(request, 200, answer.value.text);
      return read.ok ? { ...read, serverDate: answer.serverDate } : read;
    },
    close: async () => {},
  };
}

/** An error of the API server as it is, with the namespace of the right. */
function withMissingRight(error: KubeError, service: PrometheusService): KubeError {
  return error.kind === 'forbidden'
    ? { ...error, hint: `Ask for get services/proxy in namespace ${service.namespace}.` }
    : error;
}

/** An answer of success under a status of an error is none. */
function errorOf(read: ReturnType<typeof readResponse>, request: string): KubeError {
  return read.ok
    ? { kind: 'bad-answer', request, message: 'something other than Prometheus answers there' }
    : read.error;
}

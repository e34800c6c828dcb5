import type { KubeResult } from '../kube/types.ts';

/** What Prometheus is asked for: recordings name their files by it. */
type PrometheusQuestion = 'pods' | 'calls' | 'probes' | 'history-calls' | 'history-bytes' | 'history-cpu';

export interface PrometheusRequest {
  readonly question: PrometheusQuestion;
  /** PromQL. */
  readonly query: string;
  /** Seconds since the epoch, and the step in seconds; null asks for the present alone. */
  readonly range: { readonly start: number; readonly end: number; readonly step: number } | null;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Something that answers Prometheus' HTTP API: Prometheus itself, Thanos, VictoriaMetrics, Mimir. */
export interface PrometheusClient {
  /** As it may be shown and recorded: without credentials. */
  readonly name: string;
  readonly way: 'url' | 'service' | 'recording';
  /** The parsed answer, whatever it is; an error of Prometheus' own is a failure that names its kind. */
  ask(request: PrometheusRequest): Promise<KubeResult<unknown>>;
  close(): Promise<void>;
}

/** Bytes of an answer: an hour of a thousand pods has two, more is not about one Service. */
export const maxAnswerBytes = 16 << 20;

/** Path and parameters of a question. Only GET is used: to post through the API server needs another right. */
export function pathOf(request: PrometheusRequest): { readonly path: string; readonly query: Record<string, string> } {
  const { query, range } = request;
  if (range === null) return { path: '/api/v1/query', query: { query } };
  const { start, end, step } = range;
  return {
    path: '/api/v1/query_range',
    query: { query, start: String(start), end: String(end), step: String(step) },
  };
}

/** In words, for errors. */
export function wordsOf(request: PrometheusRequest, name: string): string {
  return `ask Prometheus ${name} for ${questionWords[request.question]}`;
}

const questionWords: Readonly<Record<PrometheusQuestion, string>> = {
  pods: 'the traffic and CPU of the pods',
  calls: 'the calls of the pods',
  probes: 'the probes of the pods',
  'history-calls': 'the calls of the last hour',
  'history-bytes': 'the traffic of the last hour',
  'history-cpu': 'the CPU use of the last hour',
};

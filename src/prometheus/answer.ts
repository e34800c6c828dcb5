import { failure, type Outcome, success } from '../kube/outcome.ts';
import { asObject, asText, parseJson } from '../kube/unknown-json.ts';

/**
 * Reads the JSON that Prometheus answers with, also where the status is an error:
 * https://prometheus.io/docs/prometheus/latest/querying/api/#format-overview
 * @param status HTTP status, for the message
 */
export function readAnswer(request: string, status: number, text: string): Outcome<unknown> {
  const body = asObject(parseJson(text));
  const error = asText(body?.['error']);
  if (body?.['status'] === 'error' || (error !== undefined && status >= 400))
    return failure(kindOf(status), request, shortened(error ?? 'an error without words'), { status });
  if (status === 401 || status === 403)
    return failure('refused', request, `HTTP ${status}: it wants a credential`, { status });
  if (status === 404) return failure('not-found', request, 'HTTP 404: no Prometheus answers there', { status });
  if (status >= 400) return failure(kindOf(status), request, `HTTP ${status}`, { status });
  if (body?.['status'] !== 'success')
    return failure('bad-answer', request, 'something other than Prometheus answers there', { status });
  return success(body);
}

function kindOf(status: number): 'server' | 'bad-answer' | 'throttled' {
  if (status === 429) return 'throttled';
  return status >= 500 ? 'server' : 'bad-answer';
}

/** Words of Prometheus, for a line: a refused query is quoted in its error. */
export function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

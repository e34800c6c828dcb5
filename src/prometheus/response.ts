import { failure, type KubeOutcome } from '../kube/errors/outcome.ts';
import { asObject, asText, excessOf, parseJson } from '../kube/errors/unknown-json.ts';
import { ok } from '../result/result.ts';

/** Kinds of errors of Prometheus' API (web/api/v1/api.go), and HTTP statuses, which VictoriaMetrics names in their place. */
const errorTypes =
  /^(?:timeout|canceled|execution|bad_data|internal|unavailable|not_found|not_acceptable|too_many_requests|\d{3})$/;

/**
 * Reads the JSON that Prometheus answers with, also where the status is an error:
 * https://prometheus.io/docs/prometheus/latest/querying/api/#format-overview
 * Of an error its kind is kept, not its words: what answers there is a pod as others are.
 * @param status HTTP status, for the message
 */
export function readResponse(request: string, status: number, text: string): KubeOutcome<unknown> {
  const body = asObject(parseJson(text));
  if (body?.['status'] === 'error' || (asText(body?.['error']) !== undefined && status >= 400)) {
    const [type = null] = errorTypes.exec(asText(body?.['errorType']) ?? '') ?? [];
    const message = `it answers with an error${type === null ? '' : ` (${type})`}`;
    return failure(kindOf(status), request, message, { status });
  }
  if (status === 401 || status === 403)
    return failure('refused', request, `HTTP ${status}: it wants a credential`, { status });
  if (status === 404) return failure('not-found', request, 'HTTP 404: no Prometheus answers there', { status });
  if (status >= 400) return failure(kindOf(status), request, `HTTP ${status}`, { status });
  if (body?.['status'] !== 'success') return failure('bad-answer', request, faultOf(text), { status });
  return ok(body);
}

function faultOf(text: string): string {
  const excess = excessOf(text);
  return excess === null ? 'something other than Prometheus answers there' : `the answer ${excess}`;
}

function kindOf(status: number): 'server' | 'bad-answer' | 'throttled' {
  if (status === 429) return 'throttled';
  return status >= 500 ? 'server' : 'bad-answer';
}

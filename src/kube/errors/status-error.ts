import type { KubeError, KubeErrorKind } from '../types.ts';
import { forbiddenHint, readDenied, webhookDenial } from './denied.ts';
import { failure } from './outcome.ts';

import { asObject, asText, parseJson } from './unknown-json.ts';

/** An HTTP answer as far as errors need it. */
export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Longer bodies are somebody's page, not a message. */
const maxMessage = 500;

/** The message of a Status object, or undefined where the answer is none. */
export function statusMessage(answer: HttpResponse): string | undefined {
  const status = asObject(parseJson(answer.text));
  return status?.['kind'] === 'Status' ? (asText(status['message']) ?? asText(status['reason']) ?? '') : undefined;
}

export function isHtml(answer: HttpResponse): boolean {
  return /\bhtml\b/i.test(answer.contentType) || /^\s*<(!doctype|html)/i.test(answer.text);
}

/** Whether a path leads through the API server to a pod, a service or a kubelet, which answer in words of their own. */
export function isProxied(path: string): boolean {
  return /\/proxy(\/|$)/.test(path);
}

/** What cannot be reached behind a proxy path, in words of Go and of Node.js; between them may stand what a pod sent. */
const unreachable = /^error trying to reach service\b/;
const networkWords =
  /connection refused|connection reset by peer|\bEOF\b|i\/o timeout|no route to host|network is unreachable|no such host|context deadline exceeded|malformed HTTP (?:response|version|status code)|tls: [a-z -]+|x509: certificate signed by unknown authority|\bE(?:CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH)\b/;

/** The rest of what an API server says of itself at a proxy path (apiserver pkg/server, registry/core/rest, endpoints/handlers). */
const ownWords: readonly RegExp[] = [
  /^Unauthorized$/,
  /^\S+ "[^"]*" is forbidden: (?:User "[^"]*" cannot |$)/,
  /^\S+ "[^"]*" not found$/,
  /^no endpoints available for service "[^"]*"$/,
  /^(?:a port is required|address not allowed|the server has asked for the client to provide credentials)$/i,
  /^Timeout: request did not complete within the requested timeout/,
  /^Too many requests, please try again later\.?$/,
  webhookDenial,
];

/**
 * What the API server itself says where it does not lead to a pod; undefined for an answer of the pod. Both come under one
 * status, with the same headers, and a pod may answer with a Status as well. So the words decide: those that Kubernetes
 * has for such paths are kept, of all others none are. What it could not reach is said in words of a list.
 */
function ownAnswer(answer: HttpResponse): HttpResponse | undefined {
  const message = statusMessage(answer);
  if (message === undefined) return undefined;
  if (ownWords.some((words) => words.test(message))) return answer;
  if (!unreachable.test(message)) return undefined;
  const met = networkWords.exec(message)?.[0];
  const text = JSON.stringify({
    kind: 'Status',
    message: `error trying to reach service${met === undefined ? '' : `: ${met}`}`,
  });
  return { ...answer, text };
}

/**
 * What an answer other than 2xx means, whoever gives it.
 * @returns with `isOwn`: whether it is of the API server, or of something in front of it
 */
export function answerError(
  request: string,
  path: string,
  answer: HttpResponse,
  server: string,
): { readonly error: KubeError; readonly isOwn: boolean } {
  if (!isProxied(path)) return { error: statusError(request, answer, server), isOwn: true };
  const own = ownAnswer(answer);
  return own === undefined
    ? { error: proxiedError(request, answer), isOwn: false }
    : { error: statusError(request, own, server), isOwn: true };
}

/** How an answer is named whose words are not kept: a page of a pod may hold anything, secrets among it. */
export function withoutWords({ status, text, contentType }: HttpResponse): string {
  const bytes = Buffer.byteLength(text.trim());
  const what = isHtml({ status, text, contentType }) ? 'an HTML page' : 'a body';
  return bytes === 0 ? `HTTP ${status}` : `HTTP ${status} with ${what} of ${bytes} byte${bytes === 1 ? '' : 's'}`;
}

/** An answer of what is behind a proxy path: it says nothing about us and the API server. */
function proxiedError(request: string, answer: HttpResponse): KubeError {
  const { status } = answer;
  const wantsLogin = status === 401 || status === 403;
  const kind = status === 404 ? 'not-found' : wantsLogin ? 'refused' : status >= 500 ? 'server' : 'bad-answer';
  const hint = wantsLogin ? 'What is behind the proxy path wants a credential of its own.' : undefined;
  return failure(kind, request, withoutWords(answer), { status, hint }).error;
}

/**
 * What an answer other than 2xx means.
 * @param server named in hints
 */
export function statusError(request: string, answer: HttpResponse, server: string): KubeError {
  const own = statusMessage(answer);
  const message = own ?? plainMessage(answer);
  const fail = (kind: KubeErrorKind, hint?: string): KubeError =>
    failure(kind, request, message, { status: answer.status, hint }).error;
  if (answer.status === 400 && /HTTP request to an HTTPS server/.test(answer.text)) {
    return fail('tls', 'Write the server in the kubeconfig with https://.');
  }
  if (answer.status === 401) return fail('credential', 'Log in again, or renew the token or certificate.');
  const denied = readDenied(message);
  const refuse = (kind: KubeErrorKind, hint: string): KubeError =>
    failure(kind, request, message, { status: answer.status, hint, denied: denied ?? undefined }).error;
  if (denied?.webhook !== undefined) return refuse('refused', webhookHint);
  if (isHtml(answer) && answer.status < 500) return fail('bad-answer', proxyHint(server));
  switch (answer.status) {
    case 403:
      return denied === null ? refuse('refused', refusedHint) : refuse('forbidden', forbiddenHint(denied, message));
    case 404:
      return fail('not-found');
    case 410:
      return fail('gone');
    case 429:
      return fail('throttled', 'The API server asks for fewer requests; try again later.');
    default:
      if (answer.status < 400) return fail('bad-answer', proxyHint(server));
      return fail('server', isHtml(answer) ? proxyHint(server) : undefined);
  }
}

const webhookHint = 'An admission webhook of the cluster decides this; no Role changes it.';
const refusedHint = 'This is a policy of the cluster or of something in front of it; no Role changes it.';

export function proxyHint(server: string): string {
  return `Something other than the API server answers at ${server}, perhaps a proxy or a login page.`;
}

function plainMessage(answer: HttpResponse): string {
  const text = answer.text.trim();
  if (text === '' || isHtml(answer)) return `HTTP ${answer.status}${text === '' ? '' : ' with an HTML page'}`;
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}

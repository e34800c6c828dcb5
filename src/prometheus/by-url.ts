import type { Dispatcher } from 'undici';
import { failure, type KubeOutcome } from '../kube/errors/outcome.ts';
import { transportError } from '../kube/errors/transport-error.ts';
import { readBody } from '../kube/requests/body.ts';
import { type Deadline, startDeadline } from '../kube/requests/deadline.ts';
import { openDispatcher } from '../kube/requests/dispatcher.ts';
import { isProxyUrl, proxyFor } from '../kube/requests/proxy.ts';
import { isoDate } from '../kube/requests/send.ts';
import { secretsOf, withoutSecrets } from '../kube/requests/session.ts';
import type { KubeError, KubeErrorKind, KubeHost, KubeResult } from '../kube/types.ts';
import { err } from '../result/result.ts';
import type { PrometheusAddress } from './address.ts';
import { readResponse } from './response.ts';
import { maxAnswerBytes, type PrometheusClient, type PrometheusRequest, pathOf, wordsOf } from './types.ts';

/** Milliseconds for one question, redirects included, where the one who asks says nothing. */
const defaultTimeoutMs = 5000;
/** Redirects within the same origin: a path that lost its slash, and the like. */
const mostRedirects = 3;

/**
 * A Prometheus that is asked at its own address, not through the API server. The credential goes to that origin alone:
 * a redirect to any other is an error that names it. HTTPS_PROXY and NO_PROXY hold, as for the API server.
 */
export function prometheusByUrl(
  address: PrometheusAddress,
  host: Pick<KubeHost, 'env' | 'userAgent' | 'log'>,
): PrometheusClient {
  let dispatcher: Promise<Dispatcher> | undefined;
  const closing = new AbortController();
  return {
    name: address.base,
    way: 'url',
    async ask(asked) {
      dispatcher ??= dispatcherFor(address, host, closing.signal);
      const signal = asked.signal === undefined ? closing.signal : AbortSignal.any([asked.signal, closing.signal]);
      const deadline = startDeadline(asked.timeoutMs ?? defaultTimeoutMs, signal);
      const words = wordsOf(asked, address.base);
      try {
        const answer = await follow({ address, host, deadline, words }, await dispatcher, asked);
        return answer.ok ? answer : { ...answer, error: withoutCredential(answer.error, address) };
      } catch (error) {
        const thrown = inOwnWords(transportError(words, error, address.base, deadline));
        return err(withoutCredential(thrown, address));
      } finally {
        deadline.clear();
      }
    },
    async close() {
      closing.abort();
      await (await dispatcher?.catch(() => undefined))?.destroy();
    },
  };
}

function dispatcherFor(
  address: PrometheusAddress,
  { env }: Pick<KubeHost, 'env'>,
  signal: AbortSignal,
): Promise<Dispatcher> {
  // Every question has a deadline of its own.
  const options = { connections: 6, headersTimeout: 0, bodyTimeout: 0, allowH2: false };
  const proxy = proxyFor(address.base, undefined, env);
  return openDispatcher(options, {}, proxy !== null && isProxyUrl(proxy) ? proxy : null, signal);
}

interface Going {
  readonly address: PrometheusAddress;
  readonly host: Pick<KubeHost, 'userAgent' | 'log'>;
  readonly deadline: Deadline;
  readonly words: string;
}

async function follow(
  { address, host, deadline, words }: Going,
  dispatcher: Dispatcher,
  asked: PrometheusRequest,
): Promise<KubeResult<unknown>> {
  const { request } = await import('../kube/requests/undici.ts');
  const { path, query } = pathOf(asked);
  const { origin } = new URL(address.base);
  let url = new URL(`${address.base}${path}?${new URLSearchParams(query)}`);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const startedAt = performance.now();
    const response = await request(url, {
      dispatcher,
      signal: deadline.signal,
      headers: {
        'User-Agent': host.userAgent,
        Accept: 'application/json',
        'Accept-Encoding': 'gzip',
        ...(address.authorization === null ? {} : { Authorization: address.authorization }),
      },
    });
    const text = await readBody(response, maxAnswerBytes);
    const { statusCode: status, headers } = response;
    const tookMs = Math.round(performance.now() - startedAt);
    host.log(6, `GET ${url.origin}${url.pathname} ${status} in ${tookMs} ms`);
    const location = headers['location'];
    if (status < 300 || status >= 400 || typeof location !== 'string')
      return dated(readResponse(words, status, text), isoDate(headers['date']));
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : null;
    if (next === null || next.origin !== origin) return elsewhere(words, next);
    url = next;
  }
  return failure('bad-answer', words, `more than ${mostRedirects} redirects`);
}

/** Of where it leads only the origin is said: a query may hold a token. */
function elsewhere(words: string, next: URL | null): ReturnType<typeof failure> {
  const where = next === null ? 'to no URL' : `to ${next.protocol}//${next.host}`;
  const hint = 'Name the address that answers with --prometheus; is there a login page before it?';
  return failure('bad-answer', words, `it redirects ${where}`, { hint });
}

function dated(outcome: KubeOutcome<unknown>, serverDate: string | null): KubeResult<unknown> {
  return outcome.ok ? { ...outcome, serverDate } : outcome;
}

/** A server may throw back what it was sent. */
function withoutCredential(error: KubeError, { authorization }: PrometheusAddress): KubeError {
  return { ...error, message: withoutSecrets(error.message, secretsOf(authorization)) };
}

/** What to do next is another thing here than for the API server. */
function inOwnWords(error: KubeError): KubeError {
  const hint = hints[error.kind] ?? 'Check the address of --prometheus.';
  return { ...error, hint };
}

const hints: Partial<Record<KubeErrorKind, string>> = {
  tls: 'NODE_EXTRA_CA_CERTS may name a file with the authority of its certificate.',
  timeout: 'Check the network between here and Prometheus.',
  unreachable: 'Check the address of --prometheus and the network; a port-forward may lead to it.',
  closed: 'Try again; a proxy or load balancer on the way may cut connections.',
};

import type { Dispatcher } from 'undici';
import { ok } from '../../result/result.ts';
import type { Credential } from '../credentials/credential.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import { answerError, type HttpResponse, isProxied } from '../errors/status-error.ts';
import { transportError, wasClosed } from '../errors/transport-error.ts';
import type { GetOptions } from '../types.ts';
import { readBody } from './body.ts';
import { isoTime } from './clock.ts';
import type { Deadline } from './deadline.ts';
import { answerLimits } from './limits.ts';
import { retrying } from './retry.ts';
import { commonHeaders, redact, type Session } from './session.ts';
import { ownTurn } from './turn.ts';

/** One GET: there is no other way to ask, so that nothing can be changed through it. */
export interface RequestSpec {
  /** In words, for errors. */
  readonly request: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept: string;
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly readError?: GetOptions['readError'];
}

export interface DatedResponse extends HttpResponse {
  /** RFC 3339 UTC, from the `Date` header. */
  readonly serverDate: string | null;
  readonly retryAfter: string | string[] | undefined;
}

/**
 * Segments that a URL resolves, in any spelling, and what would end its path: with a name of these, whoever gave it
 * would choose what is asked.
 */
const leadsElsewhere = /\/(?:\.|%2e){1,2}(?:\/|$)|[?#\\\s]/i;

/**
 * Sends a request and returns its 2xx answer, by the rules of `retrying`; a request whose connection closed before any
 * byte is sent once more, as an idle connection may be closed at any time.
 */
export async function send(session: Session, spec: RequestSpec): Promise<KubeOutcome<DatedResponse>> {
  const { server } = session.connection;
  if (leadsElsewhere.test(spec.path)) return failure('bad-answer', spec.request, 'a name that no object can have');
  return retrying<DatedResponse>(session, spec, async (credential, deadline) => {
    try {
      const answer = await attempt(session, spec, credential, deadline);
      await ownTurn(answer.text);
      if (deadline.aborted()) throw new Error('given up');
      if (answer.status >= 200 && answer.status < 300) return { outcome: ok(answer), ...answer };
      const { error, isOwn } = answerError(spec.request, spec.path, answer, server);
      if (isOwn) return { outcome: { ok: false, error }, ...answer };
      // Without its status: a 401 of a pod is no reason to renew our credential.
      const read = spec.readError?.(answer.status, answer.text) ?? error;
      return { outcome: { ok: false, error: read }, status: null, retryAfter: undefined };
    } catch (error) {
      const failed = transportError(spec.request, error, server, deadline);
      return { outcome: { ok: false, error: failed }, status: null, retryAfter: undefined };
    }
  });
}

async function attempt(
  session: Session,
  spec: RequestSpec,
  credential: Credential,
  deadline: Deadline,
): Promise<DatedResponse> {
  const [startedAt, askedAt] = [performance.now(), Date.now()];
  const response = await headersOf(session, spec, credential, deadline).catch((error: unknown) => {
    if (deadline.signal.aborted || !wasClosed(error)) throw error;
    return headersOf(session, spec, credential, deadline);
  });
  const text = await readBody(
    response,
    spec.maxBytes ?? (isProxied(spec.path) ? answerLimits.pageBytes : answerLimits.answerBytes),
  );
  const tookMs = Math.round(performance.now() - startedAt);
  session.host.log(6, `GET ${spec.path} ${response.statusCode} in ${tookMs} ms`);
  const serverDate = isoDate(response.headers['date']);
  // Behind a proxy path another clock may have answered.
  if (!isProxied(spec.path)) {
    session.clock.note(serverDate, askedAt);
    logWarnings(session, credential, response.headers['warning']);
  }
  return {
    status: response.statusCode,
    contentType: String(response.headers['content-type'] ?? ''),
    text,
    retryAfter: response.headers['retry-after'],
    serverDate,
  };
}

async function headersOf(
  session: Session,
  spec: RequestSpec,
  credential: Credential,
  deadline: Deadline,
): Promise<Dispatcher.ResponseData> {
  const dispatcher = await session.pool.dispatcher(credential);
  const { request } = await import('./undici.ts');
  const { cluster, server } = session.connection;
  session.counts.requests += 1;
  return request(`${server}${spec.path}${queryText(spec.query)}`, {
    dispatcher,
    signal: deadline.signal,
    headers: {
      ...commonHeaders(session, credential),
      Accept: spec.accept,
      ...(cluster.disableCompression ? {} : { 'Accept-Encoding': 'gzip' }),
    },
  });
}

function queryText(query: RequestSpec['query']): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

/** RFC 3339 UTC, or null where the header is missing or no date. */
export function isoDate(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? isoTime(header) : null;
}

/** What the API server warns of (RFC 7234 section 5.5, code 299 alone, as client-go does), each once. */
function logWarnings(session: Session, credential: Credential, header: string | string[] | undefined): void {
  for (const [, quoted] of [header ?? []]
    .flat()
    .join(', ')
    .matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
    const text = redact(session, credential, (quoted ?? '').replaceAll(/\\(.)/g, '$1'));
    if (session.warned.has(text)) continue;
    session.warned.add(text);
    session.host.log(0, `Warning: ${text}`);
  }
}

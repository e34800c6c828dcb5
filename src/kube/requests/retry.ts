import { type Credential, gettingCredential } from '../credentials/credential.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import type { KubeError } from '../types.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { retryAfterMs, sleep } from './retry-after.ts';
import { redact, type Session, timeoutMs } from './session.ts';

/** One try: what it gave, and what decides whether there is another. */
export interface Tried<T> {
  readonly outcome: KubeOutcome<T>;
  /** HTTP status of the answer; null: no answer. */
  readonly status: number | null;
  readonly retryAfter: string | readonly string[] | undefined;
}

export interface Limits {
  /** In words, for errors. */
  readonly request: string;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** As client-go (rest/with_retry.go). */
const maxThrottleRetries = 10;

/**
 * Tries with the current credential; once more with a renewed one after a 401; and again, within the time limit, as
 * often as the server asks for by Retry-After. Credentials are taken out of the words of an error.
 */
export async function retrying<T>(
  session: Session,
  limits: Limits,
  attempt: (credential: Credential, deadline: Deadline) => Promise<Tried<T>>,
): Promise<KubeOutcome<T>> {
  const signal = limits.signal === undefined ? session.closing : AbortSignal.any([limits.signal, session.closing]);
  // Not part of the time limit: a person may have to log in.
  const first = await orAborted(session.credentials.current(), signal);
  if (!first.ok) return about(limits.request, first.error);
  let credential: Credential = first.value;
  const deadline = startDeadline(timeoutMs(session, limits.timeoutMs), signal);
  try {
    let renewed = false;
    for (let throttled = 0; ; ) {
      const { outcome, status, retryAfter } = await attempt(credential, deadline);
      if (status !== null && status !== 401) session.credentials.accepted(credential);
      if (outcome.ok) return outcome;
      if (status === 401 && !renewed) {
        renewed = true;
        const next = await orAborted(session.credentials.renew(credential), signal);
        if (next?.ok === false) return about(limits.request, next.error);
        if (next !== null) {
          credential = next.value;
          continue;
        }
      }
      const waitMs = status === null ? null : retryAfterMs(status, retryAfter);
      if (waitMs === null || throttled >= maxThrottleRetries || waitMs >= deadline.leftMs()) {
        return withoutCredential(session, credential, outcome.error);
      }
      throttled += 1;
      await sleep(waitMs, deadline.signal);
    }
  } finally {
    deadline.clear();
  }
}

/** A credential that cannot be had is the failure of the request that needs it. */
function about(request: string, error: KubeError): KubeOutcome<never> {
  return { ok: false, error: { ...error, request } };
}

function withoutCredential(session: Session, credential: Credential, error: KubeError): KubeOutcome<never> {
  return { ok: false, error: { ...error, message: redact(session, credential, error.message) } };
}

/** A plugin serves all requests: who gives up waiting for it does not end it. */
export async function orAborted<T>(
  credential: Promise<T>,
  signal: AbortSignal,
): Promise<T | ReturnType<typeof failure>> {
  let stop = (): void => {};
  const aborted = new Promise<ReturnType<typeof failure>>((resolve) => {
    stop = () => resolve(failure('aborted', gettingCredential, 'given up before a credential came'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([credential, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

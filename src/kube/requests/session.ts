import type { Credential, CredentialSource } from '../credentials/credential.ts';
import type { Headers } from '../credentials/impersonation.ts';
import type { Held } from '../exec/output.ts';
import type { KubeHost } from '../types.ts';
import type { Clock } from './clock.ts';
import type { Pool, PoolSettings } from './pool.ts';

/** What all requests of one client share. */
export interface Session extends PoolSettings {
  readonly host: KubeHost;
  readonly credentials: CredentialSource;
  readonly impersonation: Headers;
  /** Milliseconds, from `--request-timeout`; Infinity for `0`; undefined when not given. */
  readonly requestTimeoutMs: number | undefined;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly counts: { requests: number; execs: number };
  /** Bytes of output that the commands which run now have sent. */
  readonly held: Held;
  /** Warnings of the API server that have been logged. */
  readonly warned: Set<string>;
}

const defaultTimeoutMs = 10_000;

/** The flag replaces the default; where a caller has its own limit, the shorter of the two holds. */
export function timeoutMs(session: Session, own: number | undefined): number {
  const flag = session.requestTimeoutMs;
  return own === undefined ? (flag ?? defaultTimeoutMs) : Math.min(own, flag ?? own);
}

/** The header lines every request carries. */
export function commonHeaders(session: Session, credential: Credential): Record<string, string | string[]> {
  return {
    'User-Agent': session.host.userAgent,
    ...session.impersonation,
    ...(credential.authorization === undefined ? {} : { Authorization: credential.authorization }),
  };
}

/** Takes credentials out of words that others wrote, such as a proxy that echoes its request. */
export function redact(session: Session, credential: Credential, text: string): string {
  return withoutSecrets(text, [...secretsOf(credential.authorization), proxyPassword(session.proxy)]);
}

/** What of an Authorization header must not be shown, as it is sent and as it is written. */
export function secretsOf(authorization: string | null | undefined): readonly string[] {
  const [, scheme = '', sent = ''] = /^(\w+) (.*)$/s.exec(authorization ?? '') ?? [];
  // In a header each byte is a character.
  if (scheme.toLowerCase() !== 'basic') return [sent, Buffer.from(sent, 'latin1').toString('utf8')];
  const userinfo = Buffer.from(sent, 'base64').toString('utf8');
  const colon = userinfo.indexOf(':');
  const password = userinfo.slice(colon + 1);
  // Some take a token as the user, without a password.
  const secret = password === '' ? userinfo.slice(0, colon) : password;
  return [sent, secret, encodeURIComponent(secret)];
}

/** The text without the secrets, the longest first: one may hold another. What is shorter than three letters is in any word. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets
    .flatMap((secret) => (secret !== undefined && secret.length > 2 ? secret : []))
    .toSorted((a, b) => b.length - a.length)
    .reduce((words, secret) => words.replaceAll(secret, '[redacted]'), text);
}

function proxyPassword(proxy: string | null): string | undefined {
  return proxy !== null && URL.canParse(proxy) ? new URL(proxy).password : undefined;
}

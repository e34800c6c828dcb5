import { setMaxListeners } from 'node:events';
import { ok } from '../result/result.ts';
import { loadConnection } from './config/files.ts';
import { loadingConfig } from './config/resolve.ts';
import { readAuthority } from './credentials/authority.ts';
import { credentialSource } from './credentials/credentials.ts';
import { impersonationHeaders } from './credentials/impersonation.ts';
import { failure, type KubeOutcome } from './errors/outcome.ts';
import { openClock } from './requests/clock.ts';
import { openPool } from './requests/pool.ts';
import { isProxyUrl, proxyFor } from './requests/proxy.ts';
import { getJson, getText, list, pages } from './requests/read.ts';
import { parseRequestTimeout } from './requests/request-timeout.ts';
import { orAborted } from './requests/retry.ts';
import type { Session } from './requests/session.ts';
import type { ConnectionFlags, KubeClient, KubeHost } from './types.ts';

/**
 * Opens a client for what flags and kubeconfig name. Sends nothing yet, and starts no credential plugin: the first
 * request does. Fails with kind `config`.
 */
export async function openKube(flags: ConnectionFlags, host: KubeHost): Promise<KubeOutcome<KubeClient>> {
  const requestTimeoutMs = flags.requestTimeout ? parseRequestTimeout(flags.requestTimeout) : undefined;
  if (requestTimeoutMs === null) {
    const hint = 'Give a number of seconds or a duration such as 30s, 2m or 1h.';
    return failure('config', loadingConfig, `invalid --request-timeout "${flags.requestTimeout}"`, { hint });
  }
  const connection = await loadConnection(flags, host);
  if (!connection.ok) return connection;
  const authority = await readAuthority(connection.value);
  if (!authority.ok) return authority;
  const proxy = proxyFor(connection.value.server, connection.value.cluster.proxyUrl, host.env);
  if (proxy !== null && !isProxyUrl(proxy)) {
    // Not quoted: it may hold a password.
    return failure('config', loadingConfig, 'the proxy is not an http, https or socks5 URL');
  }
  const settings = { connection: connection.value, authority: authority.value, proxy };
  return ok(createClient(settings, host, requestTimeoutMs));
}

function createClient(
  settings: Pick<Session, 'connection' | 'authority' | 'proxy'>,
  host: KubeHost,
  requestTimeoutMs: number | undefined,
): KubeClient {
  const { connection } = settings;
  const closing = new AbortController();
  // Every request under way listens.
  setMaxListeners(0, closing.signal);
  const session: Session = {
    ...settings,
    host,
    requestTimeoutMs,
    credentials: credentialSource(connection, host),
    impersonation: impersonationHeaders(connection.user.impersonation),
    pool: openPool({ ...settings, closing: closing.signal }),
    closing: closing.signal,
    clock: openClock((words) => host.log(0, `Warning: ${words}`)),
    counts: { requests: 0, execs: 0 },
    held: { bytes: 0 },
    warned: new Set(),
  };
  return {
    context: connection.context,
    namespace: connection.namespace,
    server: connection.server,
    counts: session.counts,
    async signIn(signal) {
      const credential = await orAborted(session.credentials.current(), signal);
      return credential.ok ? { ok: true, value: null, serverDate: null } : credential;
    },
    getJson: (path, options) => getJson(session, path, options),
    getText: (path, options) => getText(session, path, options),
    list: (path, options) => list(session, path, options),
    pages: (path, options) => pages(session, path, options),
    async exec(target, options = {}) {
      // Imported here and not above: WebSockets and client-node's configuration cost more than all the rest.
      const { exec } = await import('./exec/exec.ts');
      return exec(session, target, options);
    },
    async close() {
      closing.abort();
      session.credentials.close();
      await session.pool.close();
    },
  };
}

import type { Dispatcher } from 'undici';
import type { ClusterConnection } from '../config/types.ts';
import type { Credential } from '../credentials/credential.ts';
import { openDispatcher } from './dispatcher.ts';

/** The one connection pool of a client. */
export interface Pool {
  /** The pool for this credential: a new one only when the client certificate is another, as TLS fixes it per connection. */
  dispatcher(credential: Credential): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** What a pool is opened with. */
export interface PoolSettings {
  readonly connection: ClusterConnection;
  /** PEM certificates that vouch for the server; undefined: the system's. */
  readonly authority: string | undefined;
  /** Null: connect directly. */
  readonly proxy: string | null;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
}

/** Idle connections live longer than the pause between two rounds of the live view. */
const idleMs = 60_000;
const maxConnections = 16;

export function openPool(session: PoolSettings): Pool {
  let current: { readonly cert: string | undefined; readonly dispatcher: Promise<Dispatcher> } | undefined;
  return {
    dispatcher(credential) {
      if (current === undefined || current.cert !== credential.cert) {
        const outdated = current?.dispatcher;
        current = { cert: credential.cert, dispatcher: createDispatcher(session, credential) };
        // Requests under way finish on the old connections.
        outdated?.then((dispatcher) => dispatcher.close()).catch(() => {});
      }
      return current.dispatcher;
    },
    async close() {
      const dispatcher = await current?.dispatcher.catch(() => undefined);
      await dispatcher?.destroy();
    },
  };
}

async function createDispatcher(session: PoolSettings, credential: Credential): Promise<Dispatcher> {
  const { cluster } = session.connection;
  const tls = {
    rejectUnauthorized: !cluster.insecureSkipTlsVerify,
    ...(session.authority === undefined ? {} : { ca: session.authority }),
    ...(credential.cert === undefined ? {} : { cert: credential.cert }),
    ...(credential.key === undefined ? {} : { key: credential.key }),
    ...(cluster.tlsServerName === undefined ? {} : { servername: cluster.tlsServerName }),
  };
  const options = {
    connections: maxConnections,
    keepAliveTimeout: idleMs,
    // Every request has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    // The requests are few and short; HTTP/1.1 keeps separate Impersonate header lines and is what the tests hold.
    allowH2: false,
  };
  return openDispatcher(options, tls, session.proxy, session.closing);
}

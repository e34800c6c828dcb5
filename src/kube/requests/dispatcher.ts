import type { ConnectionOptions } from 'node:tls';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { openTunnel, type ProxyServer, proxyHeaders, reachProxy } from './tunnel.ts';

/**
 * Connections to a server, through a proxy or not.
 * @param proxy a URL that `isProxyUrl` takes; null: connect directly
 * @param signal ends connections to a proxy that are not there yet
 */
export async function openDispatcher(
  options: Agent.Options,
  tls: ConnectionOptions,
  proxy: string | null,
  signal: AbortSignal,
): Promise<Dispatcher> {
  const { Agent, buildConnector } = await import('./undici.ts');
  if (proxy === null) return new Agent({ ...options, connect: tls as buildConnector.BuildOptions });
  const via: ProxyServer = { url: new URL(proxy), tls };
  const secure = buildConnector({ ...tls, allowH2: false } as buildConnector.BuildOptions);
  const connect: buildConnector.connector = (to, callback) => {
    const isSecure = to.protocol === 'https:';
    const endpoint = { host: to.hostname, port: Number(to.port) || (isSecure ? 443 : 80) };
    const opening = isForwarded(via, to.protocol) ? reachProxy(via, signal) : openTunnel(via, endpoint, signal);
    opening.then(
      (socket) => (isSecure ? secure({ ...to, httpSocket: socket }, callback) : callback(null, socket)),
      (error: Error) => callback(error, null),
    );
  };
  return new Agent({ ...options, connect }).compose((dispatch) => (request, handler) => {
    const { origin = '', path, headers } = request;
    if (!isForwarded(via, new URL(origin).protocol)) return dispatch(request, handler);
    const more = { ...(headers as Record<string, string>), ...proxyHeaders(via) };
    return dispatch({ ...request, path: `${origin}${path}`, headers: more }, handler);
  });
}

/** A request without TLS is not tunnelled: an HTTP proxy sends it on, as kubectl has it. */
function isForwarded({ url }: ProxyServer, protocol: string): boolean {
  return protocol === 'http:' && url.protocol.startsWith('http');
}

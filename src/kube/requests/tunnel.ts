import { once } from 'node:events';
import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, getCACertificates, connect as tlsConnect } from 'node:tls';
import { defined } from '../errors/unknown-json.ts';
import { userOf } from './proxy.ts';

/** Where a tunnel goes, as a URL has it: an IPv6 address in brackets or not. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface ProxyServer {
  readonly url: URL;
  /**
   * What verifies an https proxy: as Go does, what verifies the server, beside the authorities of the system. The client
   * certificate and the name of the server are no business of the proxy.
   */
  readonly tls: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>;
}

/** Why a proxy gave no connection, in words. */
export class ProxyFailed extends Error {}

/** The Proxy-Authorization of a proxy whose URL holds a user. */
export function proxyHeaders({ url }: ProxyServer): Record<string, string> {
  const { username, password } = userOf(url) ?? { username: '', password: '' };
  if (username === '' && password === '') return {};
  return { 'Proxy-Authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/**
 * A connection to the endpoint through a proxy: by CONNECT, or by SOCKS5, where the proxy looks names up as well. Rejects
 * with `ProxyFailed`.
 * @param signal ends it as long as it is not there; afterwards it belongs to the caller
 */
export async function openTunnel(proxy: ProxyServer, to: HostPort, signal: AbortSignal): Promise<Socket> {
  const isSocks = proxy.url.protocol.startsWith('socks5');
  return (isSocks ? throughSocks(proxy, to, signal) : byConnect(proxy, to, signal)).catch(failed);
}

/** A connection to the proxy itself, once it is there. Rejects with `ProxyFailed`. */
export async function reachProxy(proxy: ProxyServer, signal: AbortSignal): Promise<Socket> {
  const socket = connectToProxy(proxy);
  try {
    await once(socket, proxy.url.protocol === 'https:' ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    return failed(error);
  }
}

function failed(error: unknown): never {
  throw new ProxyFailed(error instanceof Error ? error.message : String(error));
}

function connectToProxy({ url, tls: { ca, rejectUnauthorized } }: ProxyServer): Socket {
  const host = bare(url.hostname);
  const port = portOf(url);
  if (url.protocol !== 'https:') return connect({ host, port });
  return tlsConnect({
    ...defined({
      rejectUnauthorized,
      ca: ca === undefined ? undefined : [...getCACertificates('default'), ...[ca].flat()],
      servername: isIP(host) === 0 ? host : undefined,
    }),
    host,
    port,
  });
}

function byConnect(proxy: ProxyServer, to: HostPort, signal: AbortSignal): Promise<Socket> {
  const host = bare(to.host);
  const path = `${isIP(host) === 6 ? `[${host}]` : host}:${to.port}`;
  return new Promise((resolve, reject) => {
    const sent = request({
      method: 'CONNECT',
      path,
      headers: { Host: path, ...proxyHeaders(proxy) },
      createConnection: () => connectToProxy(proxy),
      signal,
    });
    sent.once('connect', (response, socket, head) => {
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket as Socket);
        return;
      }
      socket.destroy();
      reject(new Error(`HTTP ${response.statusCode}`));
    });
    sent.once('response', (response) => {
      sent.destroy();
      reject(new Error(`HTTP ${response.statusCode}`));
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function throughSocks(proxy: ProxyServer, to: HostPort, signal: AbortSignal): Promise<Socket> {
  const { SocksClient } = await import('./socks.ts');
  const socket = await reachProxy(proxy, signal);
  const abort = (): void => void socket.destroy(new Error('given up'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    const { username, password } = userOf(proxy.url) ?? {};
    const opened = await SocksClient.createConnection({
      command: 'connect',
      proxy: {
        host: bare(proxy.url.hostname),
        port: portOf(proxy.url),
        type: 5,
        ...(username ? { userId: username, password: password ?? '' } : {}),
      },
      destination: { host: bare(to.host), port: to.port },
      existing_socket: socket,
    });
    return opened.socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : url.protocol === 'http:' ? 80 : 1080;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

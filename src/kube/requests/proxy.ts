import { BlockList, isIP } from 'node:net';
import type { KubeHost } from '../types.ts';

/**
 * The proxy for a server: the cluster's own `proxy-url`, else the environment as Go reads it
 * (golang.org/x/net/http/httpproxy): HTTPS_PROXY or HTTP_PROXY by the server's scheme, unless NO_PROXY names the server.
 * Loopback servers never go through a proxy of the environment. Null: connect directly.
 */
export function proxyFor(server: string, proxyUrl: string | undefined, env: KubeHost['env']): string | null {
  if (proxyUrl !== undefined) return proxyUrl;
  const url = new URL(server);
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (isLoopback(host)) return null;
  const exceptions = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((item) => item.trim().toLowerCase());
  if (exceptions.some((exception) => exception !== '' && matches(exception, host, port))) return null;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** Whether a proxy can be used. */
export function isProxyUrl(proxy: string): boolean {
  if (!URL.canParse(proxy)) return false;
  const url = new URL(proxy);
  return /^(https?|socks5h?):$/.test(url.protocol) && url.hostname !== '' && userOf(url) !== null;
}

/** The user and password of a URL, decoded; null where their percent signs cannot be. */
export function userOf(url: URL): { readonly username: string; readonly password: string } | null {
  try {
    return { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    return null;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function matches(exception: string, host: string, port: string): boolean {
  if (exception === '*') return true;
  if (exception.includes('/')) return isIP(host) !== 0 && inRange(exception, host);
  const withPort = /^(.*):(\d+)$/.exec(exception);
  const hasPort = withPort !== null && isIP(exception) === 0;
  if (hasPort && withPort[2] !== port) return false;
  const pattern = (hasPort ? (withPort[1] ?? '') : exception).replace(/^\[|\]$/g, '');
  if (isIP(pattern) !== 0) return pattern === host;
  // `.example.com` and `*.example.com` are the subdomains alone, `example.com` is the domain with them.
  const domain = pattern.replace(/^\*(?=\.)/, '');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function inRange(range: string, address: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const length = Number(prefix);
  if (isIP(network) === 0 || !/^\d+$/.test(prefix) || length > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, length, family);
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

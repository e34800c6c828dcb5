import type { Impersonation } from '../config/types.ts';

/** Header lines; a list is several lines of the same name. */
export type Headers = Readonly<Record<string, string | string[]>>;

/**
 * The Impersonate headers. Groups and extra values stay lists so that each becomes a header line of its own: the API
 * server reads joined groups as one group (kubernetes-client/javascript #2474).
 */
export function impersonationHeaders(who: Impersonation): Headers {
  if (who.user === undefined) return {};
  const headers: Record<string, string | string[]> = { 'Impersonate-User': headerText(who.user) };
  if (who.uid !== undefined) headers['Impersonate-Uid'] = headerText(who.uid);
  if (who.groups.length > 0) headers['Impersonate-Group'] = who.groups.map(headerText);
  for (const [key, values] of Object.entries(who.extra)) {
    headers[`Impersonate-Extra-${escapeKey(key)}`] = values.map(headerText);
  }
  return headers;
}

/** Go sends header values as raw UTF-8; Node takes a string of bytes. */
export function headerText(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

/** Percent-encodes what may not stand in a header name (client-go transport/round_trippers.go `headerKeyEscape`). */
function escapeKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const legal = /[A-Za-z0-9!#$&'*+\-.^_`|~]/.test(character);
      return legal ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

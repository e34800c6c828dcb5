import type { Addresses } from './redact-addresses.ts';
import type { Names } from './redact-names.ts';
import { vocabulary } from './vocabulary.ts';

/** What stands between blanks, quotes and brackets, and the stops at its end. */
const token = /[^\s"'`“”‘’(),;{}[\]<>|=]+/g;
const stops = /[.:?!]$/;

/** Where something answers, as own words name it: a URL, or `namespace/service:port`. */
const place = /^(https?:\/\/.*|[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*:\d+)$/i;

/** No name of Kubernetes is longer, and none of our words. */
const longestWord = 253;

/** A figure, with a unit perhaps. */
const figure = /^\d{1,7}(\.\d{1,6})?(%|[a-z]{1,3})?$/i;

/**
 * Our own words, those of Kubernetes and figures stay; names that were met elsewhere get their pseudonyms, addresses those
 * of their networks; quotes that nobody knows, places, and any other word are taken out: a host without dots, a word of a
 * webhook or a secret looks like any other. In one pass, however long the text is.
 */
export function redactWords(text: string, names: Names, addresses: Addresses): string {
  const unquoted = text.replaceAll(/"([^"]*)"/g, (_, quoted: string) => `"${names.known(quoted) ?? '…'}"`);
  return unquoted.replaceAll(token, (found) => {
    let end = found.length;
    while (end > 0 && stops.test(found.charAt(end - 1))) end--;
    return redactToken(found.slice(0, end), names, addresses) + found.slice(end);
  });
}

function redactToken(word: string, names: Names, addresses: Addresses): string {
  const pseudonym = nameOf(word, names) ?? (word.length > longestWord ? '…' : addresses(word));
  if (pseudonym !== null) return pseudonym;
  if (place.test(word) || word.includes('@')) return '…';
  return word
    .split(/([/:])/)
    .map((part) => nameOf(part, names) ?? addresses(part) ?? (isPlain(part) ? part : '…'))
    .join('');
}

/** Names of one or two letters may be words as well. */
function nameOf(word: string, names: Names): string | null {
  return word.length > 2 || !isPlain(word) ? (names.known(word) ?? null) : null;
}

function isPlain(part: string): boolean {
  return (
    figure.test(part) ||
    part
      .split(/[-._]/)
      .every((word) => !/[\p{L}\p{N}]/u.test(word) || figure.test(word) || vocabulary.has(word.toLowerCase()))
  );
}

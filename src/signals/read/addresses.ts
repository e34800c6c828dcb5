import ipaddr from 'ipaddr.js';

/** No address with a zone is longer; longer text is not looked at, so that hostile input stays cheap. */
const longestAddress = 100;

const notIPv4 = -1;
const dot = 46;
const zero = 48;
const closingBracket = 93;

/**
 * One spelling for one address: without brackets and zone (`%eth0`), IPv4-mapped IPv6 as plain IPv4, IPv6 in lower case
 * and shortened as RFC 5952 says. Null where the text is no address, `*` included.
 */
export function normaliseAddress(text: string): string | null {
  const octets = readIPv4(text, 0, text.length);
  return octets === notIPv4 ? readOther(text) : writeIPv4(octets);
}

/**
 * normaliseAddress for many rows. It hands out the same string for the same address: a server with 100,000 connections
 * has far fewer clients, and a piece cut out of the output would keep the whole output in memory.
 */
export function addressReader(): (text: string, start: number, end: number) => string | null {
  const ipv4 = new Map<number, string>();
  const others = new Map<string, string | null>();
  return (text, start, end) => {
    const octets = readIPv4(text, start, end);
    if (octets !== notIPv4) return remembered(ipv4, octets, writeIPv4);
    return end - start > longestAddress ? null : remembered(others, text.slice(start, end), readOther);
  };
}

function remembered<K, V>(known: Map<K, V>, key: K, read: (key: K) => V): V {
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  const value = read(key);
  known.set(key, value);
  return value;
}

/** An address from its eight 16-bit groups. */
export function addressOfGroups(groups: number[]): string {
  const address = new ipaddr.IPv6(groups);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}

function readOther(text: string): string | null {
  if (text.length > longestAddress) return null;
  const bare = withoutZone(withoutBrackets(text));
  const octets = readIPv4(bare, 0, bare.length);
  if (octets !== notIPv4) return writeIPv4(octets);
  return ipaddr.IPv6.isValid(bare) ? addressOfGroups(ipaddr.IPv6.parse(bare).parts) : null;
}

/** ss writes a zone after the brackets, others inside: `[fe80::1]%eth0`, `[fe80::1%eth0]`. */
function withoutBrackets(text: string): string {
  if (!text.startsWith('[')) return text;
  const end = text.indexOf(']');
  const rest = text.slice(end + 1);
  return end > 0 && (rest === '' || rest.startsWith('%')) ? text.slice(1, end) : text;
}

function withoutZone(text: string): string {
  const zone = text.indexOf('%');
  return zone === -1 ? text : text.slice(0, zone);
}

/**
 * The four octets of an IPv4 address as one number, else notIPv4. Also of a mapped one, which is what a server on `[::]`
 * sees of its IPv4 clients: `[::ffff:10.0.0.1]`. Leading zeros are refused: they mean octal to some.
 */
function readIPv4(text: string, from: number, to: number): number {
  const start = text.startsWith('[::ffff:', from) ? from + 8 : text.startsWith('::ffff:', from) ? from + 7 : from;
  const end = start === from + 8 && text.charCodeAt(to - 1) === closingBracket ? to - 1 : to;
  let octets = 0;
  let at = start;
  for (let index = 0; index < 4; index++) {
    if (index > 0 && (at >= end || text.charCodeAt(at++) !== dot)) return notIPv4;
    const first = at;
    let octet = 0;
    for (; at < end && at < first + 3; at++) {
      const digit = text.charCodeAt(at) - zero;
      if (digit < 0 || digit > 9) break;
      octet = octet * 10 + digit;
    }
    const leadingZero = at > first + 1 && text.charCodeAt(first) === zero;
    if (at === first || octet > 255 || leadingZero) return notIPv4;
    octets = octets * 256 + octet;
  }
  return at === end ? octets : notIPv4;
}

function writeIPv4(octets: number): string {
  return [octets >>> 24, (octets >>> 16) & 255, (octets >>> 8) & 255, octets & 255].join('.');
}

/** Gives each network another number and leaves the place in it; null for what is no address. */
export type Addresses = (text: string) => string | null;

export function openAddresses(): Addresses {
  const networks = new Map<string, number>();
  const numberOf = (network: string): number => {
    const number = networks.get(network) ?? networks.size;
    networks.set(network, number);
    return number;
  };
  return (text) => {
    const [, address = '', , end = ''] = /^([^/%]*)(%[^/]*)?(\/\d{1,3})?$/.exec(text) ?? [];
    const family = familyOf(address);
    if (family === null) return text === 'None' || text === '' ? text : null;
    if (/^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe80:)/i.test(address)) return `${address}${end}`;
    if (family === 4) {
      const [a, b, c, d] = address.split('.');
      const number = numberOf(`${a}.${b}`);
      return `${10 + Math.floor(number / 256)}.${number % 256}.${c}.${d}${end}`;
    }
    const groups = groupsOf(address);
    const number = numberOf(groups.slice(0, 4).join(':'));
    const rest = groups.slice(4).every((group, index) => index === 3 || group === '0')
      ? groups[7]
      : (numberOf(address) + 0x1_0000).toString(16).replace(/(.{4})$/, ':$1');
    return `fd00:0:0:${number.toString(16)}::${rest === '0' ? '' : rest}${end}`;
  };
}

function familyOf(address: string): 4 | 6 | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return 4;
  return /^[\da-f.]*:[\da-f:.]*$/i.test(address) && URL.canParse(`http://[${address}]`) ? 6 : null;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

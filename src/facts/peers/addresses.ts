import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Null where the text is no address: kubelet and the kernel write four decimals or an IPv6 address, nothing else. */
function read(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** 127.0.0.0/8 and ::1. */
export function isLoopback(text: string): boolean {
  // Asked of every peer: what begins otherwise need not be parsed.
  return /^127\.|:/.test(text) && read(text)?.range() === 'loopback';
}

const ownRanges: ReadonlySet<string> = new Set([
  ...['private', 'loopback', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'],
]);

/** RFC 1918, RFC 6598 and unique local addresses: inside some network of ours, though no pod that we could see. */
export function isPrivate(text: string): boolean {
  return ownRanges.has(read(text)?.range() ?? '');
}

const googleRanges = ['35.191.0.0/16', '130.211.0.0/22'].map((range) => ipaddr.IPv4.parseCIDR(range));

/** 130.211.0.0/22 and 35.191.0.0/16: from where Google's load balancers connect, by its own documentation. */
export function isCloudLoadBalancer(text: string): boolean {
  const address = read(text);
  return address instanceof ipaddr.IPv4 && googleRanges.some((range) => address.match(range));
}

/** The first address of a node's pod network, which is its bridge's: `10.244.1.1` of `10.244.1.0/24`. */
export function bridgeOf(cidr: string): string | null {
  const family = ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr)
    ? ipaddr.IPv4
    : ipaddr.IPv6.isValidCIDR(cidr)
      ? ipaddr.IPv6
      : null;
  return family === null ? null : afterFirst(family.networkAddressFromCIDR(cidr));
}

/** The bridge of the node of a pod, by the rule of kube-controller-manager: each node has a /24, or a /64 of IPv6. */
export function likelyBridgeOf(pod: string): string | null {
  const address = read(pod);
  return address === null ? null : bridgeOf(`${address}/${address.kind() === 'ipv4' ? 24 : 64}`);
}

function afterFirst(network: Address): string {
  const bytes = network.toByteArray();
  const next = ipaddr.fromByteArray([...bytes.slice(0, -1), (bytes.at(-1) ?? 0) + 1]);
  return next instanceof ipaddr.IPv6 ? next.toRFC5952String() : next.toString();
}

/** Names the network of a whole cluster or VPC that an address is in: a /16, of IPv6 the /56 that a VPC gets. */
export function widerNetworkOf(text: string): string | null {
  const address = read(text);
  if (address === null) return null;
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv4' ? 2 : 7)
    .join('.');
}

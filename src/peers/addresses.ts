/** 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

/** RFC 1918, RFC 6598 and unique local addresses: inside some network of ours, though no pod that we could see. */
export function isPrivate(address: string): boolean {
  if (/^(10\.|192\.168\.|127\.|169\.254\.)/.test(address)) return true;
  if (/^f[cd]/i.test(address) || /^fe80/i.test(address)) return true;
  const match = /^(172|100)\.(\d+)\./.exec(address);
  if (match === null) return false;
  const second = Number(match[2]);
  return match[1] === '172' ? second >= 16 && second < 32 : second >= 64 && second < 128;
}

/** 130.211.0.0/22 and 35.191.0.0/16: from where Google's load balancers connect, by its own documentation. */
export function isCloudLoadBalancer(address: string): boolean {
  return /^35\.191\.|^130\.211\.[0-3]\./.test(address);
}

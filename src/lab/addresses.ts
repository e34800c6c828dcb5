import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/**
 * Pods and virtual IPs have addresses of a common cluster (10.244/16 and 10.96/16). Their sockets live at the
 * same address in 127/8, all of which answers on Linux: 10.244.0.7 is really 127.244.0.7.
 */
export function realAddress(clusterAddress: string): string {
  return clusterAddress.replace(/^10\.(244|96)\./, '127.$1.');
}

/** The way back, for text that leaves the lab. */
export function clusterAddress(text: string): string {
  return text.replace(/\b127\.(244|96)\./g, '10.$1.');
}

/**
 * Where a pod's server binds. Bound to the IPv4-mapped form of its address, a socket shows up as those of a server
 * that listens on [::], as most do; a machine without IPv6 has the plain form only.
 */
export function bindAddress(realIp: string): string {
  return existsSync('/proc/net/tcp6') ? `::ffff:${realIp}` : realIp;
}

export const grpcPort = 50051;
/** The second gRPC port of the pods, where they have one. */
export const adminPort = 50052;
export const metricsPort = 9090;

export interface AddressBlock {
  /** Third octet of the first node's pods; each further node has the next one. */
  readonly number: number;
  release(): Promise<void>;
}

/** One /24 for each node that there may be. */
const networks = 4;

/**
 * Finds /24 networks that no other lab on this machine uses. Sockets that listen on their bridge addresses are the
 * claim: they end with the process, whatever happens to it.
 */
export async function claimAddressBlock(platform: string = process.platform): Promise<AddressBlock> {
  if (platform !== 'linux') {
    throw new Error(
      `The lab needs Linux, where all of 127.0.0.0/8 answers: its pods live there (this is ${platform}).`,
    );
  }
  for (let number = 0; number < 256; number += networks) {
    const claims = await Promise.all(
      Array.from({ length: networks }, (_, index) => listen(`127.244.${number + index}.1`)),
    );
    const held = claims.filter((claim) => claim !== null);
    const release = async () => {
      await Promise.all(held.map((claim) => new Promise((done) => claim.close(done))));
    };
    if (held.length === networks) return { number, release };
    await release();
  }
  throw new Error(`The lab found no free addresses: ${256 / networks} labs seem to run on this machine.`);
}

function listen(host: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(new Error(`The lab cannot listen on ${host}: ${error.code}.`, { cause: error }));
    });
    server.listen({ host, port: grpcPort }, () => resolve(server));
  });
}

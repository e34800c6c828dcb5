import { connect, createServer, type Socket } from 'node:net';

export interface VirtualIp {
  /**
   * Sockets that only exist since the lab forwards where a kernel would translate, as `local>peer`. Nobody in
   * a client pod would see them.
   */
  isHidden(local: string, peer: string): boolean;
  close(): Promise<void>;
}

/**
 * Stands in for kube-proxy: listens on the virtual IP and picks a backend once for each connection. It dials from
 * the client's own address AND port, so the server sees the client as behind DNAT. (Both sockets may hold the same
 * local port since their peers differ and libuv binds with SO_REUSEADDR.)
 */
export function startVirtualIp(
  realIp: string,
  port: number,
  pickBackend: () => string | undefined,
): Promise<VirtualIp> {
  const hidden = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const host = pickBackend();
    const { remoteAddress: localAddress, remotePort: localPort } = client;
    if (!host || !localAddress || !localPort) return void client.resetAndDestroy();
    const key = `${localAddress}:${localPort}>${host}:${port}`;
    hidden.add(key);
    const backend = connect({ host, port, localAddress, localPort });
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
        if (socket === backend) hidden.delete(key);
      });
      socket.pipe(other);
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: realIp, port }, () =>
      resolve({
        isHidden: (local, peer) => hidden.has(`${local}>${peer}`),
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const socket of sockets) socket.destroy();
          }),
      }),
    );
  });
}

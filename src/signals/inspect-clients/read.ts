import type { ClientLook } from '../../evidence/looks.ts';
import type { Service } from '../../evidence/objects.ts';
import type { ReadSockets } from '../read/sockets.ts';

const runtimes: readonly (readonly [RegExp, NonNullable<ClientLook['runtime']>])[] = [
  [/^java$/, 'java'],
  [/^node(js)?$/, 'node'],
  [/^(python[\d.]*|gunicorn|uvicorn|celery)$/, 'python'],
  [/^dotnet$/, 'dotnet'],
];

/** Processes that only start others: they say nothing of the program. */
const starters =
  /^(sh|bash|ash|dash|tini|dumb-init|docker-init|s6-svscan|supervisord|pause|catatonit|runsvdir|npm.*|yarn)$/;

/** What runs there, from a list; anything else is a static binary or something that is not known here. */
export function readRuntime(stdout: string): ClientLook['runtime'] {
  const name = stdout.trim();
  if (name === '' || starters.test(name)) return null;
  return runtimes.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}

/** Where the connections of a client may lead. */
export interface Destinations {
  readonly ports: ReadonlySet<number>;
  /** Name of the Service, by its virtual address. */
  readonly virtual: ReadonlyMap<string, string>;
  readonly pods: ReadonlySet<string>;
}

export function destinationsOf(
  services: readonly Service[],
  pods: readonly { readonly addresses: readonly string[] }[],
  targetPorts: readonly number[],
): Destinations {
  const virtual = services.flatMap(({ name, clusterIPs, clusterIP }) =>
    [...new Set([...clusterIPs, ...(clusterIP === null ? [] : [clusterIP])])].flatMap((address): [string, string][] =>
      address === 'None' || address === '' ? [] : [[address, name]],
    ),
  );
  return {
    ports: new Set([...targetPorts, ...services.flatMap((service) => service.ports.map(({ port }) => port))]),
    virtual: new Map(virtual),
    pods: new Set(pods.flatMap((pod) => pod.addresses)),
  };
}

/** What a client is connected to, of the Services and pods that are asked about: every other peer is left behind. */
export function readDialled(read: ReadSockets, to: Destinations): ClientLook['dialled'] {
  const counts = new Map<string | null, number>();
  for (const { peerAddress, peerPort } of read.sockets) {
    const service = to.virtual.get(peerAddress);
    if (!to.ports.has(peerPort) || (service === undefined && !to.pods.has(peerAddress))) continue;
    counts.set(service ?? null, (counts.get(service ?? null) ?? 0) + 1);
  }
  return [...counts]
    .map(([service, connections]) => ({
      what: service === null ? ('pod' as const) : ('virtual-address' as const),
      service,
      connections,
    }))
    .sort((a, b) => b.connections - a.connections);
}

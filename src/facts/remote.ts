import type { Backend } from '../evidence/endpoints.ts';
import type { EndpointSlice } from '../evidence/objects.ts';
import type { Facts } from './facts.ts';

/** Ready endpoints of the port that no pod of this cluster stands behind, as far as it can be told. */
export interface RemoteEndpoints {
  readonly backends: readonly Backend[];
  /** Who made the slices that name them, by their label. */
  readonly managedBy: ReadonlySet<NonNullable<EndpointSlice['managedBy']>>;
  /** Of these so many have the address of a pod of this cluster: written by hand, without a reference to it. */
  readonly ownPods: number;
}

export function findRemote({ united, evidence, index }: Pick<Facts, 'united' | 'evidence' | 'index'>): RemoteEndpoints {
  const backends = united.backends.filter((backend) => backend.pod === null && backend.ready);
  const addresses = new Set(backends.flatMap((backend) => backend.addresses));
  const own = new Set((evidence.pods ?? []).flatMap((pod) => pod.addresses));
  const slices = (evidence.endpointSlices ?? []).filter((slice) =>
    slice.endpoints.some(
      (endpoint) => endpoint.pod === null && endpoint.addresses.some((entry) => addresses.has(entry)),
    ),
  );
  return {
    backends,
    managedBy: new Set(slices.flatMap((slice) => slice.managedBy ?? [])),
    ownPods: backends.filter((backend) =>
      backend.addresses.some((address) => own.has(address) || index.peers.name(address).pod !== null),
    ).length,
  };
}

import type { Endpoint, EndpointSlice } from '../../evidence/objects.ts';
import { flagAt, integerAt, listAt, textAt } from '../read/json.ts';

/** Reads EndpointSlices; what is none is left out. */
export function readEndpointSlices(items: readonly unknown[]): EndpointSlice[] {
  return items.flatMap((item) => {
    const name = textAt(item, 'metadata', 'name');
    if (name === null) return [];
    return [
      {
        name,
        addressType: textAt(item, 'addressType') ?? 'IPv4',
        ...managedByOf(item),
        ports: listAt(item, 'ports').map((port) => ({
          name: textAt(port, 'name'),
          port: integerAt(port, 'port'),
          protocol: textAt(port, 'protocol') ?? 'TCP',
          appProtocol: textAt(port, 'appProtocol'),
        })),
        endpoints: listAt(item, 'endpoints').map(readEndpoint),
      },
    ];
  });
}

const makers: ReadonlyMap<string, NonNullable<EndpointSlice['managedBy']>> = new Map([
  ['endpointslice-controller.k8s.io', 'controller'],
  ['endpointslicemirroring-controller.k8s.io', 'mirroring'],
  ['endpointslice-mesh-controller.cilium.io', 'cilium-mesh'],
]);

/** Who made a slice, as a word of a list. The label of the Multi-Cluster Services API names another cluster (KEP-1645). */
function managedByOf(item: unknown): Pick<EndpointSlice, 'managedBy'> {
  const source = textAt(item, 'metadata', 'labels', 'multicluster.kubernetes.io/source-cluster');
  const maker = textAt(item, 'metadata', 'labels', 'endpointslice.kubernetes.io/managed-by');
  const known = makers.get(maker ?? '');
  if (known !== undefined) return { managedBy: known };
  return source !== null ? { managedBy: 'other-cluster' } : maker === null ? {} : { managedBy: 'other' };
}

function readEndpoint(endpoint: unknown): Endpoint {
  const podName = textAt(endpoint, 'targetRef', 'kind') === 'Pod' ? textAt(endpoint, 'targetRef', 'name') : null;
  return {
    addresses: listAt(endpoint, 'addresses').filter((address) => typeof address === 'string'),
    ready: flagAt(endpoint, 'conditions', 'ready'),
    serving: flagAt(endpoint, 'conditions', 'serving'),
    terminating: flagAt(endpoint, 'conditions', 'terminating'),
    pod:
      podName === null
        ? null
        : {
            name: podName,
            namespace: textAt(endpoint, 'targetRef', 'namespace') ?? '',
            uid: textAt(endpoint, 'targetRef', 'uid') ?? '',
          },
    nodeName: textAt(endpoint, 'nodeName'),
    zone: textAt(endpoint, 'zone'),
    hintZones: names(endpoint, 'forZones'),
    hintNodes: names(endpoint, 'forNodes'),
  };
}

function names(endpoint: unknown, hint: string): string[] {
  return listAt(endpoint, 'hints', hint).flatMap((entry) => textAt(entry, 'name') ?? []);
}

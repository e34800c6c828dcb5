import { isUneven } from '../facts/facts.ts';
import { findRemote } from '../facts/remote.ts';
import { countOf, listed, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

const makers = {
  controller: 'the EndpointSlice controller',
  mirroring: 'a copy of an Endpoints object written by hand',
  'cilium-mesh': 'ClusterMesh, from another cluster',
  'other-cluster': 'another cluster (ServiceImport)',
  other: 'a controller or a person of their own',
} as const;

export const remoteEndpoints: CauseUnit = {
  id: 'remote-endpoints',
  title: 'Some endpoints are no pods of this cluster',
  family: 'not-load-balancing',
  needs: ['endpoints'],
  signature:
    'EndpointSlices of the Service name addresses without a pod of this cluster: of another cluster (ClusterMesh, ServiceImport), or written by hand.',
  confidenceRule:
    'certain when no pod of this cluster is a ready endpoint and such addresses are: all traffic leaves; possible when they stand beside pods and the load of these is uneven: what goes to the others cannot be seen from here.',
  rivals: [{ id: 'endpoints-missing', toldApartBy: 'whether the slices name addresses without a pod' }],
  find(facts) {
    const { backends, managedBy, ownPods } = findRemote(facts);
    const namespaces = new Set(backends.flatMap(({ elsewhere }) => elsewhere ?? []));
    const areElsewhere = backends.every(({ elsewhere }) => elsewhere !== undefined);
    if (backends.length === 0) return null;
    const { replicas } = facts;
    if (replicas.length > 0 && !isUneven(facts)) return null;
    const all = replicas.length + backends.length;
    const addresses = backends.flatMap((backend) => backend.addresses.slice(0, 1));
    return {
      confidence: replicas.length === 0 && ownPods === 0 ? 'certain' : 'possible',
      text: `${countOf(backends.length, 'endpoint is', 'endpoints are')} no pod of this ${areElsewhere ? 'namespace' : 'cluster'} (${backends.length} of ${all}): the load there is not seen`,
      evidence: [
        `without a pod${areElsewhere ? ' here' : ''}: ${listed(addresses)}`,
        namespaces.size > 0 && `named as pods of namespace ${listed([...namespaces].sort())}`,
        ...[...managedBy].sort().map((maker) => `their slices are of ${makers[maker]}`),
        ownPods > 0 &&
          `${countOf(ownPods, 'has', 'have')} the address of ${plural(ownPods, 'pod')} of this cluster, without naming it`,
      ],
      settledBy: replicas.length === 0 ? [] : ['the load of those endpoints, seen from their own cluster'],
    };
  },
};

import type { Deployment, Node, PeerPod } from '../../evidence/objects.ts';
import { readChanges } from '../read/changes.ts';
import { integerAt, listAt, textAt } from '../read/json.ts';
import { readPeerPod } from '../read/pods.ts';

/** Keeps the pods that own one of the wanted addresses: only peers enter Evidence, not the whole cluster. */
export function readPeerPods(items: readonly unknown[], wanted: ReadonlySet<string>): PeerPod[] {
  return items.flatMap((item) => {
    const pod = readPeerPod(item);
    return pod?.addresses.some((address) => wanted.has(address)) ? [pod] : [];
  });
}

export function readNodes(items: readonly unknown[]): Node[] {
  return items.flatMap((item) => {
    const name = textAt(item, 'metadata', 'name');
    if (name === null) return [];
    const ready = listAt(item, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
    const cidrs = listAt(item, 'spec', 'podCIDRs').filter((cidr) => typeof cidr === 'string');
    return [
      {
        name,
        addresses: listAt(item, 'status', 'addresses')
          .filter((address) => textAt(address, 'type')?.endsWith('IP'))
          .flatMap((address) => textAt(address, 'address') ?? []),
        podCIDRs: cidrs,
        zone: textAt(item, 'metadata', 'labels', 'topology.kubernetes.io/zone'),
        instanceType: textAt(item, 'metadata', 'labels', 'node.kubernetes.io/instance-type'),
        ready: ready === undefined ? null : textAt(ready, 'status') === 'True',
      },
    ];
  });
}

export function readDeployments(items: readonly unknown[]): Deployment[] {
  return items.flatMap((item) => {
    const name = textAt(item, 'metadata', 'name');
    if (name === null) return [];
    const generation = integerAt(item, 'metadata', 'generation');
    const observed = integerAt(item, 'status', 'observedGeneration');
    return [
      {
        name,
        namespace: textAt(item, 'metadata', 'namespace') ?? 'default',
        replicas: integerAt(item, 'spec', 'replicas'),
        currentReplicas: integerAt(item, 'status', 'replicas') ?? 0,
        updatedReplicas: integerAt(item, 'status', 'updatedReplicas') ?? 0,
        readyReplicas: integerAt(item, 'status', 'readyReplicas') ?? 0,
        observed: generation === null || observed === null || observed >= generation,
        ...readChanges(item, { replicas: ['f:spec', 'f:replicas'] }),
      },
    ];
  });
}

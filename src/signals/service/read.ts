import type { Service, ServicePort } from '../../evidence/objects.ts';
import { type FieldPaths, readChanges } from '../read/changes.ts';
import { flagAt, integerAt, listAt, portAt, textAt, textMapAt, timeAt } from '../read/json.ts';
import { nameLabels } from '../read/labels.ts';

/** Reads a Service object; null when it is none. */
export function readService(body: unknown): Service | null {
  const name = textAt(body, 'metadata', 'name');
  if (name === null || textAt(body, 'kind') !== 'Service') return null;
  return {
    name,
    namespace: textAt(body, 'metadata', 'namespace') ?? 'default',
    type: textAt(body, 'spec', 'type') ?? 'ClusterIP',
    clusterIP: textAt(body, 'spec', 'clusterIP'),
    clusterIPs: listAt(body, 'spec', 'clusterIPs').filter((address) => typeof address === 'string'),
    selector: textMapAt(body, 'spec', 'selector'),
    ports: listAt(body, 'spec', 'ports').flatMap(readPort),
    sessionAffinity: textAt(body, 'spec', 'sessionAffinity') ?? 'None',
    sessionAffinityTimeoutSeconds: integerAt(body, 'spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'),
    internalTrafficPolicy: textAt(body, 'spec', 'internalTrafficPolicy'),
    externalTrafficPolicy: textAt(body, 'spec', 'externalTrafficPolicy'),
    trafficDistribution: textAt(body, 'spec', 'trafficDistribution'),
    // Before 1.27 the same switch was called topology-aware-hints.
    topologyMode:
      textAt(body, 'metadata', 'annotations', 'service.kubernetes.io/topology-mode') ??
      textAt(body, 'metadata', 'annotations', 'service.kubernetes.io/topology-aware-hints'),
    publishNotReadyAddresses: flagAt(body, 'spec', 'publishNotReadyAddresses') ?? false,
    createdAt: timeAt(body, 'metadata', 'creationTimestamp'),
    labels: nameLabels(textMapAt(body, 'metadata', 'labels')),
    ...loadBalancerOf(body),
    ...readChanges(body, settingPaths),
  };
}

/** Settings by which a Service leads traffic. */
const settingPaths: FieldPaths = {
  sessionAffinity: ['f:spec', 'f:sessionAffinity'],
  internalTrafficPolicy: ['f:spec', 'f:internalTrafficPolicy'],
  externalTrafficPolicy: ['f:spec', 'f:externalTrafficPolicy'],
  trafficDistribution: ['f:spec', 'f:trafficDistribution'],
  topologyMode: ['f:metadata', 'f:annotations', 'f:service.kubernetes.io/topology-mode'],
  selector: ['f:spec', 'f:selector'],
};

function loadBalancerOf(body: unknown): Pick<Service, 'loadBalancerAddresses'> {
  const addresses = listAt(body, 'status', 'loadBalancer', 'ingress').flatMap((entry) => textAt(entry, 'ip') ?? []);
  return addresses.length === 0
    ? {}
    : { loadBalancerAddresses: addresses.filter((address) => /^[\da-f.:]+$/i.test(address)) };
}

function readPort(port: unknown): ServicePort[] {
  const number = integerAt(port, 'port');
  if (number === null) return [];
  return [
    {
      name: textAt(port, 'name'),
      port: number,
      targetPort: portAt(port, 'targetPort'),
      protocol: textAt(port, 'protocol') ?? 'TCP',
      appProtocol: textAt(port, 'appProtocol'),
    },
  ];
}

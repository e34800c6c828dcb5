import { uniteEndpoints } from '../evidence/endpoints.ts';
import type { Service, ServicePort } from '../evidence/objects.ts';
import { grpcPorts } from '../evidence/ports.ts';
import type { SkewEvidence } from '../evidence/schema.ts';

/**
 * Other ports of the Service that look like gRPC and that some of the same pods serve. A pod counts its calls and its CPU
 * once, for all of its ports: then these figures are not those of the port in question.
 */
export function findSharedPorts(evidence: SkewEvidence, service: Service, port: ServicePort): readonly ServicePort[] {
  const served = servers(evidence, port);
  return grpcPorts(service).filter((other) => {
    if (other.port === port.port) return false;
    return [...servers(evidence, other)].some(([pod, at]) => served.has(pod) && served.get(pod) !== at);
  });
}

/** Where each pod listens for a port of the Service. */
function servers(evidence: SkewEvidence, port: ServicePort): ReadonlyMap<string, number> {
  const { backends } = uniteEndpoints(evidence.endpointSlices ?? [], port, {
    namespace: evidence.metadata.namespace,
    pods: evidence.pods ?? [],
  });
  return new Map(
    backends.flatMap((backend): [string, number][] =>
      backend.pod === null || backend.port === null ? [] : [[backend.pod.uid, backend.port]],
    ),
  );
}

/**
 * The evidence without what is counted for all ports together: the pods' own counters, also as Prometheus has them, the
 * traffic of their interfaces, and sockets in TIME-WAIT.
 */
export function withoutShared(evidence: SkewEvidence): SkewEvidence {
  const { connections, prometheus } = evidence;
  const looks = connections?.looks.map(({ timeWait: _, ...look }) => look) ?? [];
  return {
    ...evidence,
    calls: null,
    connections: connections === null ? null : { ...connections, looks },
    ...(prometheus != null && { prometheus: { ...prometheus, calls: [], traffic: [], history: [] } }),
  };
}

import type { Pod, Service, ServicePort } from '../evidence/objects.ts';
import { grpcSign } from '../evidence/ports.ts';
import type { GrpcSign } from '../report/ids.ts';

/** A port of a Service that looks like gRPC, and why. */
export interface Candidate {
  readonly service: Service;
  readonly port: ServicePort;
  readonly sign: GrpcSign;
  /** The pods of its selector. */
  readonly pods: readonly Pod[];
}

/** gRPC's customary port. */
const customaryPort = 50_051;

/**
 * The ports that look like gRPC: by declared protocol, by name, by a gRPC probe of the port that they lead to, or because
 * they lead to 50051. A declared protocol that is another one outweighs the name, but not what the pods show.
 */
export function findCandidates(services: readonly Service[], pods: readonly Pod[]): readonly Candidate[] {
  const byNamespace = Map.groupBy(pods, (pod) => pod.namespace);
  return services.flatMap((service) => {
    if (!canBeLookedAt(service)) return [];
    const own = (byNamespace.get(service.namespace) ?? []).filter((pod) => isSelected(service, pod));
    return service.ports.flatMap((port): Candidate[] => {
      const sign = port.protocol === 'TCP' ? signOf(port, own) : null;
      return sign === null ? [] : [{ service, port, sign, pods: own }];
    });
  });
}

/** A Service with pods of its own to compare. */
export function canBeLookedAt(service: Service): boolean {
  return service.type !== 'ExternalName' && Object.keys(service.selector).length > 0;
}

function isSelected(service: Service, pod: Pod): boolean {
  return Object.entries(service.selector).every(([key, value]) => pod.labels[key] === value);
}

function signOf(port: ServicePort, pods: readonly Pod[]): GrpcSign | null {
  const declared = grpcSign(port);
  if (declared !== null) return declared;
  const leadsTo = new Set(pods.flatMap((pod) => targetsOf(port, pod)));
  const probed = pods.some((pod) =>
    pod.containers.some((container) =>
      container.probes.some(
        (probe) => probe.kind === 'grpc' && typeof probe.port === 'number' && leadsTo.has(probe.port),
      ),
    ),
  );
  if (probed) return 'grpc-probe';
  return leadsTo.has(customaryPort) || port.targetPort === customaryPort ? 'container-port' : null;
}

function targetsOf(port: ServicePort, pod: Pod): readonly number[] {
  const { targetPort } = port;
  if (typeof targetPort === 'number') return [targetPort];
  if (targetPort === null) return [port.port];
  return pod.containers.flatMap((container) =>
    container.ports.flatMap((entry) => (entry.name === targetPort ? [entry.port] : [])),
  );
}

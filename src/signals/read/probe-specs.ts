import type { Probe } from '../../evidence/objects.ts';
import { at, integerAt, listAt, portAt, textAt } from './json.ts';

const types = ['liveness', 'readiness', 'startup'] as const;

/** Reads the probes of a container spec, with the API server's defaults where a number is missing. */
export function readProbes(container: unknown): Probe[] {
  return types.flatMap((type) => {
    const probe = at(container, `${type}Probe`);
    const handler = readHandler(probe);
    if (handler === null) return [];
    return [
      {
        type,
        ...handler,
        timeoutSeconds: integerAt(probe, 'timeoutSeconds') ?? 1,
        periodSeconds: integerAt(probe, 'periodSeconds') ?? 10,
        failureThreshold: integerAt(probe, 'failureThreshold') ?? 3,
        ...(isRewritten(probe) && { rewritten: true }),
      },
    ];
  });
}

/**
 * Istio's injector sends probes of the app to its agent, at `/app-health/CONTAINER/readyz` and the like, on 15020 (15021 in
 * older versions): https://istio.io/latest/docs/ops/configuration/mesh/app-health-check/
 */
function isRewritten(probe: unknown): boolean {
  const port = portAt(probe, 'httpGet', 'port');
  return (port === 15020 || port === 15021) && (textAt(probe, 'httpGet', 'path') ?? '').startsWith('/app-health/');
}

type Handler = Pick<Probe, 'kind' | 'port' | 'service' | 'grpcHealthProbe'>;

function readHandler(probe: unknown): Handler | null {
  if (at(probe, 'grpc') !== undefined) {
    return {
      kind: 'grpc',
      port: portAt(probe, 'grpc', 'port'),
      service: textAt(probe, 'grpc', 'service') ?? '',
      grpcHealthProbe: false,
    };
  }
  if (at(probe, 'httpGet') !== undefined) {
    return { kind: 'httpGet', port: portAt(probe, 'httpGet', 'port'), service: null, grpcHealthProbe: false };
  }
  if (at(probe, 'tcpSocket') !== undefined) {
    return { kind: 'tcpSocket', port: portAt(probe, 'tcpSocket', 'port'), service: null, grpcHealthProbe: false };
  }
  if (at(probe, 'exec') !== undefined) {
    // Only whether it is grpc_health_probe is kept: arguments of commands may hold secrets.
    const command = listAt(probe, 'exec', 'command').join(' ');
    return { kind: 'exec', port: null, service: null, grpcHealthProbe: command.includes('grpc_health_probe') };
  }
  return null;
}

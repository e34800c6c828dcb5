import { uniteEndpoints } from '../../evidence/endpoints.ts';
import { choosePorts } from '../../evidence/ports.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import type { SignalUpdate } from '../look.ts';
import { textMapAt } from '../read/json.ts';
import { readFormerPods } from './read.ts';

/**
 * The pods that have left the Service, from a list of pods that was read anyway.
 * @param services those of the namespace, as they were listed; null: not known
 */
export function lookAtFormerPods(
  evidence: SkewEvidence,
  items: readonly unknown[],
  services: readonly unknown[] | null,
): SignalUpdate {
  const { service, pods } = evidence;
  if (service === null || pods === null || items.length === 0) return {};
  const selectors = services?.map((item) => textMapAt(item, 'spec', 'selector')) ?? null;
  const found = readFormerPods(items, { service, pods, targetPorts: targetPortsOf(evidence), selectors });
  return found.length > 0 || evidence.formerPods != null ? { patch: { formerPods: found } } : {};
}

/** The ports of the pods at which the Service is served. */
export function targetPortsOf(evidence: SkewEvidence): readonly number[] {
  const { service, endpointSlices, pods, spec, metadata } = evidence;
  const choice = service === null ? null : choosePorts(service, spec.port, endpointSlices);
  if (choice === null || !choice.ok) return [];
  const found = choice.value.ports.flatMap((port) => {
    const { backends } = uniteEndpoints(endpointSlices ?? [], port, {
      namespace: metadata.namespace,
      pods: pods ?? [],
    });
    const known = backends.find((backend) => backend.port !== null)?.port;
    return known ?? (typeof port.targetPort === 'number' ? port.targetPort : []);
  });
  return [...new Set(found)];
}

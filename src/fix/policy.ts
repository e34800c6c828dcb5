import { kubectl } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import { declaredPort, destinationRule, portAsItWas } from './manifests.ts';
import { type FixParts, patchCommand, type Step, step, stepAbsent } from './parts.ts';
import type { Place } from './place.ts';

/** Istio's balancing policy for the Service. `before`: what is to be seen before anything is applied. */
type Policy = Pick<FixParts, 'manifests' | 'steps' | 'undo'> & { readonly before: readonly Step[] };

/** The balancing policy; two DestinationRules for one host would contradict each other. */
export function policyOf(report: SkewReport, place: Place, simple: 'LEAST_REQUEST' | 'ROUND_ROBIN'): Policy {
  const { path, signals } = report.status;
  const existing = path.hops.filter((hop) => hop.kind === 'destination-rule').map((hop) => hop.name);
  if (existing.length > 0)
    return {
      before: [],
      manifests: [],
      steps: existing.map((name) =>
        step(`in DestinationRule ${name}, set trafficPolicy.loadBalancer to simple: ${simple}, without consistentHash`),
      ),
      undo: existing.map((name) => step(`the old trafficPolicy of DestinationRule ${name} again`)),
    };
  const resource = `destinationrule.networking.istio.io/${place.name}`;
  const isSeen = signals.some(({ id, state }) => id === 'path' && state === 'complete');
  return {
    before: isSeen ? [] : [stepAbsent(place, [resource])],
    manifests: [destinationRule(place, simple)],
    steps: [],
    undo: [step('the policy away', kubectl(place.at, ['delete', resource]))],
  };
}

/** The way back of the port that declares its protocol. */
export function undeclaredPort(place: Place, { status }: SkewReport): Step[] {
  if (declaredPort(place, status.service).length === 0) return [];
  return [
    step(
      'appProtocol of the port as it was; it may stay, too: only meshes and gateways read it',
      patchCommand(
        place,
        { resource: 'service', name: place.name, namespace: place.namespace },
        'strategic',
        portAsItWas(place, status.service),
      ),
    ),
  ];
}

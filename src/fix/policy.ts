import { kubectl } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import { declaredPort, destinationRule, portAsItWas } from './manifests.ts';
import { patchCommand, type Step, type StrategyFix, step, stepAbsent } from './parts.ts';
import type { FixSubject } from './subject.ts';

/** Istio's balancing policy for the Service. `before`: what is to be seen before anything is applied. */
type Policy = Pick<StrategyFix, 'manifests' | 'steps' | 'undo'> & { readonly before: readonly Step[] };

/** The balancing policy; two DestinationRules for one host would contradict each other. */
export function policyOf(report: SkewReport, subject: FixSubject, simple: 'LEAST_REQUEST' | 'ROUND_ROBIN'): Policy {
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
  const resource = `destinationrule.networking.istio.io/${subject.name}`;
  const isSeen = signals.some(({ id, state }) => id === 'path' && state === 'complete');
  return {
    before: isSeen ? [] : [stepAbsent(subject, [resource])],
    manifests: [destinationRule(subject, simple)],
    steps: [],
    undo: [step('the policy away', kubectl(subject.at, ['delete', resource]))],
  };
}

/** The way back of the port that declares its protocol. */
export function undeclaredPort(subject: FixSubject, { status }: SkewReport): Step[] {
  if (declaredPort(subject, status.service).length === 0) return [];
  return [
    step(
      'appProtocol of the port as it was; it may stay, too: only meshes and gateways read it',
      patchCommand(
        subject,
        { resource: 'service', name: subject.name, namespace: subject.namespace },
        'strategic',
        portAsItWas(subject, status.service),
      ),
    ),
  ];
}

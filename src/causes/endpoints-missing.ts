import { listed, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const endpointsMissing: CauseUnit = {
  id: 'endpoints-missing',
  title: 'Ready pods are not among the endpoints of this port',
  family: 'health',
  needs: ['service', 'endpoints'],
  signature: 'The selector matches Ready pods that no EndpointSlice names, or it matches nothing.',
  confidenceRule:
    'certain: endpoints and pods are read from the API; a pod counts only when it has been Ready for over 30 s.',
  rivals: [
    { id: 'pods-not-ready', toldApartBy: 'Ready condition of the pods that get nothing' },
    { id: 'port-not-served', toldApartBy: 'whether a slice of the Service names the pods' },
  ],
  restores: true,
  firstStep: 'make the pods endpoints: selector, named target port and readiness',
  find(facts) {
    const { podsWithoutEndpoint, replicas, unreadyPods, service } = facts;
    const { unnamed, withoutPort } = facts.missing;
    const named = replicas.length + unreadyPods.length + podsWithoutEndpoint.length + withoutPort.length;
    const evidence = [
      ...(unnamed.length > 0
        ? [`Ready, matched by the selector, in no EndpointSlice: ${listed(unnamed.map((pod) => pod.name))}`]
        : []),
    ];
    if (evidence.length === 0 && named + facts.united.backends.length > 0) return null;
    if (evidence.length === 0) {
      const selector = Object.entries(service.selector)
        .map(([key, value]) => `${key}=${value}`)
        .join(',');
      return {
        confidence: 'certain',
        text: selector === '' ? 'the Service has no endpoints' : `no pod matches the selector ${selector}`,
        evidence: [
          `${plural(facts.evidence.endpointSlices?.length ?? 0, 'EndpointSlice')}, no endpoint for port ${facts.port.name ?? facts.port.port}`,
        ],
      };
    }
    const count = unnamed.length;
    return {
      confidence: 'certain',
      text: `${plural(count, 'pod')} of the selector ${count === 1 ? 'is' : 'are'} not among the endpoints of port ${facts.port.name ?? facts.port.port}`,
      evidence,
    };
  },
};

import type { CauseUnit } from './unit.ts';

export const singleEndpoint: CauseUnit = {
  id: 'single-endpoint',
  title: 'Only one pod can get traffic',
  family: 'not-load-balancing',
  needs: ['endpoints'],
  signature: 'The port has exactly one ready endpoint.',
  confidenceRule: 'certain: endpoints are read from the API.',
  rivals: [{ id: 'pods-not-ready', toldApartBy: 'pods of the Service that are not Ready' }],
  // Where others are not Ready, to make them so is the step.
  firstStep: ({ facts: { missing } }) =>
    missing.notReady.length + missing.pending.length > 0 ? null : 'run more than one pod, if one is not what you want',
  find(facts) {
    if (facts.replicas.length !== 1) return null;
    const name = facts.replicas[0]?.name ?? '';
    return {
      confidence: 'certain',
      text: `${name} is the only ready endpoint, so all traffic goes there`,
      evidence: [`1 ready endpoint for port ${facts.port.name ?? facts.port.port}`],
    };
  },
};

import { isUneven } from '../facts/facts.ts';
import { percent } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const headlessWithMesh: CauseUnit = {
  id: 'headless-with-mesh',
  title: 'A headless Service behind sidecars',
  family: 'layer-7',
  needs: ['service', 'path', 'connections'],
  signature:
    'The Service is headless and its clients have sidecars: the clients dial addresses of pods, and the sidecar sends each call to the address that was dialled.',
  confidenceRule:
    'likely when clients with sidecars carry at least half of an uneven load over a headless Service; never certain: what the client dials is not seen from here.',
  rivals: [{ id: 'pick-first', toldApartBy: 'the address that the client dials, and its policy' }],
  curedBy: ['l7-proxy'],
  firstStep: 'let the clients with a sidecar dial a ClusterIP Service over the same pods',
  find(facts) {
    const { clientShares, clientProxies } = facts.path;
    if (!isUneven(facts) || !facts.headless || clientShares.meshed < 0.5) return null;
    return {
      confidence: 'likely',
      text: 'the Service is headless, so the sidecars of the clients have nothing to choose from',
      evidence: [
        'clusterIP is None: clients dial a pod, and the proxy keeps to it',
        `clients with ${clientProxies.join(', ')} carry ${percent(clientShares.meshed)} of the load`,
      ],
      settledBy: ['the target of the clients: with a sidecar it should be the name of a ClusterIP Service'],
    };
  },
};

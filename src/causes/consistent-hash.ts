import { isUneven } from '../facts/facts.ts';
import type { CauseUnit } from './unit.ts';

export const consistentHash: CauseUnit = {
  id: 'consistent-hash',
  title: 'The mesh sends calls by a hash',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'A DestinationRule for the host sets consistentHash and clients go through proxies that obey it, or obey it themselves (xDS): calls with the same key go to the same pod, and few keys use few pods.',
  confidenceRule:
    'likely when the rule is there and those who obey it carry at least half of an uneven load; never certain: which keys the calls have is not seen.',
  rivals: [{ id: 'hot-client', toldApartBy: 'the calls per key, or per client' }],
  directs: 'rule',
  firstStep: 'take the hash out of the DestinationRule, or hash by a key with many values',
  find(facts) {
    const { hashRule, clientShares } = facts.path;
    if (
      !isUneven(facts) ||
      hashRule === null ||
      clientShares.meshed + clientShares.gateway + clientShares.waypoint + clientShares.xds < 0.5
    )
      return null;
    return {
      confidence: 'likely',
      text: `DestinationRule ${hashRule} hashes calls: few keys, or a heavy one, use few pods`,
      evidence: [`DestinationRule ${hashRule} sets consistentHash for this host`],
      settledBy: ['how many different keys the calls have, and whether one is heavy'],
    };
  },
};

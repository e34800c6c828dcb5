import { isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { figure, percent, plural, probability } from '../report/words.ts';
import { replicasWithoutConnections } from './ages.ts';
import { perCall, sticky } from './cures.ts';
import type { CauseUnit } from './unit.ts';
import { the } from './words.ts';

/** Above this probability nearly every placement is as uneven or more. */
const mostEven = 0.99;

export const chance: CauseUnit = {
  id: 'chance',
  title: 'Luck of the draw, and it stays',
  family: 'sticky-connections',
  needs: ['service', 'connections'],
  signature:
    'A ClusterIP Service whose connections lie as unevenly as random placement of so many connections easily gives, without order by age.',
  confidenceRule:
    'Never more than possible: luck says how an uneven load came about, not why it stays. Not named beside a cause that is likely.',
  rivals: [{ id: 'new-pods-idle', toldApartBy: 'whether the empty pods are the youngest ones' }],
  general: true,
  remark: true,
  ...sticky,
  curedBy: perCall,
  find(facts) {
    const { probability: p, expectedEffectivePods } = facts.chance;
    if (!isUneven(facts) || p === null || p < limits.chanceLevel || facts.connections?.reading !== 'uneven')
      return null;
    // Where no placement is more even, it was no bad luck.
    if (p > mostEven) return null;
    const empty = facts.youngestEmpty?.count ?? 0;
    const ordered = empty > 0 && empty === replicasWithoutConnections(facts).length;
    const effective = facts.loads.basis?.effectivePods ?? null;
    return {
      confidence: 'possible',
      text: `random placement of ${plural(facts.allConnections.length, 'connection')} is at least this uneven in ${percent(p)} of draws, and it stays`,
      evidence: [
        `probability ${probability(p)} under random placement`,
        expectedEffectivePods !== null &&
          effective !== null &&
          `random placement uses ${figure(expectedEffectivePods)} of ${facts.replicas.length} pods on average; now it is ${figure(effective)}`,
      ],
      against: [
        ordered &&
          `exactly ${the(empty, 'youngest pod')} ${empty === 1 ? 'is' : 'are'} empty: probability ${probability(facts.youngestEmpty?.probability ?? 0)} by luck alone`,
      ],
      settledBy: ordered ? ['the start of the connections against the ages of the pods'] : [],
    };
  },
};

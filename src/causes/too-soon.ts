import { idleReplicas, isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { maxOf } from '../figures/extremes.ts';
import { duration } from '../report/words.ts';
import { availableSeconds } from './ages.ts';
import { unsettled } from './consequences.ts';
import type { CauseUnit } from './unit.ts';
import { the } from './words.ts';

export const tooSoon: CauseUnit = {
  id: 'too-soon',
  title: 'The idle pods have only just become Ready',
  family: 'not-load-balancing',
  needs: ['endpoints', 'connections'],
  signature: `Every idle pod has been Ready for less than ${limits.tooSoonSeconds} s.`,
  confidenceRule: 'likely: clients that reconnect or resolve in the next minute would still find them.',
  rivals: [{ id: 'new-pods-idle', toldApartBy: 'the same look a minute later' }],
  decides: unsettled(
    'uneven, but the idle pods have only just become Ready',
    `the same again when they have been Ready for ${limits.tooSoonSeconds} s`,
  ),
  find(facts) {
    if (!isUneven(facts)) return null;
    const idle = idleReplicas(facts);
    const ages = idle.map((index) => availableSeconds(facts, index));
    if (idle.length === 0 || ages.some((age) => age === null || age >= limits.tooSoonSeconds)) return null;
    const oldest = maxOf(ages.map((age) => age ?? 0));
    return {
      confidence: 'likely',
      text: `${the(idle.length, 'idle pod')} ${idle.length === 1 ? 'has' : 'have'} been Ready for ${duration(oldest)} at most: too soon to judge`,
      evidence: [`all idle pods became Ready less than ${limits.tooSoonSeconds} s ago`],
      settledBy: ['the same look in a minute'],
    };
  },
};

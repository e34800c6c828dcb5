import { limits } from '../facts/limits.ts';
import type { Meaning } from '../report/meaning.ts';
import { percent } from '../report/words.ts';

export const termFacts: readonly Meaning[] = [
  {
    id: 'certain',
    title: 'What was seen leaves no other explanation',
    means: ['each cause has a rule of its own for how sure it is: kubectl grpc-skew explain CAUSE'],
  },
  {
    id: 'likely',
    title: 'It fits what was seen, and what would prove it was not seen',
    means: ['what would prove it is named with the cause, or at "settle it"'],
  },
  {
    id: 'possible',
    title: 'It fits what was seen, and so may others',
    means: ['it is shown so that the look that settles it can be taken'],
  },
  {
    id: 'load',
    title: 'What a pod has to do, by the nearest measure that was seen',
    means: [
      'messages, where calls are long; else calls; else bytes of the connections; else CPU: the line "measured" says which',
      'connections stand for it where nothing else was seen, and give likely at most',
    ],
  },
  {
    id: 'fair-share',
    says: ['fair', 'fair share'],
    title: 'The part of the load that each pod has where it is spread evenly',
    means: ['1 of P pods, or what Local policies, topology hints or the weights of a route give it'],
  },
  {
    id: 'effective-pods',
    says: ['pods used', 'pods-used', 'busy pods', 'used', 'effective pods'],
    title: 'How many evenly loaded pods would do the same work',
    means: [
      'P ÷ Σ(share² ÷ fair share): 10 where all of 10 pods carry the same, 1 where one carries all',
      '"10 pods do the work of 2.7" is this figure',
    ],
  },
  {
    id: 'effective-connections',
    title: 'How many equally heavy connections would be dealt as evenly',
    means: ['(Σ load)² ÷ Σ(load²) over the connections: below 4(P − 1) a new deal leaves P pods uneven'],
  },
  {
    id: 'peak-to-mean',
    says: ['peak/mean', 'peak'],
    title: 'How many times its fair share the busiest pod has',
    means: [
      `from ${limits.skewedPeakToMean} on a Service may be skewed, under ${limits.balancedPeakToMean} it is balanced`,
    ],
  },
  {
    id: 'idle',
    title: `A pod with under ${percent(limits.idlePart)} of its fair share`,
    means: [
      `by CPU, one within ${limits.cpuIdleMillicores} millicores of the least busy pod and under ${percent(limits.idleCpuPart)} of the mean, where the mean lies well above: a runtime costs something without any call`,
    ],
  },
  {
    id: 'gini',
    title: 'Inequality of the load as one figure: 0 where all pods carry the same, near 1 where one carries all',
    means: ['shown for those who compare by it; no rule of the verdict uses it'],
  },
  {
    id: 'age-order',
    says: ['age order'],
    title: 'How likely it is by accident that the youngest pods, and no others, hold no connection',
    means: ['(1 − k ÷ P)^C for the k youngest of P pods and C connections: under 5 % it is no accident'],
  },
];

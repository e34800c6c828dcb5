import { limits } from '../facts/limits.ts';
import type { State, VerdictKind } from '../report/ids.ts';
import type { Meaning } from '../report/meaning.ts';
import { percent } from '../report/words.ts';

export const stateFacts: readonly Meaning<State>[] = [
  {
    id: 'skewed',
    title: 'Few pods do most of the work',
    means: [
      `the busiest pod has at least ${limits.skewedPeakToMean} × its fair share, beyond the noise of the measurement`,
      `and fewer than ${percent(limits.skewedEffectivePart)} of the pods do the work, or a pod has under ${percent(limits.idlePart)} of its share, or a pod is at ${percent(limits.hotCpuPart)} of its CPU limit while the mean is under ${percent(limits.lowCpuPart)}`,
    ],
  },
  {
    id: 'balanced',
    title: 'The pods share the load about evenly',
    means: [
      `the busiest pod has under ${limits.balancedPeakToMean} × its fair share, or the difference is within the noise of the measurement`,
      'a difference above that is still called balanced, with a note, while it is none of a skewed load',
    ],
  },
  {
    id: 'not-load-balancing',
    title: 'Another fault, which no way of balancing mends',
    means: [
      'pods get nothing because they are no ready endpoints, or clients hold pods that should get nothing',
      'or calls and connections are even and the work is not; or there is one pod, or none',
      'people read it as OUTAGE, FAULT, BY SETTING or ONE POD: each can be explained, and scripts have it as the kind',
    ],
  },
  {
    id: 'no-traffic',
    title: 'No client calls the Service now',
    means: [
      'all pods were seen, and no client is connected to any of them, or the connections carry nothing',
      'certain only where counters say it, too, or where tables show their listeners and no CPU is used',
      'not where calls are counted, a pod is busy, or so few calls were to be expected that the window may have missed them',
    ],
  },
  {
    id: 'unknown',
    title: 'What was seen does not settle it',
    means: [
      `too few calls to judge, pods that were not seen, pods Ready for less than ${limits.tooSoonSeconds} s, or a rollout under way`,
      'the line "settle it" names the one look that is missing',
    ],
  },
];

/** What a fault that is none of balancing comes to, as people read it. */
export const kindFacts: readonly Meaning<VerdictKind>[] = [
  {
    id: 'outage',
    title: 'No ready pod takes new connections',
    means: [
      'none is a ready endpoint of the port, or none of them listens on it',
      'what clients hold open may go on; whoever connects anew is refused',
    ],
  },
  {
    id: 'fault',
    title: 'Something else is wrong, which no way of balancing mends',
    means: [
      'pods are not Ready, not among the endpoints, stand still or do not listen on the port; clients hold pods that should get nothing',
      'or calls and connections are even and the work is not',
    ],
  },
  {
    id: 'by-setting',
    says: ['by setting'],
    title: 'The load lies as somebody set it, and each pod carries what that gives it',
    means: [
      'a policy or an annotation of the Service, the weights of a route, endpoints elsewhere, clients that choose pods by name',
      'no fault as long as it is wanted: the cause names what to change where it is not',
    ],
  },
  {
    id: 'single-pod',
    says: ['one pod'],
    title: 'One ready pod, and none that is missing: there is nothing to balance',
    means: ['with a second pod the question comes up'],
  },
];

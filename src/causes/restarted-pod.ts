import { idleReplicas, isUneven } from '../facts/facts.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import { clock, listed, plural } from '../report/words.ts';
import { availableSeconds, clientsStartedSince, connectionAge } from './ages.ts';
import { sticky } from './cures.ts';
import type { CauseUnit } from './unit.ts';

export const restartedPod: CauseUnit = {
  id: 'restarted-pod',
  title: 'A pod restarted and its connections went elsewhere',
  family: 'sticky-connections',
  needs: ['endpoints', 'connections'],
  signature:
    'The idle pods are those whose container has restarted; their clients reconnected to the others and stay there.',
  confidenceRule:
    'certain when the connections have lived longer than the restarted containers run; likely when exactly the restarted pods are idle; possible when some of them are.',
  rivals: [{ id: 'new-pods-idle', toldApartBy: 'creation times of the idle pods' }],
  ...sticky,
  find(facts) {
    if (!isUneven(facts) || facts.hops.length > 0) return null;
    const idle = idleReplicas(facts);
    const restarted = facts.replicas.flatMap((pod, index) => (pod.restarts > 0 ? [index] : []));
    const both = idle.filter((index) => (facts.replicas[index]?.restarts ?? 0) > 0);
    if (both.length === 0) return null;
    const seconds = minOf(both.map((index) => availableSeconds(facts, index) ?? 0));
    const { later, all } = clientsStartedSince(facts, seconds);
    // Clients that all started after the restart never were connected to the pod before it.
    if (all > 0 && later === all) return null;
    const exact = both.length === idle.length && both.length === restarted.length;
    const age = connectionAge(facts);
    const running = maxOf(both.map((index) => availableSeconds(facts, index) ?? Number.POSITIVE_INFINITY));
    const proven = exact && age !== null && age > running;
    const names = both.map((index) => facts.replicas[index]?.name ?? '');
    const started = both.flatMap((index) => facts.replicas[index]?.startedAt ?? []);
    return {
      confidence: proven ? 'certain' : exact ? 'likely' : 'possible',
      text: `${listed(names, 1)} restarted; ${names.length === 1 ? 'its' : 'their'} clients went to the other pods and stay there`,
      evidence: [
        `idle and restarted: ${listed(names)}${started.length > 0 ? `, running since ${clock(maxOf(started))}` : ''}`,
        `${plural(idle.length, 'pod')} idle, ${plural(restarted.length, 'pod')} restarted`,
      ],
      against: [
        !exact &&
          `${plural(idle.length - both.length, 'idle pod')} did not restart, ${plural(restarted.length - both.length, 'restarted pod')} work`,
      ],
      settledBy: proven ? [] : ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
    };
  },
};

import { type Facts, idleReplicas, isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import { countOf, duration, plural, probability } from '../report/words.ts';
import {
  availableSeconds,
  clientStarts,
  clientsStartedSince,
  connectionAge,
  replicasWithoutConnections,
} from './ages.ts';
import { sticky } from './cures.ts';
import type { CauseUnit, Finding } from './unit.ts';
import { the } from './words.ts';

export const newPodsIdle: CauseUnit = {
  id: 'new-pods-idle',
  title: 'The connections are older than the idle pods',
  family: 'sticky-connections',
  needs: ['endpoints', 'connections'],
  signature:
    'The youngest pods hold no connection; the connections that exist were opened before those pods were Ready, and stay.',
  confidenceRule:
    'certain when every connection was seen in both samples and has lived longer (bytes carried ÷ present rate) than the oldest idle pod has been Ready; likely when so many empty young pods are no accident (probability under 5 %); else possible.',
  rivals: [
    { id: 'restarted-pod', look: 'restarts of the idle pods' },
    { id: 'chance', look: 'whether the empty pods are the youngest ones' },
  ],
  ...sticky,
  find(facts) {
    const { youngestEmpty, headless, hops, allConnections } = facts;
    if (isUneven(facts) && facts.connections === null) return fromCpuAlone(facts);
    if (!isUneven(facts) || youngestEmpty === null || headless || hops.length > 0) return null;
    const idle = replicasWithoutConnections(facts);
    const restarted = idle.some((index) => (facts.replicas[index]?.restarts ?? 0) > 0);
    if (idleReplicas(facts).some((index) => !idle.includes(index)) || restarted) return null;
    const idleSeconds = maxOf(idle.map((index) => availableSeconds(facts, index) ?? Number.POSITIVE_INFINITY));
    const older = idle.length - youngestEmpty.count;
    if (older > 0) return besideOlder(facts, idle, youngestEmpty.count);
    // A client that started when the idle pods were Ready could have reached them.
    const { later, all } = clientsStartedSince(facts, idleSeconds);
    if (later === all) return null;
    const age = connectionAge(facts);
    const proven = later === 0 && age !== null && age > idleSeconds;
    const isRare = youngestEmpty.probability < limits.chanceLevel;
    const byLuck = `probability ${probability(youngestEmpty.probability)}`;
    const unlikely = later === 0 && isRare;
    const text = `${the(allConnections.length, 'connection')} ${allConnections.length === 1 ? 'is' : 'are'} older than ${the(idle.length, 'idle pod')}`;
    return {
      confidence: proven ? 'certain' : unlikely ? 'likely' : 'possible',
      text:
        proven || unlikely
          ? text
          : `${countOf(idle.length, 'pod, the youngest, holds', 'pods, the youngest, hold')} no connection`,
      evidence: [
        `${the(idle.length, 'youngest pod')} of ${facts.replicas.length} ${idle.length === 1 ? 'holds' : 'hold'} none of ${plural(allConnections.length, 'connection')}${isRare ? `; without regard to age that has ${byLuck}` : ''}`,
        proven &&
          `the connections have lived about ${duration(age)} (bytes carried ÷ present rate), no idle pod has been Ready for more than ${duration(idleSeconds)}`,
      ],
      against: [
        !isRare && `that the empty pods are the youngest has ${byLuck} without regard to age: it tells little`,
        later > 0 && `${countOf(later, 'client', 'clients')} of ${all} started when those pods were Ready`,
        age !== null &&
          age <= idleSeconds &&
          `at their present rate the connections need only ${duration(age)} to carry what they did`,
      ],
      settledBy: proven ? [] : ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
    };
  },
};

/** Older pods are empty as well, so age is a part of the reason at most, and only where the clients are older than the young pods. */
function besideOlder(facts: Facts, idle: readonly number[], young: number): Finding | null {
  const byAge = idle.toSorted((a, b) => (facts.replicas[b]?.createdAt ?? 0) - (facts.replicas[a]?.createdAt ?? 0));
  const seconds = maxOf(
    byAge.slice(0, young).map((index) => availableSeconds(facts, index) ?? Number.POSITIVE_INFINITY),
  );
  const starts = [...clientStarts(facts).values()];
  if (starts.some((start) => start === null || (facts.now - start) / 1000 < seconds)) return null;
  return {
    confidence: 'possible',
    text: `${countOf(young, 'pod, younger than the clients, holds', 'pods, younger than the clients, hold')} no connection`,
    evidence: [`all clients started before the ${countOf(young, 'youngest pod was', 'youngest pods were')} Ready`],
    against: [`${countOf(idle.length - young, 'older pod holds', 'older pods hold')} none either`],
    settledBy: ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
  };
}

/** Connections could not be seen: that exactly the youngest pods have nothing to do is a hint, no more. */
function fromCpuAlone(facts: Facts): Finding | null {
  const idle = idleReplicas(facts);
  const born = (index: number) => facts.replicas[index]?.createdAt ?? null;
  const busy = facts.replicas.map((_, index) => index).filter((index) => !idle.includes(index));
  const ages = [...idle, ...busy].map(born);
  if (idle.length === 0 || ages.some((age) => age === null)) return null;
  const youngest = minOf(idle.map((index) => born(index) ?? 0)) > maxOf(busy.map((index) => born(index) ?? 0));
  if (!youngest) return null;
  return {
    confidence: 'possible',
    text: `exactly ${the(idle.length, 'youngest pod')} ${idle.length === 1 ? 'has' : 'have'} next to nothing to do`,
    evidence: [
      `by CPU; ${the(idle.length, 'idle pod')} ${idle.length === 1 ? 'was' : 'were'} created after ${the(busy.length, 'other pod')}`,
    ],
    settledBy: ['the connections of the pods, or the calls that they count'],
  };
}

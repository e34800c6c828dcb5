import { type Facts, idleReplicas, isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { deafReplicas } from '../facts/listening.ts';
import { lookedInto } from '../facts/measured.ts';
import { allPodsCheck } from '../facts/settling.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import { countOf, duration, percent, plural, probability } from '../report/words.ts';
import {
  availableSeconds,
  clientStarts,
  clientsStartedSince,
  connectionAge,
  replicasWithoutConnections,
} from './ages.ts';
import { sticky } from './cures.ts';
import { isDirected } from './directed.ts';
import type { CauseUnit, Finding } from './unit.ts';
import { the } from './words.ts';

/** Part of its fair load below which a pod misses the rest. */
const missing = 0.6;

export const newPodsIdle: CauseUnit = {
  id: 'new-pods-idle',
  title: 'The connections are older than the idle pods',
  family: 'sticky-connections',
  needs: ['endpoints', 'connections'],
  signature:
    'The youngest pods hold no connection, or only those of clients that started since; the others were opened before those pods were Ready, and stay.',
  confidenceRule: `certain when every connection was seen in both samples and has lived longer (bytes carried ÷ present rate) than the oldest idle pod has been Ready; likely when so many empty young pods are no accident (probability under 5 %), or when the young pods have less than ${percent(missing)} of their part, from later clients alone, and all earlier connections lie on older pods; else possible, as by CPU alone, or beside older pods that are empty.`,
  rivals: [
    { id: 'restarted-pod', toldApartBy: 'restarts of the idle pods' },
    { id: 'chance', toldApartBy: 'whether the empty pods are the youngest ones' },
  ],
  ...sticky,
  find(facts) {
    const { youngestEmpty, headless, hops } = facts;
    if (isUneven(facts) && facts.connections === null) return fromCpuAlone(facts);
    if (!isUneven(facts) || headless || hops.length > 0) return null;
    if (youngestEmpty === null) return partlyFilled(facts);
    const idle = replicasWithoutConnections(facts);
    const barred = barredReplicas(facts);
    if (idle.some((index) => barred.has(index))) return null;
    const restarted = idle.some((index) => (facts.replicas[index]?.restarts ?? 0) > 0);
    const looked = new Set(lookedInto(facts.replicas));
    const others = idleReplicas(facts).filter((index) => !idle.includes(index));
    if (others.some((index) => looked.has(index)) || restarted) return null;
    const idleSeconds = maxOf(idle.map((index) => availableSeconds(facts, index) ?? Number.POSITIVE_INFINITY));
    const older = idle.length - youngestEmpty.count;
    if (older > 0) return besideOlder(facts, idle, youngestEmpty.count);
    const olderIdle = others.filter((index) => (availableSeconds(facts, index) ?? 0) > idleSeconds).length;
    return ofYoungest(facts, youngestEmpty, { idle, idleSeconds, looked: looked.size, olderIdle });
  },
};

interface Young {
  readonly idle: readonly number[];
  /** The longest that one of them has been Ready. */
  readonly idleSeconds: number;
  /** Pods that were looked into. */
  readonly looked: number;
  /** Pods that were not, and are older and idle, too: what they count, or their CPU, is known. */
  readonly olderIdle: number;
}

/** All pods without a connection are the youngest. */
function ofYoungest(
  facts: Facts,
  youngestEmpty: NonNullable<Facts['youngestEmpty']>,
  { idle, idleSeconds, looked, olderIdle }: Young,
): Finding | null {
  const { allConnections, replicas } = facts;
  const unlooked = replicas.length - looked;
  // A client that started when the idle pods were Ready could have reached them.
  const { later, all } = clientsStartedSince(facts, idleSeconds);
  if (later === all) return null;
  const age = connectionAge(facts);
  const isOlder = later === 0 && age !== null && age > idleSeconds;
  const proven = isOlder && unlooked === 0;
  const isRare = youngestEmpty.probability < limits.chanceLevel;
  const byLuck = `probability ${probability(youngestEmpty.probability)}`;
  const unlikely = later === 0 && isRare && olderIdle === 0;
  const text = `${the(allConnections.length, 'connection')} ${allConnections.length === 1 ? 'is' : 'are'} older than ${the(idle.length, 'idle pod')}`;
  return {
    confidence: proven ? 'certain' : unlikely || (isOlder && olderIdle === 0) ? 'likely' : 'possible',
    text:
      isOlder || unlikely
        ? text
        : `${countOf(idle.length, 'pod, the youngest, holds', 'pods, the youngest, hold')} no connection`,
    evidence: [
      `${the(idle.length, 'youngest pod')} of ${looked}${unlooked === 0 ? '' : ' looked into'} ${idle.length === 1 ? 'holds' : 'hold'} none of ${plural(allConnections.length, 'connection')}${isRare ? `; without regard to age that has ${byLuck}` : ''}`,
      isOlder &&
        `the connections have lived about ${duration(age)} (bytes carried ÷ present rate), no idle pod has been Ready for more than ${duration(idleSeconds)}`,
    ],
    against: [
      !isRare && `that the empty pods are the youngest has ${byLuck} without regard to age: it tells little`,
      later > 0 && `${countOf(later, 'client', 'clients')} of ${all} started when those pods were Ready`,
      age !== null &&
        age <= idleSeconds &&
        `at their present rate the connections need only ${duration(age)} to carry what they did`,
      olderIdle > 0 &&
        `${countOf(olderIdle, 'older pod that was not looked into gets', 'older pods that were not looked into get')} nothing either`,
      unlooked > 0 && `${countOf(unlooked, 'pod was', 'pods were')} not looked into`,
    ],
    settledBy: proven
      ? []
      : isOlder
        ? [allPodsCheck(unlooked)]
        : ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
  };
}

/** Pods that no new connection reaches or that would refuse it are not idle for their age. */
function barredReplicas(facts: Facts): ReadonlySet<number> {
  const deaf = new Set(deafReplicas(facts));
  const directed = facts.settings.flatMap(({ known, shares }) => (known ? [shares] : []));
  return new Set(
    facts.replicas.flatMap((pod, index) =>
      deaf.has(pod) || directed.some((shares) => shares?.[index] === 0) ? [index] : [],
    ),
  );
}

/**
 * Some clients have started since the young pods were Ready and reach them; the connections of the others are older, and
 * all lie on the older pods.
 */
function partlyFilled(facts: Facts): Finding | null {
  const { replicas, allConnections, load } = facts;
  const looked = lookedInto(replicas);
  if (facts.connections?.seen !== looked.length || facts.perCall || isDirected(facts)) return null;
  const barred = barredReplicas(facts);
  const since = replicas.map((_, index) => availableSeconds(facts, index));
  const carried = looked.reduce((sum, index) => sum + (load[index] ?? 0), 0);
  const starts = clientStarts(facts);
  const held = allConnections.flatMap(({ replica, connection }) => {
    const start = starts.get(connection.address) ?? null;
    return start === null ? [] : [{ replica, seconds: (facts.now - start) / 1000 }];
  });
  const cuts = [...new Set(since.flatMap((seconds) => seconds ?? []))].sort((a, b) => a - b).slice(0, -1);
  const found = cuts.flatMap((cut) => {
    const isYoung = (replica: number) => (since[replica] ?? Number.POSITIVE_INFINITY) <= cut;
    const young = looked.filter(isYoung);
    const older = held.filter(({ seconds }) => seconds > cut);
    const share = young.reduce((sum, index) => sum + (load[index] ?? 0), 0) / carried;
    const fair = young.length / looked.length;
    const byChance = (1 - fair) ** older.length;
    const fits =
      cut >= limits.tooSoonSeconds &&
      older.length < held.length &&
      older.every(({ replica }) => !isYoung(replica)) &&
      share < missing * fair &&
      !young.some((index) => barred.has(index));
    return fits ? [{ young, older: older.length, share, byChance }] : [];
  });
  const [best] = found.toSorted((a, b) => a.byChance - b.byChance);
  if (best === undefined || best.byChance >= limits.chanceLevel) return null;
  const { young, older, share, byChance } = best;
  return {
    confidence: 'likely',
    text: `${countOf(older, 'connection is', 'connections are')} older than ${the(young.length, 'young pod')}, which ${young.length === 1 ? 'has' : 'have'} ${percent(share)} of the load`,
    evidence: [
      `${plural(older, 'connection')} of clients that started before ${the(young.length, 'young pod')} ${young.length === 1 ? 'was' : 'were'} Ready: all on older pods, by luck with probability ${probability(byChance)}`,
      'clients that started later reach them',
    ],
    settledBy: ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
  };
}

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

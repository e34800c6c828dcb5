import { millisecondsOf } from '../evidence/times.ts';
import { workloadOf } from '../evidence/workload.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { bornTogetherMs, limits } from '../facts/limits.ts';
import { countWhile } from '../facts/rising.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import { orderedPlacement } from '../figures/order.ts';
import { countOf, duration, listed, plural, probability } from '../report/words.ts';
import {
  availableSeconds,
  clientStarts,
  clientsStartedSince,
  connectionAge,
  replicasWithoutConnections,
} from './ages.ts';
import { sticky } from './cures.ts';
import { isDirected } from './directed.ts';
import type { CauseUnit } from './unit.ts';

/** Seconds: a Deployment whose rollout makes no step within this time has failed (progressDeadlineSeconds, by default). */
const longestStep = 600;

export const rollingRestartOrder: CauseUnit = {
  id: 'rolling-restart-order',
  title: 'The pods were replaced in turn, and the first ones up got the connections',
  family: 'sticky-connections',
  needs: ['endpoints', 'connections', 'clients'],
  signature:
    'The clients are older than all pods, the pods came up one after another, and the earlier a pod was up the more connections it holds: clients of a pod that is replaced reconnect to those that are there.',
  confidenceRule:
    'certain when Events or names show that the pods replaced others, the later pods hold no connection, and the connections have lived longer (bytes carried ÷ present rate) than those pods have been Ready; likely when the replacement was seen and such an order is no accident (probability under 5 %); possible when the order alone was seen.',
  rivals: [
    { id: 'new-pods-idle', toldApartBy: 'Events: pods that replaced others, or a scale-up' },
    { id: 'restarted-pod', toldApartBy: 'the starts of all pods: after those of the clients, or of one pod only' },
    { id: 'chance', toldApartBy: 'the start order of the pods against their connections' },
    { id: 'few-connections', toldApartBy: 'the start order of the pods against their connections' },
  ],
  ...sticky,
  find(facts) {
    if (!isUneven(facts) || !isDealtAtRandom(facts)) return null;
    const available = facts.replicas.map((_, index) => availableSeconds(facts, index));
    const ages = available.filter((age) => age !== null);
    if (ages.length < facts.replicas.length || !cameInTurn(ages)) return null;
    const { later, all } = clientsStartedSince(facts, maxOf(ages));
    if (later > 0) return null;
    const isOlder = [...clientStarts(facts).values()].every((start) => start !== null);
    const counts = facts.replicas.map((pod) => pod.sockets?.connections.length ?? 0);
    const chance = orderedPlacement(halfRanks(ages), counts);
    if (chance >= limits.chanceLevel) return null;
    const idle = new Set(replicasWithoutConnections(facts));
    const idleSeconds = idle.size === 0 ? null : maxOf([...idle].map((index) => ages[index] ?? 0));
    const areLast = idleSeconds !== null && ages.every((age, index) => idle.has(index) || age >= idleSeconds);
    const age = connectionAge(facts);
    const replaced = whatReplaced(facts);
    const proven = isOlder && replaced !== null && areLast && age !== null && age > idleSeconds;
    const first = facts.replicas[ages.indexOf(maxOf(ages))];
    const held = counts[ages.indexOf(maxOf(ages))] ?? 0;
    return {
      confidence: proven ? 'certain' : replaced === null || !isOlder ? 'possible' : 'likely',
      text: `the pods came up in turn, and the first ones hold most: ${first?.name ?? ''} ${countOf(held, 'connection', 'connections')} of ${facts.allConnections.length}`,
      evidence: [
        isOlder &&
          `${all === 1 ? 'the client' : `all ${all} clients`} started before the first of the ${plural(facts.replicas.length, 'pod')} was up`,
        `so much on the pods that were up first has probability ${probability(chance)} without regard to order`,
        ...(replaced === null ? [] : [replaced]),
        proven &&
          `the connections have lived about ${duration(age)}, the empty pods have been up for ${duration(idleSeconds)} at most`,
      ],
      settledBy: proven
        ? []
        : replaced === null
          ? ['Events of the last hour: a rollout, or a scale-up']
          : ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
    };
  },
};

/** Nothing but kube-proxy chooses, any ready pod alike, and every pod was seen. */
function isDealtAtRandom(facts: Facts): boolean {
  const { headless, hops, replicas, connections, allConnections } = facts;
  if (headless || hops.length > 0 || facts.perCall || isDirected(facts)) return false;
  return connections?.seen === replicas.length && allConnections.length > 0;
}

/** Not all at once, and no step longer than a rollout takes for one: then it was a scale-up, or another day. */
function cameInTurn(ages: readonly number[]): boolean {
  const sorted = ages.toSorted((a, b) => b - a);
  const steps = sorted.slice(1).map((age, index) => (sorted[index] ?? age) - age);
  return steps.every((step) => step <= longestStep) && maxOf(steps, 0) * 1000 > bornTogetherMs;
}

/** Twice the rank of each age, the oldest first; equal ones share their mean rank. */
function halfRanks(ages: readonly number[]): number[] {
  const oldestFirst = ages.toSorted((a, b) => b - a);
  return ages.map((age) => {
    const before = countWhile(oldestFirst, (other) => other > age);
    return before + countWhile(oldestFirst, (other) => other >= age) - 1;
  });
}

/** What shows that these pods stand in the place of others; null where nothing does. */
function whatReplaced(facts: Facts): string | null {
  const pods = facts.replicas.flatMap((replica) => replica.pod ?? []);
  const workloads = new Set(pods.map((pod) => workloadOf(pod)));
  const present = new Set(pods.map((pod) => pod.owner?.name));
  const born = facts.replicas.flatMap((pod) => pod.createdAt ?? []);
  if (born.length === 0) return null;
  const from = minOf(born) - longestStep * 1000;
  const until = maxOf(born) + longestStep * 1000;
  const isThen = (time: string) => {
    const at = millisecondsOf(time);
    return at !== null && at >= from && at <= until;
  };
  const happenings = (facts.evidence.happenings ?? []).filter((entry) => isThen(entry.at));
  const scaledDown = happenings.find(
    (entry) =>
      entry.kind === 'scaled' &&
      workloads.has(`${entry.workload.kind.toLowerCase()}/${entry.workload.name}`) &&
      !present.has(entry.replicaSet) &&
      (entry.from === null ? entry.to === 0 : entry.to < entry.from),
  );
  if (scaledDown?.kind === 'scaled')
    return `ReplicaSet ${scaledDown.replicaSet} was scaled down to ${scaledDown.to} meanwhile`;
  // A StatefulSet gives the name of the pod that it replaces to the next one.
  const uids = new Map(pods.map((pod) => [pod.name, pod.uid]));
  const killed = happenings.flatMap((entry) =>
    entry.kind === 'killed' && entry.podUid !== null && uids.has(entry.pod) && uids.get(entry.pod) !== entry.podUid
      ? [entry.pod]
      : [],
  );
  return killed.length === 0
    ? null
    : `earlier pods of the same names were killed meanwhile: ${listed([...new Set(killed)].sort())}`;
}

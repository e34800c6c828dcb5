import { byAddress, type ClientFacts } from '../facts/client-facts.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { maxOf, minOf } from '../figures/extremes.ts';
import type { Confidence } from '../report/ids.ts';
import { countOf, percent, probability } from '../report/words.ts';
import { clientStarts } from './ages.ts';
import { type Conclusion, conclude } from './consequences.ts';
import type { CauseUnit, Finding } from './unit.ts';

/** A pod stands out for a client from this multiple of its fair part on. */
const heavyFactor = 1.5;

export const addressedByName: CauseUnit = {
  id: 'addressed-by-name',
  title: 'The clients choose the pods by name (ordinal, leader or shard)',
  family: 'not-load-balancing',
  needs: ['service', 'endpoints', 'connections', 'clients'],
  signature:
    'The pods are of one StatefulSet with a headless Service, so each has a name of its own. Clients that had a choice sit on one pod each, those of one workload on the same; or they reach several pods and all send most to the same one.',
  confidenceRule: `likely when clients agree on several different pods, or on the heaviest of several, with a probability under ${limits.chanceLevel} by chance; also, whatever it is by chance, when all hold the same few pods, one connection to each, unless the others are the youngest: then possible. Possible when all sit on one pod, also where chance may do that: an unshuffled DNS answer looks the same. Never certain: names are not seen in sockets.`,
  rivals: [
    { id: 'pick-first', toldApartBy: 'the target in the clients: the name of the Service, or of one pod' },
    { id: 'new-pods-idle', toldApartBy: 'the start of the clients against the ages of the pods' },
    { id: 'consistent-hash', toldApartBy: 'a DestinationRule with a hash, or a hash in the client library' },
  ],
  decides: { about: 'choice', conclude: decide },
  firstStep: 'look at how the clients spread their keys or find their leader: no Service chooses for them',
  find(facts) {
    if (!isUneven(facts) || facts.hops.length > 0 || facts.perCall || !haveNames(facts)) return null;
    if (facts.path.hashRule !== null || facts.service.sessionAffinity === 'ClientIP') return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    if (clients.length < 2) return null;
    return clients.every((client) => client.reached.length === 1) ? onOnePod(clients, facts) : agreeing(clients, facts);
  },
};

/** Clients that choose a pod by its name are dealt by no Service. */
function decide(facts: Facts, confidence: Confidence): Conclusion | null {
  const peak = percent(maxOf(facts.load.map((share) => share ?? 0)));
  // Two may sit on one pod by chance: that it is on purpose is then one reading of two.
  if (confidence === 'possible' && !agreesBeyondChance(facts)) return null;
  return confidence === 'possible'
    ? conclude(
        'unknown',
        'possible',
        `one pod carries ${peak}; the clients may have chosen it by its name`,
        settlingTarget,
      )
    : {
        ...conclude('not-load-balancing', 'likely', `the clients choose the pods themselves: one carries ${peak}`),
        kind: 'by-setting',
      };
}

const settlingTarget = 'the target in the clients: the name of the Service, or of one pod (NAME-0.SERVICE)';

/** Pods of one StatefulSet, and a headless Service that gives them names. */
export function haveNames({ replicas, headless, siblings }: Facts): boolean {
  const owners = new Set(replicas.map(({ pod }) => (pod?.owner?.kind === 'StatefulSet' ? pod.owner.name : null)));
  return owners.size === 1 && !owners.has(null) && (headless || siblings.some(({ clusterIP }) => clusterIP === 'None'));
}

/** Each client holds one pod: those of one workload the same. */
function onOnePod(clients: readonly ClientFacts[], facts: Facts): Finding | null {
  const starts = clientStarts(facts);
  const lastReady = maxOf(facts.replicas.map((pod) => pod.readySince ?? Number.POSITIVE_INFINITY));
  const hadChoice = clients.every((client) => {
    const start = starts.get(client.addresses[0] ?? '') ?? null;
    return start !== null && lastReady < start;
  });
  const groups = byWorkload(clients);
  const agree = groups.every((group) => new Set(group.map((client) => client.reached[0])).size === 1);
  if (!hadChoice || !agree) return null;
  const pods = facts.replicas.length;
  const byChance = chanceToAgree(groups, pods);
  const targets = new Set(clients.map((client) => client.reached[0])).size;
  // On one pod together they may as well be there by name; on several, a few agree too easily.
  if (targets > 1 && byChance >= limits.chanceLevel) return null;
  const agreement = `that the clients of a workload agree has probability ${probability(byChance)} by chance`;
  return {
    confidence: targets > 1 ? 'likely' : 'possible',
    text:
      targets > 1
        ? `the clients of each workload sit on one pod of ${pods}, each workload on its own: addressed by name`
        : `all ${clients.length} clients sit on the same pod of ${pods}, although they had a choice: a leader, or addressed by name`,
    evidence: [
      `the pods are of StatefulSet ${facts.replicas[0]?.pod?.owner?.name ?? ''}, and a headless Service gives each a name`,
      byChance < limits.chanceLevel && agreement,
    ],
    against: [byChance >= limits.chanceLevel && agreement],
    settledBy: [settlingTarget],
  };
}

function byWorkload(clients: readonly ClientFacts[]): readonly (readonly ClientFacts[])[] {
  return [...Map.groupBy(clients, ({ peer }) => `${peer.namespace ?? ''}/${peer.workload}`).values()];
}

/** Probability that those of each workload sit on one pod, if each has chosen at random. */
function chanceToAgree(groups: readonly (readonly ClientFacts[])[], pods: number): number {
  return pods ** -groups.reduce((sum, group) => sum + group.length - 1, 0);
}

function agreesBeyondChance({ allConnections, weights, replicas }: Facts): boolean {
  const groups = byWorkload(byAddress(allConnections, weights));
  return chanceToAgree(groups, replicas.length) < limits.chanceLevel;
}

/** Clients hold several pods and all send most to the same: calls are led by what they are about, not dealt in turn. */
function agreeing(clients: readonly ClientFacts[], facts: Facts): Finding | null {
  if (facts.bytes === null) return null;
  const shared = sameFew(clients, facts);
  if (shared !== null) return shared;
  const several = clients.filter((client) => client.reached.length > 1);
  const heaviest = several.map(heaviestOf);
  const [first] = heaviest;
  if (several.length < clients.length || first === undefined || first === null) return null;
  if (!heaviest.every((entry) => entry?.replica === first.replica)) return null;
  const byChance = several.slice(1).reduce((product, client) => product / client.reached.length, 1);
  if (byChance >= limits.chanceLevel) return null;
  const least = minOf(heaviest.map((entry) => entry?.part ?? 0));
  return {
    confidence: 'likely',
    text: `all ${clients.length} clients send most to ${facts.replicas[first.replica]?.name ?? 'one pod'}, though connected to others: they choose by key or role`,
    evidence: [
      `the pods are of StatefulSet ${facts.replicas[0]?.pod?.owner?.name ?? ''}, and a headless Service gives each a name`,
      `${countOf(several.length, 'client sends', 'clients send')} it at least ${percent(least)} of their load; that all agree has probability ${probability(byChance)} by chance`,
    ],
    settledBy: ['how the clients choose: by shard, by leader, or in turn'],
  };
}

/** All clients hold the same few pods, one connection each, and not the others: who balances holds every pod that it knows. */
function sameFew(clients: readonly ClientFacts[], facts: Facts): Finding | null {
  const [first] = clients;
  const pods = facts.replicas.length;
  if (first === undefined || first.reached.length >= pods || first.reached.length < 2) return null;
  const isSame = (client: ClientFacts) =>
    client.reached.length === first.reached.length &&
    client.reached.every((replica) => first.reached.includes(replica));
  if (!clients.every((client) => isSame(client) && client.connections === client.reached.length)) return null;
  // Clients that balance and have not resolved the name again hold exactly the older pods, too.
  const youngest = facts.youngestEmpty?.count === pods - first.reached.length;
  return {
    confidence: youngest ? 'possible' : 'likely',
    text: `all ${clients.length} clients hold the same ${first.reached.length} of ${pods} pods: they choose them by name`,
    evidence: [
      `the pods are of StatefulSet ${facts.replicas[0]?.pod?.owner?.name ?? ''}, and a headless Service gives each a name`,
      'who balances holds a connection to every pod that it knows',
    ],
    against: [
      youngest && 'the pods without connections are the youngest: clients that do not resolve again look the same',
    ],
    settledBy: [settlingTarget],
  };
}

/** The pod to which a client sends most, where that stands out. */
function heaviestOf({ loads }: ClientFacts): { readonly replica: number; readonly part: number } | null {
  const total = [...loads.values()].reduce((sum, load) => sum + load, 0);
  const [top] = [...loads].sort(([, a], [, b]) => b - a);
  if (top === undefined || total === 0) return null;
  const [replica, load] = top;
  return load / total < heavyFactor / loads.size ? null : { replica, part: load / total };
}

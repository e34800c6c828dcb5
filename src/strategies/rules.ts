import type { FoundCause } from '../causes/consequences.ts';
import { byAddress, doubledClients } from '../facts/client-facts.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { inferredWords } from '../facts/on-all-pods.ts';
import { concentration } from '../figures/deal.ts';
import { maxOf } from '../figures/extremes.ts';
import { enoughConnections, simulatePlacement } from '../figures/placement.ts';
import type { RecommendedAction, State, StrategyId } from '../report/ids.ts';
import { figure, plural } from '../report/words.ts';
import { dealtLoads } from './one-client.ts';
import type { Ownership } from './ownership.ts';

/** What a rule decides from. */
interface Situation {
  readonly facts: Facts;
  readonly state: State;
  /** In the order of their list. */
  readonly causes: readonly FoundCause[];
  readonly ownership: Ownership;
  readonly current: StrategyId;
}

export interface Choice {
  readonly strategy: StrategyId;
  readonly action: RecommendedAction;
  /** To complete it: what is to be added to what. */
  readonly adds?: string;
  readonly alternative?: StrategyId;
  readonly because: readonly string[];
}

/** What a row may choose: for the documentation, and held against what it does choose by the tests of the rows. */
export interface RuleOutcome {
  /** `current`: whatever is in place. */
  readonly strategy: StrategyId | 'current';
  readonly action: RecommendedAction;
  readonly alternative?: StrategyId;
}

export interface Rule {
  /** Number of the row in the list; it stands in every report. */
  readonly row: number;
  readonly when: string;
  readonly outcomes: readonly RuleOutcome[];
  applies(situation: Situation): boolean;
  choose(situation: Situation): Choice;
}

/** Connections that a full mesh of clients and pods may have before round_robin in the clients costs too much. */
export const mostClientConnections = 50_000;

/** Part of all load that the heaviest connection carries. */
export function heaviestPart(facts: Facts): number {
  const { weights } = facts.onAllPods;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? 0 : maxOf(weights) / total;
}

/** Headless, and clients hold several connections each, as who resolves the name and balances over what it gives. */
export function balancesAlready(facts: Facts): boolean {
  const isSeveral = facts.clients.some((client) => client.connections > client.addresses.length);
  return facts.headless && isSeveral && doubledClients(facts).length === 0;
}

/** Whoever carries load holds a connection to each pod: there is none that a client would have to find. */
function reachAllPods({ allConnections, weights, replicas }: Facts): boolean {
  return byAddress(allConnections, weights).every(
    ({ reached, share }) => share === 0 || reached.length === replicas.length,
  );
}

/** Client processes, as far as they can be told apart: by address. */
export function clientProcesses(facts: Facts): number {
  return facts.clients.reduce((sum, client) => sum + client.addresses.length, 0);
}

/**
 * Something at the Service or before it chooses the pods by where traffic comes from. What the API does not show is
 * inferred, and a suspicion of it settles nothing.
 */
function isDirected({ causes }: Situation): boolean {
  return causes.some(
    ({ unit, finding }) =>
      (unit.directs === 'setting' && finding.past !== true) ||
      (unit.directs === 'inferred' && finding.confidence !== 'possible'),
  );
}

/** Why a cause leaves a strategy, or any of them, out of the question; null where none does. */
function barring(causes: readonly FoundCause[], strategy: StrategyId | 'all'): string | null {
  const bars = causes.flatMap(({ unit }) => unit.bars ?? []);
  return bars.find(({ strategies }) => strategies === 'all' || strategies.some((id) => id === strategy))?.why ?? null;
}

/** A connection was seen that is no passing one. */
function hasLasting({ allConnections, perCall }: Facts): boolean {
  return !perCall && allConnections.length > 0;
}

/** Connections that are dealt anew all the time tell of the moment alone; too few of them for the pods do so at any time. */
function isDealtAnew(causes: readonly FoundCause[]): boolean {
  return causes.some(({ unit }) => unit.dealsAnew) && !causes.some(({ finding }) => finding.confidence === 'certain');
}

/**
 * Advice follows from a cause: from one that some way of balancing ends, and a likely one where the pods have names of their
 * own, which clients may dial on purpose.
 */
const isCurable =
  ({ replicas }: Facts) =>
  (cause: FoundCause): boolean =>
    isEnded(cause) &&
    (cause.finding.confidence !== 'possible' || replicas.every(({ pod }) => pod?.owner?.kind !== 'StatefulSet'));

/** Some way of balancing ends it. */
const isEnded = ({ unit }: FoundCause): boolean => unit.curedBy !== undefined || unit.hopLacks !== undefined;

/**
 * By what each connection carries the pods would be loaded about evenly, and by what is counted they are not, for no cause
 * that is known: to deal the connections anew gives the same, and what else would change is not known either.
 */
function isUnevenOnEvenConnections({ state, facts, causes }: Situation): boolean {
  if (state !== 'skewed' || facts.hops.length > 0 || facts.path.clientShares.xds >= 0.5 || causes.some(isEnded))
    return false;
  const loads = dealtLoads(facts);
  return loads.some((load) => load > 0) && 1 / concentration(loads) >= limits.skewedEffectivePart * loads.length;
}

const keep = ({ current }: Situation, ...because: readonly string[]): Choice => ({
  strategy: current,
  action: 'keep',
  because,
});

const keeps: readonly RuleOutcome[] = [{ strategy: 'current', action: 'keep' }];

/** The list that chooses the strategy: the first row that applies wins. Each row gives its reasons in `because`. */
export const rules: readonly Rule[] = [
  {
    row: 0,
    when: 'the state is unknown, there is no traffic, or no connection could be seen that stays and tells',
    outcomes: keeps,
    applies: ({ state, facts, causes }) =>
      state === 'unknown' ||
      state === 'no-traffic' ||
      (state === 'skewed' && (!hasLasting(facts) || isDealtAnew(causes))),
    choose: (situation) =>
      keep(
        situation,
        situation.state === 'no-traffic'
          ? 'without traffic there is nothing to balance'
          : isDealtAnew(situation.causes)
            ? 'connections are dealt anew all the time: how they lie now says nothing of some minutes later'
            : 'what was seen does not settle it: nothing is changed on a guess',
      ),
  },
  {
    row: 1,
    when: 'the load is balanced',
    outcomes: keeps,
    applies: ({ state }) => state === 'balanced',
    choose: (situation) =>
      keep(
        situation,
        situation.facts.loads.basis?.reading === 'between' ? 'the load is nearly even' : 'the load is even',
      ),
  },
  {
    row: 2,
    when: 'the fault is not load balancing (health, endpoints, the work itself, no gRPC), or clients choose the pods themselves, or the connections lie evenly and the calls do not, for no cause that another way of balancing ends',
    outcomes: keeps,
    applies: (situation) => {
      const { state, facts, causes } = situation;
      const isElsewhere = facts.intendedSkew === null || facts.intendedSkew.by === 'route';
      if ((state === 'not-load-balancing' && isElsewhere) || barring(causes, 'all') !== null) return true;
      // Clients of a headless Service choose the pods themselves: without a cause it may be on purpose.
      if (facts.headless) return facts.hops.length === 0 && !causes.some(isCurable(facts));
      return isUnevenOnEvenConnections(situation);
    },
    choose: (situation) =>
      keep(
        situation,
        barring(situation.causes, 'all') ??
          (situation.state !== 'skewed'
            ? 'another way of balancing would not help'
            : situation.causes.some(isEnded)
              ? 'the clients may call these pods by their names on purpose: nothing is changed before their target is known'
              : situation.facts.headless
                ? 'the clients choose the pods themselves, and no cause was found that another way of balancing would end'
                : 'the connections lie evenly already, and no cause was found of why their calls do not'),
      ),
  },
  {
    row: 3,
    when: 'a setting of the Service explains it, and without it these connections would lie about evenly',
    outcomes: keeps,
    applies: (situation) => isDirected(situation) && !staysUneven(situation.facts),
    choose: (situation) => keep(situation, 'the Service itself directs the traffic so: change that first'),
  },
  {
    row: 4,
    when: 'an L7 hop stands between, or a mesh that lacks a part of one',
    outcomes: [{ strategy: 'l7-proxy', action: 'complete' }, { strategy: 'l7-proxy', action: 'repair' }, ...keeps],
    applies: ({ facts, causes }) => facts.hops.length > 0 || causes.some(({ unit }) => unit.hopLacks?.whole),
    choose: (situation) => {
      const { facts, causes } = situation;
      const indivisible = indivisibleLoad(situation);
      if (indivisible !== null) return keep(situation, indivisible);
      const [lacks] = causes.flatMap(({ unit }) => unit.hopLacks ?? []);
      return lacks !== undefined
        ? {
            strategy: 'l7-proxy',
            action: 'complete',
            adds: lacks.part,
            because: ['the mesh is there, but not on the whole path'],
          }
        : {
            strategy: 'l7-proxy',
            action: 'repair',
            because: [
              `${facts.hops.join(' and ')} ${facts.hops.length === 1 ? 'is' : 'are'} there, yet the load is uneven`,
            ],
          };
    },
  },
  {
    row: 5,
    when: 'headless, and the clients balance: they hold several connections each, not two to one pod and none to another',
    outcomes: [{ strategy: 'headless-round-robin', action: 'complete' }, ...keeps],
    applies: ({ facts }) => balancesAlready(facts),
    choose: (situation) =>
      reachAllPods(situation.facts)
        ? keep(
            situation,
            'the clients are connected to every pod already: which of them gets a call is theirs to choose, by a key maybe',
          )
        : {
            strategy: 'headless-round-robin',
            action: 'complete',
            adds: 'MaxConnectionAge on the server to headless + round_robin',
            because: ['the clients balance already', 'a connection age on the server makes them see new pods'],
          },
  },
  {
    row: 6,
    when: 'headless, and the clients do not balance: one connection each, or several channels without a policy',
    outcomes: [
      { strategy: 'headless-round-robin', action: 'complete', alternative: 'l7-proxy' },
      { strategy: 'l7-proxy', action: 'adopt' },
    ],
    applies: ({ facts }) => facts.headless,
    choose: ({ facts, ownership }) => {
      const use = doubledClients(facts).length > 0 ? 'each channel of a client' : 'each client';
      return ownership.obstacle !== null
        ? {
            strategy: 'l7-proxy',
            action: 'adopt',
            because: [`${use} uses one connection`, ownership.obstacle],
          }
        : {
            strategy: 'headless-round-robin',
            action: 'complete',
            adds: 'round_robin in the clients to the headless Service',
            alternative: 'l7-proxy',
            because: [`${use} uses one connection: round_robin is missing`],
          };
    },
  },
  {
    row: 7,
    when: 'ClusterIP, and one stream that does not end carries more than twice the fair part of a pod',
    outcomes: keeps,
    applies: (situation) => indivisibleLoad(situation) !== null,
    choose: (situation) => keep(situation, indivisibleLoad(situation) ?? ''),
  },
  {
    row: 8,
    when: 'ClusterIP, no connection above twice the fair part of a pod, and at least 4(P−1) effective connections',
    outcomes: [{ strategy: 'max-connection-age', action: 'adopt' }],
    applies: ({ facts }) =>
      heaviestPart(facts) <= 2 / facts.replicas.length &&
      (facts.onAllPods.effective ?? 0) >= enoughConnections(facts.replicas.length),
    choose: ({ facts }) => ({
      strategy: 'max-connection-age',
      action: 'adopt',
      because: [
        `${figure(facts.onAllPods.effective ?? 0)} effective connections${inferredWords(facts.onAllPods, facts.replicas.length)} are enough for ${facts.replicas.length} pods`,
        'clients stay as they are, if they retry calls that meet UNAVAILABLE',
      ],
    }),
  },
  {
    row: 9,
    when: 'an xDS control plane serves these clients already, and nothing is known against their libraries',
    outcomes: [
      { strategy: 'proxyless-xds', action: 'complete', alternative: 'l7-proxy' },
      { strategy: 'proxyless-xds', action: 'repair' },
    ],
    applies: ({ facts, ownership }) => facts.path.clientShares.xds >= 0.5 && ownership.obstacle === null,
    choose: ({ causes }) =>
      causes.some(({ unit }) => unit.directs === 'rule')
        ? {
            strategy: 'proxyless-xds',
            action: 'repair',
            because: ['a rule that the clients obey directs the calls so'],
          }
        : {
            strategy: 'proxyless-xds',
            action: 'complete',
            adds: 'targets with xds:/// to the clients',
            alternative: 'l7-proxy',
            because: ['the clients have a bootstrap for xDS: their target must start with xds:///'],
          },
  },
  {
    row: 10,
    when: 'ClusterIP, too few or too heavy connections; the clients are ours, or pods of this cluster',
    outcomes: [{ strategy: 'headless-round-robin', action: 'adopt', alternative: 'l7-proxy' }],
    applies: ({ facts, ownership, causes }) =>
      ownership.obstacle === null &&
      barring(causes, 'headless-round-robin') === null &&
      clientProcesses(facts) * facts.replicas.length <= mostClientConnections,
    choose: ({ facts, ownership }) => ({
      strategy: 'headless-round-robin',
      action: 'adopt',
      alternative: 'l7-proxy',
      because: [
        tooFewOrTooHeavy(facts),
        ownership.whose === 'owned'
          ? 'the clients are yours to change'
          : 'if the clients are not yours to change, take the alternative',
      ],
    }),
  },
  {
    row: 11,
    when: 'clients that cannot be changed, come through a load balancer, or are too many',
    outcomes: [{ strategy: 'l7-proxy', action: 'adopt' }],
    applies: () => true,
    choose: ({ facts, ownership, causes }) => ({
      strategy: 'l7-proxy',
      action: 'adopt',
      because: [
        tooFewOrTooHeavy(facts),
        ownership.obstacle ??
          barring(causes, 'headless-round-robin') ??
          `${clientProcesses(facts)} clients × ${facts.replicas.length} pods are too many connections`,
      ],
    }),
  },
];

/**
 * Why no way of balancing divides the load; null where one may. The heaviest connection is of a pod with no more streams
 * than connections: about one stream each, and this one is hot.
 */
function indivisibleLoad({ facts, causes }: Situation): string | null {
  const { weights, allConnections, replicas } = facts;
  if (heaviestPart(facts) <= 2 / replicas.length) return null;
  const pod = replicas[allConnections[weights.indexOf(maxOf(weights))]?.replica ?? -1];
  const isOne = (pod?.calls?.inFlight ?? Number.POSITIVE_INFINITY) <= (pod?.sockets?.connections.length ?? 0);
  return isOne ? (causes.find(({ unit }) => unit.indivisible)?.unit.indivisible ?? null) : null;
}

/** Dealt at random, as without the setting of the Service, the connections would still be called uneven. */
function staysUneven({ onAllPods: { weights }, replicas }: Facts): boolean {
  const pods = replicas.length;
  const forecast = simulatePlacement({ weights, pods });
  return (
    forecast !== null &&
    forecast.peakToMean.mean >= limits.skewedPeakToMean &&
    forecast.effectivePods.mean < limits.skewedEffectivePart * pods
  );
}

/** Why a connection age on the server alone would not do (many calls on one heavy connection: row 8 of the list bars it, 10 and 11 choose instead). */
function tooFewOrTooHeavy(facts: Facts): string {
  const part = heaviestPart(facts);
  const pods = facts.replicas.length;
  const count = facts.onAllPods.weights.length;
  const inferred = inferredWords(facts.onAllPods, pods);
  if (count >= enoughConnections(pods)) {
    return part > 2 / pods
      ? `one connection carries ${figure(part * pods)} × the fair part of a pod`
      : `the ${count} connections${inferred} count as ${figure(facts.onAllPods.effective ?? 0)} by what they carry`;
  }
  return `${plural(count, 'connection')}${inferred} ${count === 1 ? 'is' : 'are'} too few to be dealt evenly on ${pods} pods`;
}

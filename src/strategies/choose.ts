import {
  type Consequences,
  type FirstStep,
  type FoundCause,
  mostCertainFirst,
  type StepContext,
} from '../causes/consequences.ts';
import type { Facts } from '../facts/facts.ts';
import { effectivePods } from '../figures/shares.ts';
import type { Recommendation, StrategyAnswer } from '../report/advice.ts';
import type { LanguageId, State, StrategyId } from '../report/ids.ts';
import { applying, figure } from '../report/words.ts';
import { clusterIp } from './cluster-ip.ts';
import { commandIn } from './command.ts';
import { headlessRoundRobin } from './headless-round-robin.ts';
import { l7Proxy } from './l7-proxy.ts';
import { maxConnectionAge, proposedAge } from './max-connection-age.ts';
import type { Ownership } from './ownership.ts';
import { proxylessXds } from './proxyless-xds.ts';
import { type Choice, rules } from './rules.ts';
import { moveOf } from './serving.ts';
import { preconditionsOf, type StrategyUnit } from './unit.ts';

/** The five strategies, in the order of what they change. */
export const strategyUnits: readonly StrategyUnit[] = [
  clusterIp,
  maxConnectionAge,
  headlessRoundRobin,
  l7Proxy,
  proxylessXds,
];

/** What is in place now, as far as the Service and its pods show it. */
function currentStrategy(facts: Facts): StrategyId {
  if (facts.hops.length > 0) return 'l7-proxy';
  if (facts.path.clientShares.xds >= 0.5) return 'proxyless-xds';
  return facts.headless ? 'headless-round-robin' : 'cluster-ip';
}

/** Exactly one strategy and what to do with it, by the first rule that applies. The causes are in the order of their list. */
export function recommend(
  facts: Facts,
  state: State,
  causes: readonly FoundCause[],
  ownership: Ownership,
  settledBy: string | null,
  language: LanguageId | null = null,
): Recommendation {
  const current = currentStrategy(facts);
  const context = { facts, ownership, language };
  const situation = { facts, state, causes, ownership, current };
  const rule = rules.find((entry) => entry.applies(situation));
  if (rule === undefined) throw new Error('the last rule applies always');
  const assessed = strategyUnits.map((unit) => ({ unit, ...unit.assess(context) }));
  const choice = worthwhile(rule.choose(situation), current, facts, assessed);
  return {
    strategy: choice.strategy,
    action: choice.action,
    current,
    rule: rule.row,
    text:
      rule.row === 0 && state !== 'no-traffic'
        ? 'nothing yet: what was seen does not settle it'
        : describeChoice(choice, current),
    ...firstSteps(causes, facts, choice.strategy, settledBy),
    alternative: choice.alternative ?? null,
    because: [...choice.because],
    ownership: ownership.whose,
    ownershipBasis: ownership.basis,
    strategies: assessed.map(({ unit, fits, against, prediction }) => {
      const lines = { fits: applying(fits), against: applying(against) };
      return { id: unit.id, title: unit.title, preconditions: preconditionsOf(unit, context), ...lines, prediction };
    }),
    connectionAgeSeconds: proposedAge(facts.allConnections.length, Math.max(1, facts.replicas.length)),
  };
}

/** Part by which a strategy must raise the effective pods at least to be worth a change. */
const leastGain = 0.1;

/** What is predicted to change next to nothing is not advised. */
function worthwhile(
  choice: Choice,
  current: StrategyId,
  { load }: Facts,
  assessed: readonly { readonly unit: StrategyUnit; readonly prediction: StrategyAnswer['prediction'] }[],
): Choice {
  if (choice.action !== 'adopt' && choice.action !== 'complete') return choice;
  const predicted = assessed.find(({ unit }) => unit.id === choice.strategy)?.prediction.effectivePods ?? null;
  // Against the same for each pod: a setting may have given them unequal shares.
  const shares = load.every((share) => share !== null) ? load : null;
  const present = shares === null || shares.length === 0 ? null : effectivePods(shares);
  if (predicted === null || present === null || predicted >= (1 + leastGain) * present) return choice;
  return {
    strategy: current,
    action: 'keep',
    because: [
      `${names[choice.strategy]} would use about ${figure(predicted)} pods, and ${figure(present)} are used now`,
    ],
  };
}

const names: Readonly<Record<StrategyId, string>> = {
  'cluster-ip': 'the ClusterIP Service',
  'max-connection-age': 'MaxConnectionAge on the server',
  'headless-round-robin': 'headless + round_robin',
  'l7-proxy': 'L7 proxy / mesh',
  'proxyless-xds': 'proxyless gRPC over xDS',
};

function describeChoice(choice: Choice, current: StrategyId): string {
  const name = names[choice.strategy];
  const other = choice.alternative === undefined ? '' : `; ${names[choice.alternative]} if clients cannot change`;
  switch (choice.action) {
    case 'keep':
      return choice.strategy === current ? `keep ${name}` : `keep ${name} as it is`;
    case 'complete':
      return `add ${choice.adds ?? name}${other}`;
    case 'repair':
      return `repair the ${name} that is there`;
    case 'adopt':
      return `${name}${other}`;
  }
}

/** What to do before anything else: the look that settles it, then the first steps of the causes, the surest first. */
function firstSteps(
  found: readonly FoundCause[],
  facts: Facts,
  strategy: StrategyId,
  settledBy: string | null,
): Pick<Recommendation, 'first' | 'commands'> {
  const causes = mostCertainFirst(found);
  const move = facts.staleEndpoints.length > 0 ? moveOf(facts) : 'at-once';
  const context: StepContext = {
    facts,
    strategy,
    causes,
    move,
    kubectl: (words, namespace, after) => commandIn(facts, words, namespace, after),
  };
  const stepsOf = (isWanted: (unit: Consequences) => boolean): FirstStep[] =>
    causes.flatMap(({ unit }) => {
      if (!isWanted(unit)) return [];
      const step = typeof unit.firstStep === 'function' ? unit.firstStep(context) : (unit.firstStep ?? null);
      if (step === null) return [];
      return [typeof step === 'string' ? { text: step, command: null } : step];
    });
  // Where calls rest on connections of before, what lets pods take new ones comes before anything else.
  const isFirst = ({ restores }: Consequences) => move !== 'at-once' && restores === true;
  const steps = [
    ...stepsOf((unit) => isFirst(unit)),
    ...(settledBy === null ? [] : [{ text: `see ${settledBy}`, command: null }]),
    ...stepsOf((unit) => !isFirst(unit)),
  ];
  return { first: steps.map(({ text }) => text), commands: steps.map(({ command }) => command) };
}

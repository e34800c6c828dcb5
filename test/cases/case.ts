/** What a public report of uneven load is made of: the facts as a plan, and the verdict that the report calls for. */
import type { DiagnoseOptions } from '../../src/diagnose.ts';
import type { Autoscaler } from '../../src/evidence/objects.ts';
import type { RecommendedAction, State, StrategyId } from '../../src/report/ids.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import type { ClientPlan, Plan } from '../diagnose/build.ts';
import type { Score } from './judge.ts';

export interface PublicCase {
  readonly title: string;
  readonly source: string;
  /** E: the cause was established in the report; R: a reporter's or commenter's explanation; I: inferred from the symptoms. */
  readonly mark: 'E' | 'R' | 'I';
  readonly plan: Plan;
  readonly options?: DiagnoseOptions;
  readonly expected: Expectation;
}

export interface Expectation {
  readonly state: State | readonly State[];
  /** Named before all others; null: none is to be named. */
  readonly first?: string | null;
  /** Named, at whatever place. */
  readonly named?: readonly string[];
  /** True as well, so that they may be named; a cause that stands nowhere here is a wrong one. */
  readonly beside?: readonly string[];
  /** Must not be named, with any confidence. */
  readonly not?: readonly string[];
  readonly strategy: StrategyId | readonly StrategyId[];
  readonly action?: RecommendedAction | readonly RecommendedAction[];
  /** In what is said to people. */
  readonly says?: readonly RegExp[];
  readonly warnings?: readonly string[];
  /** Pods that share the load. */
  readonly replicas?: number;
  /**
   * The decisive fact that the report lacks. Then no cause may be certain, `unknown` is a right answer where the state
   * allows it, and something must say what would settle it.
   */
  readonly lacks?: string;
}

/** `count` client pods web-0, web-1 …, all alike: the names that `dealt` and `meshed` use. */
export function webClients(count: number, more: Omit<ClientPlan, 'name'> = {}): ClientPlan[] {
  return Array.from({ length: count }, (_, index) => ({ name: `web-${index}`, ...more }));
}

/** The autoscaler of the pods, by CPU as a percentage of their requests. */
export function autoscalerOf(of: {
  readonly minReplicas: number;
  readonly targetUtilization: number;
  readonly utilization: number | null;
  readonly currentReplicas?: number;
}): Autoscaler {
  return {
    name: 'echo',
    target: { kind: 'Deployment', name: 'echo' },
    minReplicas: of.minReplicas,
    maxReplicas: 10,
    currentReplicas: of.currentReplicas ?? of.minReplicas,
    desiredReplicas: of.currentReplicas ?? of.minReplicas,
    lastScaledAt: null,
    metrics: [
      {
        type: 'Resource',
        resource: 'cpu',
        targetUtilization: of.targetUtilization,
        targetValue: null,
        utilization: of.utilization,
      },
    ],
  };
}

type Status = SkewReport['status'];

/** Everything that people read of a report, one sentence a line. */
export function sentencesOf({ headline, verdict, causes, recommendation, relief, warnings, path }: Status): string {
  return [
    verdict.summary,
    verdict.settledBy ?? '',
    headline.since ?? '',
    headline.why,
    headline.now,
    ...causes.flatMap((cause) => [cause.text, ...cause.evidence, ...cause.against, ...cause.settledBy]),
    recommendation.text,
    ...recommendation.first,
    ...recommendation.because,
    ...recommendation.strategies
      .filter(({ id }) => id === recommendation.strategy)
      .flatMap(({ against, preconditions, prediction }) => [
        ...against,
        ...preconditions.map(({ text }) => text),
        ...prediction.cost,
      ]),
    ...relief.flatMap(({ action, prediction, risk }) => [action, prediction, risk]),
    ...warnings.map(({ text }) => text),
    ...path.hops.map(({ text }) => text),
  ].join('\n');
}

/** Holds a report against what its case calls for. */
export function scoreOf(status: Status, expected: Expectation): Omit<Score, 'number'> {
  const { verdict } = status;
  const faults = [
    ...stateFaults(status, expected),
    ...causeFaults(status, expected),
    ...adviceFaults(status, expected),
  ];
  if (faults.length === 0) return { result: 'right', why: '' };
  const isUnknown = verdict.state === 'unknown' && ![expected.state].flat().includes('unknown');
  return { result: isUnknown ? 'unknown' : 'wrong', why: faults.join('; ') };
}

function stateFaults({ verdict, skew }: Status, { state, replicas }: Expectation): string[] {
  return [
    ...([state].flat().includes(verdict.state) ? [] : [`${verdict.state}, not ${[state].flat().join(' or ')}`]),
    ...(replicas === undefined || skew?.pods === replicas ? [] : [`${skew?.pods ?? 0} replicas, not ${replicas}`]),
  ];
}

function causeFaults({ causes, verdict, recommendation }: Status, expected: Expectation): string[] {
  const { first, named = [], not = [], lacks } = expected;
  const [top] = causes;
  const isNamed = (id: string) => causes.some((cause) => cause.id === id);
  const certain = causes.filter((cause) => cause.confidence === 'certain' && !allowed(expected).includes(cause.id));
  const settles = [verdict.settledBy, ...causes.flatMap((cause) => cause.settledBy), ...recommendation.first];
  return [
    ...(first === null && top !== undefined ? [`${top.id} is named, and none holds`] : []),
    ...(typeof first === 'string' && top?.id !== first ? [`${top?.id ?? 'no cause'} first, not ${first}`] : []),
    ...named.filter((id) => !isNamed(id)).map((id) => `${id} is not named`),
    ...not.filter(isNamed).map((id) => `${id} is named`),
    ...certain.map(({ id }) => `${id} is certain, and does not hold`),
    ...(lacks !== undefined && settles.every((text) => text === null)
      ? [`does not say what would settle it (${lacks})`]
      : []),
  ];
}

/** Causes that hold by what the case says. */
export function allowed({ first, named = [], beside = [] }: Expectation): readonly string[] {
  return [...(first == null ? [] : [first]), ...named, ...beside];
}

function adviceFaults(status: Status, { strategy, action, says = [], warnings = [] }: Expectation): string[] {
  const { recommendation } = status;
  const text = sentencesOf(status);
  return [
    ...([strategy].flat().includes(recommendation.strategy)
      ? []
      : [`${recommendation.strategy}, not ${[strategy].flat().join(' or ')}`]),
    ...(action === undefined || [action].flat().includes(recommendation.action)
      ? []
      : [`${recommendation.action}, not ${[action].flat().join(' or ')}`]),
    ...says.filter((pattern) => !pattern.test(text)).map((pattern) => `says nothing of ${pattern.source}`),
    ...warnings
      .filter((id) => !status.warnings.some((warning) => warning.id === id))
      .map((id) => `does not warn of ${id}`),
  ];
}

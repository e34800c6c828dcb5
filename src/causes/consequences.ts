import type { Change } from '../evidence/objects.ts';
import type { Facts } from '../facts/facts.ts';
import type { IntendedSkew } from '../facts/intended-skew.ts';
import {
  type CauseId,
  type Confidence,
  confidences,
  type State,
  type StrategyId,
  type VerdictKind,
} from '../report/ids.ts';

export interface Conclusion {
  readonly state: State;
  readonly confidence: Confidence;
  readonly summary: string;
  /** For `unknown`: the one look that would settle it. */
  readonly settledBy: string | null;
  /** Null where the state says it all. */
  readonly kind: VerdictKind | null;
}

export function conclude(
  state: State,
  confidence: Confidence,
  summary: string,
  settledBy: string | null = null,
): Conclusion {
  return { state, confidence, summary, settledBy, kind: state === 'not-load-balancing' ? 'fault' : null };
}

type ServiceSetting = Exclude<Change['fields'][number], 'replicas'>;

/** Of an uneven load that may even out by itself. */
export function unsettled(summary: string, look: string): NonNullable<Consequences['decides']> {
  return { about: 'unsettled', conclude: () => conclude('unknown', 'possible', summary, look) };
}

/** What a first step is worded from. */
export interface StepContext {
  readonly facts: Facts;
  /** The strategy that is recommended. */
  readonly strategy: StrategyId;
  /** All that was found, most certain first. */
  readonly causes: readonly FoundCause[];
  /**
   * How the clients of pods outside the endpoints can move to the ready ones: all at once, one by one where that may be too
   * much for these, or not at all: then whatever ends their connections ends calls.
   */
  readonly move: 'at-once' | 'one-by-one' | 'not';
  /** A command for the cluster that was looked at; the namespace is that of the Service unless named. Null: it cannot be printed. */
  readonly kubectl: (words: readonly string[], namespace?: string, after?: readonly string[]) => string | null;
}

/** A first step, and the command that shows more of what it is about. */
export interface FirstStep {
  readonly text: string;
  readonly command: string | null;
}

/**
 * What follows from a cause for the state, the strategy and the relief. These ask what a cause is, never which: so a new
 * cause is decided upon without any of them knowing it.
 */
export interface Consequences {
  readonly id: CauseId;
  /** It holds wherever connections are few, and says nothing of what went wrong: a likely cause that does is named first. */
  readonly general?: true;
  /** It explains how things came to lie so, and rivals no cause: left out beside one that is likely. */
  readonly remark?: true;
  /** The state that it decides, by the question that it answers; null where it leaves the state open after all. */
  readonly decides?: {
    /**
     * `unsettled`: an uneven load may even out by itself. `held`: clients hold pods that are no endpoints. `work`: not the
     * load, but what the pods do with it is unequal. `choice`: the clients choose the pods, and no Service does.
     */
    readonly about: 'unsettled' | 'held' | 'work' | 'choice';
    conclude(facts: Facts, confidence: Confidence): Conclusion | null;
  };
  /** It chooses the pods by where the calls come from: by a setting of the Service, a rule of the mesh, or as it seems. */
  readonly directs?: 'setting' | 'rule' | 'inferred';
  /** It is the cause of a load that lies as this deals it. */
  readonly explains?: IntendedSkew['by'];
  /** The setting of the Service that makes it so: it began when that was changed. */
  readonly setting?: ServiceSetting;
  /** What is to be added so that an L7 hop sees all calls; `whole` where there is no hop without it. */
  readonly hopLacks?: { readonly part: string; readonly whole: boolean };
  /** Why a single connection that carries most of the load is no lighter with any way of balancing. */
  readonly indivisible?: string;
  /** Strategies that end it by themselves; no other does, and none where it is absent. */
  readonly curedBy?: readonly StrategyId[];
  /** Strategies that are out of the question where it is found, and why. */
  readonly bars?: { readonly strategies: readonly StrategyId[] | 'all'; readonly why: string };
  /** By itself it deals the connections anew all the time: what waits for clients to reconnect, or makes them, is idle. */
  readonly dealsAnew?: true;
  /** What helps against it within minutes. */
  readonly relief?: readonly ReliefId[];
  /** What not to do in this state because of it, each with the reason. */
  avoid?(facts: Facts, state: State, causes: readonly FoundCause[]): readonly string[];
  /** What to do before anything else: the real fault, or the look that settles it. Null where another step says it. */
  readonly firstStep?: string | ((context: StepContext) => string | FirstStep | null);
  /** It keeps pods from taking new connections: repaired first where calls rest on the old ones. */
  readonly restores?: true;
}

/** Where the clients restart: `restart-one` of the hottest pod at a time, `restart-all`, who then also `resolve-anew`. */
export type ReliefId =
  | 'replace-stuck'
  | 'delete-holder'
  | 'restart-holders'
  | 'restart-leaking'
  | 'widen-channels'
  | 'restart-one'
  | 'restart-all'
  | 'resolve-anew';

export interface FoundCause {
  readonly unit: Consequences;
  readonly finding: {
    readonly confidence: Confidence;
    /** What it was is gone, and what it left is there: it directs nothing any more. */
    readonly past?: true;
  };
}

/** Most certain first; among equals in the order of the list of causes. */
export function mostCertainFirst<Found extends FoundCause>(causes: readonly Found[]): readonly Found[] {
  return causes.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ unit, finding }: FoundCause): number {
  const place = confidences.indexOf(finding.confidence);
  return unit.general ? Math.max(place, confidences.indexOf('likely') + 0.5) : place;
}

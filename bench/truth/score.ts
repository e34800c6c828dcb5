/** One run judged: the truth made first, then the answer of the program held against it. */
import { evidenceOf } from './evidence.ts';
import type { Cause, Confidence, Family, State, Strategy } from './family.ts';
import { type Observation, observe } from './observe.ts';
import { contradiction, type PairKind, pairKinds, pairOf } from './pairs.ts';
import type { Answer, Program } from './program.ts';
import { seeded } from './random.ts';
import { type Truth, truthOf } from './truth.ts';

/** right; wrong: another state; false-fault: a fault, or a choice, where there is none; open: unknown where it can be known. */
type StateResult = 'right' | 'wrong' | 'false-fault' | 'open';

/**
 * raises: the advised strategy gives at least a tenth more; kept: keep, where nothing gives half as much again, or where the
 * setting or fault that must go is named. Wrong are the others: no-gain, worse, missed (keep where a lever gives half as much
 * again), other (another strategy gives half as much again as the advised one), harmful (it breaks what clients do on purpose).
 */
export type AdviceResult = 'raises' | 'kept' | 'no-gain' | 'worse' | 'missed' | 'other' | 'harmful';
export const goodAdvice: readonly AdviceResult[] = ['raises', 'kept'];

export interface Scored {
  readonly family: string;
  readonly seed: string;
  readonly hardness: number;
  readonly truth: Pick<Truth, 'states' | 'main' | 'causes' | 'pods' | 'without'> & {
    readonly effective: number;
    readonly peak: number;
    readonly gains: Readonly<Partial<Record<Strategy, number>>>;
  };
  readonly said: Omit<Answer, 'predictions'>;
  readonly state: StateResult;
  readonly causes: readonly { readonly id: Cause; readonly confidence: Confidence; readonly right: boolean }[];
  /** Of runs that are uneven for a cause, or have an idle pod: it is named first, or at all; null elsewhere. */
  readonly named: 'first' | 'later' | 'not' | null;
  readonly advice: AdviceResult;
  /** Per prediction: how many draws of the future lie in its range, and predicted over realised mean. */
  readonly predictions: readonly {
    readonly strategy: Strategy;
    readonly inside: number;
    readonly draws: number;
    readonly ratio: number;
  }[];
  /** Another look at the same world, where it does not change by itself: the state that it gave. */
  readonly again: { readonly state: State; readonly contradicts: boolean } | null;
  readonly pair: { readonly kind: PairKind; readonly what: string; readonly wrong: string | null } | null;
}

export interface Case {
  readonly family: Family;
  readonly seed: string;
  /** 0 to 1. */
  readonly hardness: number;
}

/** The runs of a report: as many of each family as asked for, from plain to hard. */
export function casesOf(families: readonly Family[], seeds: number, salt: string): Case[] {
  return families.flatMap((family) =>
    Array.from({ length: seeds }, (_, at) => ({
      ...{ family, seed: `${salt}/${family.id}/${at}` },
      hardness: seeds > 1 ? at / (seeds - 1) : 0.5,
    })),
  );
}

/** The 300 runs that the tests hold: of every family some, with seeds that the report does not use. */
export function sampleOf(families: readonly Family[]): Case[] {
  const all = casesOf(families, Math.ceil(sampleRuns / families.length), 'suite');
  // The surplus is left out evenly, so that no family goes short.
  const surplus = all.length - sampleRuns;
  return all.filter(
    (_, at) => Math.floor(((at + 1) * surplus) / all.length) === Math.floor((at * surplus) / all.length),
  );
}

const sampleRuns = 300;

/** One run, from its seed. */
export function runOf({ family, seed, hardness }: Case): Observation {
  return observe(family.plan(seeded(seed), hardness), seed);
}

/** A later look, far enough for other calls and near enough for the same truth. */
const againAfterSeconds = 25;

/** `extra` says which further questions are asked of this run: another look, or one of the pairs. */
export function scoreCase(one: Case, program: Program, extra: 'again' | PairKind | null): Scored {
  const { family, seed, hardness } = one;
  const observation = runOf(one);
  const truth = truthOf(family, observation, seed);
  const evidence = evidenceOf(observation, seed);
  const answer = program(evidence);
  const { predictions: _predictions, ...said } = answer;
  const gains = gainsOf(truth);
  const pair = extra === null || extra === 'again' ? null : pairOf(extra, evidence, seed);
  return {
    ...{ family: family.id, seed, hardness, said },
    truth: {
      ...{ states: truth.states, main: truth.main, causes: truth.causes, pods: truth.pods, without: truth.without },
      ...{ effective: truth.spread.effective, peak: truth.spread.peak, gains },
    },
    state: stateResult(truth, answer),
    causes: answer.causes.map(({ id, confidence }) => ({ id, confidence, right: mayBeSaid(truth, id, confidence) })),
    named: namedIn(truth, answer),
    advice: adviceResult(truth, answer, gains),
    predictions: predictionsOf(truth, answer),
    again: extra === 'again' ? lookAgain(one, observation, answer, program) : null,
    pair:
      pair === null
        ? null
        : { kind: pair.kind, what: pair.what, wrong: contradiction(pair.kind, answer, program(pair.evidence)) },
  };
}

/** Which question goes with the n-th run: each in turn. */
export function extraOf(at: number): 'again' | PairKind {
  return at % 2 === 0 ? 'again' : (pairKinds[Math.floor(at / 2) % pairKinds.length] ?? 'permute');
}

function mayBeSaid(truth: Truth, id: Cause, confidence: Confidence): boolean {
  const most = truth.causes[id];
  const order: readonly Confidence[] = ['possible', 'likely', 'certain'];
  return most !== undefined && order.indexOf(confidence) <= order.indexOf(most);
}

function stateResult({ states }: Truth, { state }: Answer): StateResult {
  if (states.includes(state)) return 'right';
  if (state === 'unknown') return 'open';
  return state === 'not-load-balancing' ? 'false-fault' : 'wrong';
}

function namedIn({ main, states, spread }: Truth, { causes }: Answer): Scored['named'] {
  const isPlain = states.includes('balanced') && spread.idle.length === 0;
  if (main.length === 0 || isPlain || states.includes('unknown')) return null;
  const at = causes.findIndex(({ id }) => main.includes(id));
  return at === 0 ? 'first' : at > 0 ? 'later' : 'not';
}

function gainsOf({ futures, spread }: Truth): Partial<Record<Strategy, number>> {
  const gains: Partial<Record<Strategy, number>> = {};
  for (const { strategy, effective } of futures) {
    const mean = effective.reduce((sum, one) => sum + one, 0) / effective.length;
    if (effective.length > 0 && spread.effective > 0) gains[strategy] = mean / spread.effective;
  }
  return gains;
}

const [least, much] = [1.1, 1.5];

function adviceResult(truth: Truth, answer: Answer, gains: Partial<Record<Strategy, number>>): AdviceResult {
  const allowed = Object.entries(gains).filter(([strategy]) => !truth.never.includes(strategy));
  const best = Math.max(1, ...allowed.map(([, gain]) => gain));
  if (answer.action === 'keep') {
    const isNamed =
      answer.hasFirst &&
      answer.causes.some(({ id, confidence }) => truth.main.includes(id) && confidence !== 'possible');
    // To take a setting away settles it only where that helps.
    const helps = truth.without === null || truth.without >= least * truth.spread.effective;
    const isSettled =
      truth.lever === 'none' || (truth.lever !== 'strategy' && isNamed && helps) || truth.states.includes('balanced');
    return best >= much && !isSettled && answer.state !== 'unknown' ? 'missed' : 'kept';
  }
  if (truth.never.includes(answer.strategy)) return 'harmful';
  const gain = gains[answer.strategy] ?? 1;
  if (gain < 0.95) return 'worse';
  if (gain < least) return 'no-gain';
  return best / gain >= much ? 'other' : 'raises';
}

function predictionsOf(truth: Truth, { predictions, state }: Answer): Scored['predictions'] {
  if (truth.lever === 'none' || truth.spread.total === 0 || state === 'unknown') return [];
  return truth.futures.flatMap(({ strategy, effective }) => {
    // What a connection age gives is comparable where the clients' connections go through the virtual address.
    if (strategy === 'max-connection-age' && !truth.isPlaced) return [];
    const said = predictions.find((prediction) => prediction.strategy === strategy);
    if (effective.length < 2 || said === undefined || said.mean === null || said.range === null) return [];
    const [low, high] = said.range;
    const slack = 0.02 * truth.pods;
    const mean = effective.reduce((sum, one) => sum + one, 0) / effective.length;
    const inside = effective.filter((one) => one >= low - slack && one <= high + slack).length;
    return [{ strategy, inside, draws: effective.length, ratio: said.mean / mean }];
  });
}

function lookAgain({ seed }: Case, { plan }: Observation, first: Answer, program: Program): Scored['again'] {
  const isMoving =
    plan.ageSeconds < 600 || plan.breaks.some((at) => at > -60) || plan.pods.some(({ readyAt }) => readyAt > -120);
  if (isMoving) return null;
  const { state } = program(evidenceOf(observe(plan, seed, againAfterSeconds), seed));
  return { state, contradicts: state !== first.state && state !== 'unknown' && first.state !== 'unknown' };
}
